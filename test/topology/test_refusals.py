# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What cannot be done is refused with a sentence that helps, and nothing has changed."""

from dataclasses import fields, is_dataclass
import math

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.model import Body, Joint, Model
import numpy as np
import pytest

from test.topology.scenes import three_robots

pytestmark = pytest.mark.jit

REFUSED = {
    'unknown joint': (('lock', 'r0_joint22'), "Did you mean 'r0_joint2'"),
    'unknown joint to unlock': (('unlock', 'nothing'), 'Known: '),
    'unknown joint among known ones': (('lock', 'r0_joint1', 'elbow'), "'elbow'"),
    'the same joint twice': (('lock', 'r0_joint1', 'r0_joint1'), 'already locked'),
    'a joint locked before': (('lock', 'r1_joint1'), 'already locked'),
    'a joint not locked': (('unlock', 'r0_joint1'), 'not locked'),
    'a joint the file fixes': (('lock', 'r0_frame1_mount'), 'nothing to lock'),
    'a part of a ball': (('lock', 'ball_x'), "Did you mean 'ball'"),
    'no joint at all': (('lock',), 'a joint or more'),
    'nothing to unlock': (('unlock',), 'a joint or more'),
    'unknown frame': (('attach', 'r0_link1', 'r1_lnk1'), "Did you mean 'r1_link1'"),
    'one link twice': (('attach', 'r0_link1', 'r0_link1'), 'one rigid body'),
    'one body by two frames': (('attach', 'r2_frame1', 'r2_carrier'), 'one rigid body'),
    'what is attached already': (('attach', 'r0_link2', 'r1_link2'), 'one rigid body'),
    'the world as a frame': (('attach', 'world', 'r1_link1'), 'use anchor'),
    'the world anchored': (('anchor', 'world'), 'inertial space'),
    'a name taken by a joint': (
        ('attach', 'r0_link1', 'r1_link1', {'name': 'r2_joint1'}),
        'taken',
    ),
    'a name taken by an attachment': (('anchor', 'r0_link1', {'name': 'weld'}), 'taken'),
    'a name whose part is taken': (
        ('attach', 'r0_link1', 'r2_link1', {'name': 'taken', 'joint': 'spherical'}),
        'taken',
    ),
    'a name that is no text': (('anchor', 'r0_link1', {'name': 5}), 'name'),
    'no axis': (
        ('attach', 'r0_link1', 'r2_link1', {'joint': 'revolute', 'axis': (0, 0, 0)}),
        'zero',
    ),
    'half an axis': (('attach', 'r0_link1', 'r2_link1', {'axis': (0, 1)}), '3 numbers'),
    'an axis of NaN': (
        ('attach', 'r0_link1', 'r2_link1', {'joint': 'prismatic', 'axis': (0, math.nan, 1)}),
        'finite',
    ),
    'an infinite axis': (('anchor', 'r0_link1', {'axis': (math.inf, 0, 0)}), 'finite'),
    'an axis of words': (('anchor', 'r0_link1', {'axis': ('x', 'y', 'z')}), '3 numbers'),
    'an unknown kind of joint': (
        ('attach', 'r0_link1', 'r2_link1', {'joint': 'planar'}),
        'revolute, prismatic, spherical',
    ),
    'a kind that only files have': (('anchor', 'r0_link1', {'joint': 'continuous'}), 'one of'),
    'frames apart': (('attach', 'r0_link1', 'r2_link1', {'align': True}), 'do not coincide'),
    'an unknown attachment': (('detach', 'wld'), "Did you mean 'weld'"),
    'a joint of a robot detached': (('detach', 'r0_joint1'), 'No attachment or anchor'),
    'an unknown base': (('rebase', 'r0_bass'), "Did you mean 'r0_base'"),
    'a base that is anchored': (('rebase', 'r2_link4'), 'Detach the anchor'),
    'the world as base': (('rebase', 'world'), 'anchored'),
    'an unknown operation': (('weld', 'a', 'b'), 'Known: anchor, attach'),
    'no operation': ((), 'Known: anchor, attach'),
    'something that is none': (5, 'operation'),
    'an operation with too little': (('attach', 'r0_link1'), 'do not fit'),
    'an operation with too much': (('rebase', 'r0_link1', 'r0_link2'), 'do not fit'),
    'an unknown option': (('attach', 'r0_link1', 'r2_link1', {'kind': 'fixed'}), 'do not fit'),
    'a name that cannot be one': (('attach', ['r0_link1'], 'r2_link1'), 'No link is named'),
}


def world():
    """Return robots with something locked, attached, anchored and closed."""
    sim, _ = three_robots(3)
    sim.lock('r1_joint1')
    sim.attach('r0_link2', 'r1_link2', name='weld')
    sim.attach('r0_link4', 'r1_link5', 'spherical', name='ball')
    sim.anchor('r2_link3', name='held')
    sim.add(random_chain(1), 'taken_', position=(9, 0, 0))
    sim.attach('taken_link1', 'r0_base', 'revolute', name='taken_x')
    return sim


