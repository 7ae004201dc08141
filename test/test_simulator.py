# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The simulator as the contract has it: names, order, clock, starts that are refused."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import branching_tree, random_chain, random_tree
import numpy as np
import pytest

from test.worlds import random_case, random_start, simulator_of, wheel_robot

# A start is turned into node coordinates and back: a few roundings.
ROUNDING = 1e-14

two_wheels = wheel_robot(('one', 'two'), 'revolute', lower=-1.0, upper=1.0)
MODEL_START = {'joint_positions': {'one': 0.1}, 'joint_velocities': {'two': -0.2}}


def test_a_start_is_read_as_it_was_given():
    """Pose and twist of the root link in world axes; joints not named are at zero."""
    quaternion = np.array([0.5, -0.5, 0.1, np.sqrt(0.49)])
    sim = ffd.Simulator()
    sim.add(
        two_wheels,
        position=(1, 2, 3),
        quaternion=quaternion,
        linear_velocity=(0.1, 0.2, 0.3),
        angular_velocity=(-0.4, 0.5, 0.6),
        **MODEL_START,
    )
    pose, twist = sim.pose('base'), sim.twist('base')
    np.testing.assert_allclose(pose.position, [1, 2, 3], rtol=ROUNDING)
    np.testing.assert_allclose(pose.quaternion, quaternion, atol=ROUNDING)
    np.testing.assert_allclose(twist.linear, [0.1, 0.2, 0.3], rtol=ROUNDING)
    np.testing.assert_allclose(twist.angular, [-0.4, 0.5, 0.6], rtol=ROUNDING)
    np.testing.assert_array_equal(sim.positions, [0.1, 0.0])
    np.testing.assert_array_equal(sim.velocities, [0.0, -0.2])
    np.testing.assert_array_equal(sim.efforts, [0.0, 0.0])


def test_names_come_in_file_order_then_order_of_adding_behind_their_prefix():
    """Joints and links alike; a start's keys go without the prefix."""
    sim = ffd.Simulator()
    sim.add(two_wheels, prefix='a_', **MODEL_START)
    sim.add(two_wheels, prefix='b_', position=(5, 0, 0))
    assert sim.joint_names == ('a_one', 'a_two', 'b_one', 'b_two')
    np.testing.assert_array_equal(sim.positions, [0.1, 0.0, 0.0, 0.0])
    assert sim.pose('b_base').position[0] == 5.0
    assert sim.momentum('a_').mass == two_wheels.mass
    assert sim.momentum().mass == 2 * two_wheels.mass


def test_joints_that_a_file_fixes_are_not_listed():
    """Their links are."""
    model = random_tree(5, 3, kinds=('revolute', 'fixed'), frames=2)
    sim = ffd.Simulator()
    sim.add(model)
    assert sim.joint_names == tuple(joint.name for joint in model.joints)
    assert all(np.isfinite(sim.pose(body.name).position).all() for body in model.bodies)


def test_adding_a_robot_leaves_the_others_as_they_are():
    """To the bit, in the middle of their motion."""
    sim = ffd.Simulator()
    sim.add(two_wheels, 'a_', angular_velocity=(0.1, 0.2, 0.3), **MODEL_START)
    sim.step(3)
    before, time = (sim.pose('a_base'), sim.twist('a_base'), sim.positions), sim.time
    sim.add(two_wheels, 'b_')
    np.testing.assert_allclose(sim.pose('a_base').quaternion, before[0].quaternion, atol=ROUNDING)
    np.testing.assert_array_equal(sim.pose('a_base').position, before[0].position)
    np.testing.assert_allclose(sim.twist('a_base').linear, before[1].linear, atol=ROUNDING)
    np.testing.assert_array_equal(sim.positions[:2], before[2])
    assert sim.time == time


