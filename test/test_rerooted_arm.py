# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A satellite with one arm and wheels, walked from the arm's middle: as if from its base."""

from dataclasses import replace

from benchmarks.models import arms_and_wheels
from free_flyer_dynamics import Simulator
from free_flyer_dynamics.kernels.layout import Layout
from free_flyer_dynamics.model import Wheel
from free_flyer_dynamics.rerooting import RerootedMotion
import numpy as np
import pytest

from test.twice import assert_alike, assert_momentum_is_kept, seen
from test.worlds import random_start

pytestmark = pytest.mark.jit  # uncompiled there is one lane

WHEELS = ('joint7', 'joint8', 'joint9')
DT, STEPS = 1e-3, 200
EVENTFUL = 1e-6  # of what is seen, relative: with events, each at the instant that was found
AGREE = 1e-11  # of accelerations: two recursions over eight bodies, relative


def satellite(drives=None, **joint):
    """Return the robot of 16 DOF, each joint and each wheel's drive so."""
    model = arms_and_wheels('satellite', 1).model
    joints = tuple(replace(each, **joint) for each in model.joints)
    wheels = tuple(Wheel(name, **(drives or {})) for name in WHEELS)
    return replace(model, joints=joints, wheels=wheels)


def world(model=None, torque=0.3, seed=5):
    """Return it under way, driven, pushed at its base, its hand and between, and weighed down."""
    rng = np.random.default_rng(seed)
    model = model or satellite()
    sim = Simulator(dt=DT, gravity=(0.1, 0.0, -0.3))
    random_start(rng, model).add_to(sim, model)
    sim.set_efforts({name: torque * float(rng.normal()) for name in sim.joint_names})
    for link in ('base', 'link2', 'link6'):
        sim.set_wrench(link, rng.normal(size=3), rng.normal(size=3), 'link', rng.normal(size=3))
    return sim


def test_its_wheels_are_no_rows(both):
    """Four rows of two lanes, where from the base there are seven of one."""

    def scene():
        sim = world()
        sim.step()
        inner = getattr(sim._motion, 'inner', sim._motion)
        wheels = int(inner.engine.arena[0][Layout._fields.index('wheels')])
        return type(sim._motion), inner.rows, inner.lanes, wheels

    one, two = both(scene)
    assert one == (RerootedMotion, 4, 2, 3)
    assert two[1:] == (7, 1, 3)


def test_its_accelerations_are_the_textbooks():
    """Of arm and wheels, pushed or not."""
    sim = world()
    for link in (None, 'link8'):
        if link:
            sim.set_wrench(link, (1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
        sim.step(3)
        inner, vdot = sim._motion.inner, np.zeros(sim._structure.nv)
        inner.engine.rates(vdot)
        got, expected = vdot[inner.structure.joint_v], sim.joint_accelerations()
        np.testing.assert_allclose(got, expected, atol=AGREE * np.abs(expected).max())


def test_it_moves_as_it_does_from_its_base(both):
    """Whatever acts on it, and on whatever is changed under way."""

    def scene():
        sim = world()
        told = [seen(sim)]
        for change in (
            lambda: sim.set_efforts(dict.fromkeys(WHEELS, -0.2)),
            lambda: sim.set_wrench('base', (1.0, 0.0, 2.0), (0.0, 0.3, 0.0)),
            lambda: sim.set_wrench('link9', (0.1, 0.0, 0.2), (0.0, 0.3, 0.0)),
            lambda: sim.set_wrench('link9'),
        ):
            change()
            sim.step(STEPS)
            told.append(seen(sim))
        return np.array(told)

    one, two = both(scene)
    np.testing.assert_array_equal(one[0], two[0])
    assert_alike(one, two)


def test_stops_and_friction_hold_it_as_they_would(both):
    """Joints of the arm at their stops, wheels and joints stuck, and let go by more torque."""
    model = satellite(lower=-3.2, upper=3.2, friction=0.5)

    def scene():
        sim = world(model, torque=0.7)
        told, holds = [], []
        for k in range(12):
            if k == 6:
                sim.set_efforts(dict.fromkeys(sim.joint_names, 1.5))
            sim.step(100)
            told.append(seen(sim))
            holds.append(sim._state.hold.copy())
        return np.array(told), np.array(holds)

    (one, holds), (two, other_holds) = both(scene)
    assert holds.any()
    np.testing.assert_array_equal(holds, other_holds)
    assert_alike(one, two, EVENTFUL)


def test_wheels_saturate_as_they_would(both):
    """In speed, where the drive pushes no further, and go on as they are told to slow down."""
    model = satellite({'speed_limit': 6.0})

    def scene():
        sim, told = world(model), []
        for torque in (2.0, -1.0, 3.0):
            sim.set_efforts(dict.fromkeys(WHEELS, torque))
            sim.step(150)
            told += [seen(sim), sim.efforts]
        return np.concatenate(told), sim._state.hold.copy()

    (one, hold), (two, other_hold) = both(scene)
    assert hold.any()
    np.testing.assert_array_equal(hold, other_hold)
    assert_alike(one, two, EVENTFUL)


def test_its_structure_changes_under_way(both):
    """Joints and wheels locked and freed, another base, something caught and let go."""
    changes = [
        lambda sim: sim.lock('joint8'),
        lambda sim: sim.lock('joint6'),
        lambda sim: sim.unlock('joint8', 'joint6'),
        lambda sim: sim.rebase('link2'),
        lambda sim: sim.rebase('base'),
        lambda sim: sim.anchor('link6', name='held'),
        lambda sim: sim.detach('held'),
    ]

    def scene():
        sim, told, kinds = world(), [], []
        for change in changes:
            sim.step(20)
            transition = change(sim)
            told += [[transition.energy_lost], transition.momentum_change.angular]
            sim.step(20)
            told.append(seen(sim))
            kinds.append(isinstance(sim._motion, RerootedMotion))
        return np.concatenate([np.ravel(each) for each in told]), kinds

    (one, kinds), (two, _plain) = both(scene)
    assert_alike(one, two)
    assert kinds == [True, True, True, True, True, False, True]


def test_momentum_is_kept_and_told():
    """Nothing acts from outside: driven wheels and joints only exchange it."""
    model, sim = satellite(), Simulator(dt=DT)
    random_start(np.random.default_rng(1), model).add_to(sim, model)
    sim.set_efforts(dict.fromkeys(sim.joint_names, 0.1))
    assert_momentum_is_kept(sim)


def test_a_snapshot_carries_on_to_the_last_bit():
    """Stuck or not, and however often it is taken; what is read after it, too."""
    model = satellite(lower=-3.2, upper=3.2, friction=0.5)
    one, two = world(model), world(model)
    for _ in range(3):
        one.step(137)
        data = one.snapshot()
        assert one.snapshot() == data
        two.restore(data)
        np.testing.assert_array_equal(seen(one), seen(two))
        for sim in (one, two):
            sim.step(41)
        np.testing.assert_array_equal(seen(one), seen(two))


def test_looking_does_not_touch_it():
    """Step by step with all read between is all at once, to the last bit."""
    one, two = world(), world()
    one.step(50)
    for _ in range(50):
        two.step()
        two.mass_matrix()
        seen(two)
    np.testing.assert_array_equal(seen(one), seen(two))
