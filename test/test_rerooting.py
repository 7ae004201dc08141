# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A chain walked from its middle: quicker, and nothing of it is seen."""

from dataclasses import replace

from free_flyer_dynamics import Simulator
from free_flyer_dynamics.generate import random_chain
from free_flyer_dynamics.model import Body
from free_flyer_dynamics.motions import EngineMotion
from free_flyer_dynamics.rerooting import RerootedMotion
import numpy as np
import pytest

from test.twice import assert_alike, assert_momentum_is_kept, KEPT, seen
from test.worlds import random_start

pytestmark = pytest.mark.jit  # uncompiled there is one lane

JOINTS, DT, STEPS = 24, 1e-3, 200
AGREE = 1e-10  # of accelerations: two recursions over two dozen bodies, relative


def chain(**joint):
    """Return a chain of hinges, each so."""
    model = random_chain(JOINTS, seed=3)
    hinges = (replace(each, kind='revolute', **joint) for each in model.joints)
    return replace(model, joints=tuple(hinges))


def world(model=None, **options):
    """Return a chain under way, driven, pushed in its middle and weighed down."""
    rng = np.random.default_rng(5)
    model = model or chain(friction=0.0, lower=-np.inf, upper=np.inf, velocity_limit=0.0)
    sim = Simulator(dt=DT, gravity=(0.1, 0.0, -0.3), **options)
    random_start(rng, model).add_to(sim, model)
    sim.set_efforts({name: 0.1 * rng.normal() for name in sim.joint_names})
    for link in (model.root, model.bodies[JOINTS // 2].name, model.bodies[-1].name):
        sim.set_wrench(link, rng.normal(size=3), rng.normal(size=3), 'link', rng.normal(size=3))
    return sim


def test_it_is_walked_in_half_as_many_rows(both):
    """Two halves side by side; from its base it is one run, and before a first step."""

    def scene():
        sim = world()
        assert sim._motion.structure is sim._structure
        sim.step(0)
        return sim._motion

    motion, other = both(scene)
    assert isinstance(motion, RerootedMotion)
    assert (motion.inner.rows, motion.inner.lanes) == (JOINTS // 2, 2)
    assert (other.rows, other.lanes) == (JOINTS, 1)


def test_it_moves_as_it_does_from_its_base(both):
    """Whatever acts on it: drives, weight, wrenches on both halves and between."""

    def scene():
        sim = world()
        start = seen(sim)
        sim.step(STEPS)
        return start, seen(sim), sim.momentum().linear

    one, two = both(scene)
    np.testing.assert_array_equal(one[0], two[0])
    assert_alike(one[1], two[1])
    np.testing.assert_allclose(one[2], two[2], rtol=KEPT)


def test_its_accelerations_are_the_textbooks():
    """Of the joints, by the engine on its own tree, against the recursion from the base."""
    sim = world()
    sim.step(3)
    inner, vdot = sim._motion.inner, np.zeros(sim._structure.nv)
    inner.engine.rates(vdot)
    expected = sim.joint_accelerations()
    got = vdot[inner.structure.joint_v]
    np.testing.assert_allclose(got, expected, atol=AGREE * np.abs(expected).max())


def test_looking_does_not_touch_it():
    """Step by step with all read between is all at once, to the last bit."""
    one, two = world(), world()
    one.step(50)
    for _ in range(50):
        two.step()
        seen(two)
    np.testing.assert_array_equal(seen(one), seen(two))


def test_a_step_of_nothing_changes_nothing_that_is_seen():
    """Found again from the hidden base, it would be off by a digit."""
    sim = world()
    before = seen(sim)
    sim.step(0)
    np.testing.assert_array_equal(seen(sim), before)


def test_what_asks_for_no_base_is_read_without_one(both, monkeypatch):
    """Joints, links and momentum each step: to find the base costs more than is gained."""

    def scene():
        sim = world(chain(friction=0.5, lower=-3.15, upper=3.15, velocity_limit=0.0))
        told = []
        for k in range(5):
            sim.set_efforts({'joint5': 0.1 * k})
            sim.step(10)
            now = sim.observe(('base', 'link7', 'link24'))
            told += [now.joints, now.frames, sim.positions, sim.pose('link3').position]
            told += [sim.twist('link3').linear, sim.acceleration('base').linear]
            told += [sim.momentum().angular, sim.momentum('').linear]
        return np.concatenate([np.ravel(each) for each in told])

    monkeypatch.setattr(RerootedMotion, '_look', lambda _self: pytest.fail('a base was found'))
    assert_alike(*both(scene))


def test_momentum_is_kept_and_told():
    """Nothing acts from outside; what is told is what the links' motion says."""
    model = chain()
    sim = Simulator(dt=DT)
    random_start(np.random.default_rng(1), model).add_to(sim, model)
    assert isinstance(sim._motion, RerootedMotion)
    assert_momentum_is_kept(sim)


def test_a_snapshot_carries_on_to_the_last_bit():
    """Taken twice it is the same bytes; and the world it was taken of goes on as one restored."""
    one, two = world(), world()
    one.step(37)
    data = one.snapshot()
    assert one.snapshot() == data
    two.restore(data)
    for sim in (one, two):
        sim.step(41)
    np.testing.assert_array_equal(seen(one), seen(two))


def test_stops_and_friction_hold_it_as_they_would(both):
    """Events are found within steps, and what is held stays so across a change of structure."""

    def scene():
        sim = world(chain(friction=5.0, lower=-3.15, upper=3.15, velocity_limit=0.0))
        sim.step(300)
        sim.lock('joint3')
        sim.step(100)
        return sim._state.hold.copy(), sim.positions

    (hold, positions), (other_hold, others) = both(scene)
    assert hold.any()
    np.testing.assert_array_equal(hold, other_hold)
    np.testing.assert_allclose(positions, others, atol=1e-6)  # of instants found


def test_its_structure_changes_like_any_other(both):
    """Locked, freed, held by the world and based elsewhere: what the plain one comes to."""
    changes = [
        lambda sim: sim.lock('joint5', 'joint11'),
        lambda sim: sim.anchor('link20', name='held'),
        lambda sim: sim.detach('held'),
        lambda sim: sim.unlock('joint5'),
        lambda sim: sim.rebase('link9'),
    ]

    def scene():
        sim, kinds, seens = world(), [], []
        for change in changes:
            change(sim)
            sim.step(5)
            kinds.append(type(sim._motion))
            seens.append(seen(sim))
        return kinds, np.array(seens)

    (kinds, one), (_kinds, two) = both(scene)
    assert_alike(one, two)
    anchored = EngineMotion  # what hangs on the world has its root there
    halved = EngineMotion  # two branches from its base on
    assert kinds == [RerootedMotion, anchored, RerootedMotion, RerootedMotion, halved]


def test_inputs_taken_under_way_act_on_it(both):
    """Efforts and wrenches go to its own tree."""

    def scene():
        sim = world()
        sim.step(10)
        sim.set_efforts(dict.fromkeys(sim.joint_names, 0.3))
        for k in range(1, 9):  # more than there is spare room for
            sim.set_wrench(f'link{k}', (0.1 * k, 0, 0), (0, 0, 0.2))
        sim.step(20)
        return seen(sim)

    assert_alike(*both(scene))


@pytest.mark.parametrize('case', ['short', 'fixed', 'sliding', 'massless', 'two'])
def test_what_gains_nothing_is_left_as_it_is(case):
    """Few joints, a base that is held, a slide, a link that could be no base, two robots."""
    model = random_chain(5, seed=3) if case == 'short' else chain()
    if case == 'sliding':
        joints = list(model.joints)
        joints[7] = replace(joints[7], kind='prismatic')
        model = replace(model, joints=tuple(joints))
    if case == 'massless':
        bodies = list(model.bodies)
        bodies[JOINTS // 2] = Body(bodies[JOINTS // 2].name)
        model = replace(model, bodies=tuple(bodies))
    sim = Simulator()
    sim.add(model, fixed=case == 'fixed')
    if case == 'two':
        sim.add(model, 'other_', position=(9, 0, 0))
    sim.step()
    assert sim._motion.structure is sim._structure