def test_the_clock_counts_steps():
    """Time is steps times dt, not a sum of roundings; an empty world has a clock too."""
    sim = ffd.Simulator(dt=0.1)
    assert (sim.time, sim.dt) == (0.0, 0.1)
    sim.step(3)
    assert sim.time == 3 * 0.1
    sim.step(0)
    assert sim.time == 3 * 0.1
    assert sim.joint_names == ()
    assert sim.positions.shape == sim.velocities.shape == sim.efforts.shape == (0,)


def test_no_steps_change_nothing():
    """Not even a joint that is about to stop."""
    sim = ffd.Simulator()
    sim.add(two_wheels, joint_positions={'one': 1.0}, joint_velocities={'one': 1.0})
    sim.step(0)
    assert (sim.positions[0], sim.velocities[0], sim.time) == (1.0, 1.0, 0.0)


@pytest.mark.jit
@pytest.mark.parametrize('seed', range(4))
def test_many_steps_are_as_many_single_ones_bit_for_bit(seed):
    """Dry friction, damping, wrenches and gravity included; and a second run is the same."""
    rng = np.random.default_rng(seed)
    gravity, case = rng.uniform(-1, 1, 3), random_case(rng, 8, damping=0.3, friction=0.3)
    one, many, again = (simulator_of(gravity, [case]) for _ in range(3))
    many.step(200)
    again.step(200)
    for _step in range(200):
        one.step()
    for sim in (one, again):
        np.testing.assert_array_equal(sim.positions, many.positions)
        np.testing.assert_array_equal(sim.velocities, many.velocities)
        np.testing.assert_array_equal(sim.pose('base').quaternion, many.pose('base').quaternion)
        np.testing.assert_array_equal(sim.momentum().angular, many.momentum().angular)
        assert sim.time == many.time


@pytest.mark.jit
def test_readings_change_nothing():
    """Not one bit of the motion to come."""
    rng = np.random.default_rng(8)
    case = random_case(rng, 6, friction=0.5)
    read, left = (simulator_of(np.zeros(3), [case]) for _ in range(2))
    for _step in range(20):
        read.step()
        left.step()
        read.joint_accelerations()
        read.joint_accelerations('mass_matrix')
        read.inverse_dynamics(read.velocities)
        read.mass_matrix()
        read.jacobian('link1')
        read.generalized_jacobian('link1')
        read.operational_inertia('link1')
        read.acceleration('link2')
        read.momentum()
    np.testing.assert_array_equal(read.velocities, left.velocities)


@pytest.mark.parametrize(
    ('start', 'sentence'),
    [
        ({'position': (0, 0)}, r'position must be 3 numbers, got shape \(2,\)'),
        ({'position': (0, 0, np.nan)}, 'position must be finite'),
        ({'quaternion': (0, 0, 0, 2)}, 'quaternion must be of unit length'),
        ({'quaternion': (0, 0, 0, 0)}, 'quaternion must be of unit length'),
        ({'linear_velocity': 'fast'}, 'linear_velocity must be 3 numbers'),
        ({'angular_velocity': (0, 0, np.inf)}, 'angular_velocity must be finite'),
        ({'joint_positions': {'oen': 0.0}}, "No joint is named 'oen'. Did you mean 'one'"),
        ({'joint_positions': {'one': np.nan}}, 'finite'),
        ({'joint_positions': {'one': 1.5}}, "'one' cannot start at 1.5: its limits are -1 to 1"),
        ({'joint_velocities': {'one': 'x'}}, 'must be 1 numbers'),
        ({'fixed': True, 'linear_velocity': (1, 0, 0)}, 'fixed robot does not move'),
    ],
)
def test_a_start_that_cannot_be_is_refused_and_nothing_added(start, sentence):
    """As a StateError that says which number."""
    sim = ffd.Simulator()
    with pytest.raises(ffd.StateError, match=sentence):
        sim.add(two_wheels, **start)
    assert sim.joint_names == ()
    sim.add(two_wheels)