def everything(thing, seen=None):
    """Return all numbers and names in a thing, by the path to them, bit for bit."""
    seen = set() if seen is None else seen
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if thing is None or isinstance(thing, (str, int, float, bool, np.generic)):
        return thing
    if id(thing) in seen:
        return 'seen'
    seen.add(id(thing))
    if isinstance(thing, (tuple, list)):
        return [everything(item, seen) for item in thing]
    if isinstance(thing, dict):
        return {str(key): everything(value, seen) for key, value in thing.items()}
    if is_dataclass(thing):
        return {f.name: everything(getattr(thing, f.name), seen) for f in fields(thing)}
    return {key: everything(value, seen) for key, value in getattr(thing, '__dict__', {}).items()}


def kept(sim):
    """Return what a simulator is made of, but for scratch room."""
    parts = {
        'assembly': sim._structure.assembly,
        'plan': sim._structure.plan,
        'state': sim._state,
        'coordinates': sim._coordinates,
        'inputs': sim._inputs,
        'commands': sim._commands,
        'time': sim.time,
    }
    parts['snapshot'] = sim.snapshot()
    return {
        name: part if isinstance(part, bytes) else everything(part) for name, part in parts.items()
    }


@pytest.fixture(scope='module')
def sim():
    """Return one world for all refusals: none of them may change it."""
    return world()


@pytest.mark.parametrize('case', REFUSED)
def test_a_refusal_says_why_and_leaves_everything(sim, case):
    """As a change of its own, and after others that could have been done."""
    operation, words = REFUSED[case]
    if case == 'one body by two frames':
        model = sim._structure.assembly.robots[2].model
        mount = next(j for j in model.fixed_joints if j.child == 'frame1')
        operation = ('attach', 'r2_frame1', 'r2_' + mount.parent)
    before = kept(sim)
    good = [('lock', 'r0_joint3'), ('detach', 'ball'), ('unlock', 'r1_joint1')]
    if 'r1_joint1' in operation if isinstance(operation, tuple) else False:
        good = good[:2]
    for operations in ([operation], [*good, operation], [good[0], operation, good[1]]):
        if case == 'a part of a ball' and len(operations) == 3 and operations[1] is not operation:
            continue
        with pytest.raises(ffd.TopologyError) as refused:
            sim.change(operations)
        if len(operations) == 1:
            assert words in str(refused.value)
        assert kept(sim) == before


def test_what_is_no_list_of_operations_is_refused(sim):
    """With the same error as what is in it."""
    before = kept(sim)
    for wrong in (None, 3, 'lock'):
        with pytest.raises(ffd.TopologyError):
            sim.change(wrong)
    assert kept(sim) == before


def test_methods_refuse_as_change_does(sim):
    """They are the same."""
    before = kept(sim)
    with pytest.raises(ffd.TopologyError, match='already locked'):
        sim.lock('r1_joint1')
    with pytest.raises(ffd.TopologyError, match='Did you mean'):
        sim.attachment_wrench('wled')
    assert kept(sim) == before


def test_an_error_that_aligns_tells_how_far():
    """Frames 1 mm and 1 mrad apart may be joined, others not."""
    sim = ffd.Simulator()
    box = Model('box', (Body('base', 2.0, np.zeros(3), np.eye(3)),))
    sim.add(box, 'a_')
    sim.add(box, 'b_', position=(0.01, 0, 0))
    sim.add(box, 'c_', position=(0.0005, 0, 0), quaternion=(0, 0, math.sin(2e-4), math.cos(2e-4)))
    with pytest.raises(ffd.TopologyError, match=r'0\.01 m and 0 rad'):
        sim.attach('a_base', 'b_base', align=True)
    sim.attach('a_base', 'c_base', align=True)


def massless_base():
    """Return a fixed robot whose root has no mass, and its simulator."""
    bodies = (Body('base'), Body('arm', 2.0, np.array([0.3, 0, 0]), np.eye(3)))
    joints = (Joint('hinge', 'revolute', 'base', 'arm'),)
    sim = ffd.Simulator()
    sim.add(Model('stand', bodies, joints), fixed=True, joint_velocities={'hinge': 1.0})
    return sim


def test_a_massless_base_is_not_let_go():
    """It would have nothing to resist a force with."""
    sim = massless_base()
    with pytest.raises(ffd.TopologyError, match='mass'):
        sim.detach('base_anchor')
    sim.step(10)
    assert np.isfinite(sim.positions).all()


def test_a_massless_base_let_go_with_a_rigid_joint_may_fly():
    """Locked, it is part of what has mass; unlocking it then is refused."""
    sim = massless_base()
    sim.change([('lock', 'hinge'), ('detach', 'base_anchor')])
    sim.step(10)
    assert np.isfinite(sim.pose('arm').position).all()
    with pytest.raises(ffd.TopologyError, match='mass'):
        sim.unlock('hinge')


def test_a_massless_base_is_no_tip_either():
    """Held at the arm instead, the hinge would turn nothing."""
    sim = massless_base()
    with pytest.raises(ffd.TopologyError, match='mass'):
        sim.change([('anchor', 'arm'), ('detach', 'base_anchor')])


def test_no_operations_change_nothing():
    """An empty list is a change to the same."""
    sim = world()
    before = kept(sim)
    transition = sim.change([])
    assert kept(sim) == before
    assert transition.dof_before == transition.dof_after