def test_a_name_that_is_taken_is_refused():
    """With what to do about it."""
    sim = ffd.Simulator()
    sim.add(two_wheels)
    with pytest.raises(ffd.ModelError, match='another prefix'):
        sim.add(two_wheels)
    assert len(sim.joint_names) == 2


def test_a_free_base_without_mass_is_refused():
    """Nothing would resist; fixed, it may be."""
    bodies = [ffd.Body('base'), two_wheels.body('one_link')]
    model = ffd.Model('m', bodies, [ffd.Joint('one', 'revolute', 'base', 'one_link')])
    with pytest.raises(ffd.ModelError, match='fixed=True'):
        ffd.Simulator().add(model)
    sim = ffd.Simulator()
    sim.add(model, fixed=True)
    assert sim.mass_matrix().shape == (1, 1)


@pytest.mark.parametrize('dt', [0.0, -1.0, np.nan, np.inf, 'quick', None])
def test_a_dt_that_is_no_time_is_refused(dt):
    """As a CommandError."""
    with pytest.raises(ffd.CommandError, match='dt must be'):
        ffd.Simulator(dt=dt)


def test_unknown_ways_to_compute_are_refused_with_the_known():
    """Integrators and algorithms."""
    with pytest.raises(ffd.CommandError, match='dop853, link_by_link, rk4'):
        ffd.Simulator(integrator='euler')
    with pytest.raises(ffd.CommandError, match='articulated_body'):
        ffd.Simulator(algorithm='magic')
    with pytest.raises(ffd.CommandError, match='articulated_body'):
        ffd.Simulator().joint_accelerations('magic')


@pytest.mark.jit  # uncompiled, the cosine of infinity raises
@pytest.mark.parametrize('integrator', ['rk4', 'dop853'])
def test_a_motion_that_blows_up_says_so_and_stops_at_its_last_finite_state(integrator):
    """Damping far too stiff for the step, or a drive that no number holds."""
    model = wheel_robot(damping=1e5 if integrator == 'rk4' else 0.0)
    sim = ffd.Simulator(dt=0.1, integrator=integrator)
    sim.add(model, joint_velocities={'wheel': 1.0})
    sim.set_efforts({'wheel': 1.0 if integrator == 'rk4' else 1e308})
    with pytest.raises(ffd.StateError, match='stopped being finite at t = '):
        sim.step(1000)
    assert np.isfinite(sim.positions).all()
    assert np.isfinite(sim.velocities).all()
    assert np.isfinite(sim.pose('base').quaternion).all()
    assert sim.time < 100.0


@pytest.mark.jit
def test_kernels_are_compiled_once_for_every_topology():
    """Chains, trees, forests, fixed robots, of 2 to 20 bodies: one signature each."""
    from free_flyer_dynamics.kernels import aba, crba, events, jacobian, rnea, structure

    for grow, joints in (
        (random_chain, 1),
        (random_tree, 2),
        (branching_tree, 7),
        (random_tree, 19),
    ):
        model = grow(joints)
        for robots in (1, 3):
            sim = ffd.Simulator()
            for k in range(robots):
                start = random_start(np.random.default_rng(k), model, fixed=k == 2)
                start.add_to(sim, model, f'r{k}_')
            sim.set_wrench('r0_base', force=(1, 0, 0))
            sim.step(2)
            sim.joint_accelerations('mass_matrix')
            sim.inverse_dynamics(np.zeros(len(sim.joint_names)))
            sim.jacobian('r0_base')
            if robots == 3:
                sim.attach('r0_base', 'r1_base', joint='revolute')
                sim.attach('r0_base', 'r1_base', joint='spherical')  # closes a loop
            sim.operational_inertia('r0_base')
    for kernel in (
        events.step,
        events.settle,
        aba.articulate,
        rnea.inverse_dynamics,
        crba.mass_matrix,
        jacobian.point_jacobian,
        jacobian.unit_responses,
        structure.compile_structure,
    ):
        assert len(kernel.signatures) == 1, kernel
