# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What laws are given is what Pinocchio and the thesis's formulas say it is."""

from dataclasses import replace

import free_flyer_dynamics as ffd
from free_flyer_dynamics.control import controller, LAWS, reactionless_rates, reduce, Robot
import numpy as np
import pytest

from test.control.robots import model, random_situation, seven_joint
from test.oracles import pin, relative, Twin
from test.shipped_robots import load
from test.worlds import random_start

pytestmark = pytest.mark.jit

PRECISION = 1e-12
ROBOTS = ('thesis_seven_joint', 'thesis_planar_dual_arm', 'four_arm_37dof')


@pytest.mark.parametrize('name', ROBOTS)
def test_oracle_inertia_jacobian_and_velocity_forces_are_pinocchios(name, rng):
    """H, J and c are those of an independent program, in our order."""
    given = load(name)
    robot, start = Robot(given), random_start(rng, given)
    for name in start.joint_positions:
        start.joint_positions[name] *= 0.3  # within every limit
    twin, sim = Twin(given, start), ffd.Simulator()
    start.add_to(sim, given)
    now = robot.read(sim)
    twin.pin.gravity = pin.Motion.Zero()
    forces = pin.nonLinearEffects(twin.pin, twin.data, twin.q, twin.v)
    assert relative(now.H, twin.mass_matrix()) < PRECISION
    assert relative(now.c, twin.ours(forces)) < PRECISION
    assert relative(now.J, twin.jacobian(robot.hand)) < PRECISION
    assert relative(now.velocity, twin.ours(twin.v)) < PRECISION
    assert np.allclose(now.hand, sim.pose(robot.hand).position, atol=1e-12)


def test_oracle_the_reduced_form_is_that_of_appendix_E(rng):
    """The matrices with a tilde follow from centre of mass and Jacobians, (C.18) and (E.2)."""
    now = random_situation(rng)
    w = now.H[3, 3]
    rg = now.H[:3, 3:6] / w  # the cross product's matrix of r_bg
    JTg = now.H[3:6, 6:]
    form = now.reduced
    assert relative(form.Hb, now.H[:3, :3] - w * rg @ rg.T) < PRECISION
    assert relative(np.hstack((form.Hbm, form.Hbr)), now.H[:3, 6:] - rg @ JTg) < PRECISION
    assert relative(form.H[3:, 3:], now.H[6:, 6:] - JTg.T @ JTg / w) < PRECISION
    assert relative(form.c[:3], now.c[:3] - rg @ now.c[3:6]) < PRECISION
    assert relative(form.c[3:], now.c[6:] - JTg.T @ now.c[3:6] / w) < PRECISION
    assert np.abs(form.H[form.arm, form.wheels]).max() < 1e-12  # the zero of (E.2)


@pytest.mark.parametrize('held', [(), (2,), (0, 2), (0, 1, 2), (0, 1, 2, 5), (0, 1, 2, 3, 4, 5)])
def test_oracle_the_reduced_form_is_the_dense_schur_complement(held, rng):
    """Accelerations and hand motion come out the same as of the whole equations."""
    now = random_situation(rng)
    form = reduce(now, held)
    torques = rng.normal(size=10)
    free = [k for k in range(6) if k not in held]
    pushes = np.zeros(6)
    pushes[list(held)] = rng.normal(size=len(held))
    whole = np.linalg.solve(now.H, np.concatenate((pushes, torques)) - now.c)
    short = np.linalg.solve(form.H, np.concatenate((pushes[list(held)], torques)) - form.c)
    assert relative(short, np.concatenate((whole[list(held)], whole[6:]))) < 1e-10
    assert relative(form.J @ form.velocity + form.drift, now.J @ now.velocity) < PRECISION
    if free:  # and the hand, with the freed motions carrying no momentum
        v = rng.normal(size=16)
        v[free] -= np.linalg.solve(now.H[np.ix_(free, free)], now.H[free] @ v)
        kept = np.concatenate((v[list(held)], v[6:]))
        assert relative(form.J @ kept, now.J @ v) < 1e-10


def test_a_robot_is_read_by_name_whatever_it_is_joined_to():
    """After a capture the situation is still the robot's own, and its momentum what it carries."""
    sim, robot = ffd.Simulator(), seven_joint(prefix='chaser/')
    sim.add(model('thesis_target'), position=(9, 0, 0), angular_velocity=(0.1, 0, 0))
    sim.add(model(), prefix='chaser/', joint_positions={'J2': 0.5}, joint_velocities={'J1': 0.1})
    before = robot.read(sim)
    sim.attach('chaser/end_effector', 'grasp')
    after = robot.read(sim)
    assert np.allclose(before.H, after.H, atol=1e-9)
    carried = after.rotation @ after.momentum[3:]
    assert np.allclose(carried, sim.momentum('chaser/').linear, atol=1e-10)
    sim.rebase('target')
    assert np.allclose(robot.read(sim).c, after.c, atol=1e-9)


def test_a_robot_reads_one_simulator_after_another(rng):
    """What was looked up in one world is not used in the next."""
    robot = seven_joint()
    for others in range(3):
        sim = ffd.Simulator()
        for k in range(others):
            sim.add(model('thesis_planar_dual_arm'), f'other{k}/', joint_positions={'J1': 1.0})
        q = rng.uniform(-1, 1, 7)
        sim.add(model(), joint_positions={f'J{i + 1}': q[i] for i in range(7)})
        assert np.array_equal(robot.read(sim).positions[:7], q)


def test_laws_do_not_ask_in_which_order_joints_are_listed(rng):
    """The same robot, its file written backwards: wheels first, tips before shoulders."""
    given = model()
    backwards = replace(given, bodies=given.bodies[::-1], joints=given.joints[::-1])
    drives, turning = [], rng.uniform(-0.2, 0.2, 6)
    q, v = rng.uniform(-1, 1, (2, 10))
    for robot, way in ((seven_joint(), 1), (Robot(backwards), -1)):
        now = robot.situation(q[::way], v[::way], base_twist=turning)
        names = np.array(robot.joint_names)[robot.arm]
        for law in LAWS:
            efforts = controller(law).efforts(now, 0.0)
            drives.append(dict(zip(robot.joint_names, efforts, strict=True)))
        rates = reactionless_rates(now, v[:7][::way])
        drives.append(dict(zip(names, rates, strict=True)))
    assert robot.joint_names == seven_joint().joint_names[::-1]
    half = len(drives) // 2
    for one, other in zip(drives[:half], drives[half:], strict=True):
        largest = max(map(abs, one.values()))
        assert max(abs(one[name] - other[name]) for name in one) < 1e-9 * largest


def test_a_robot_without_a_hand_or_with_unknown_joints_is_refused():
    """The sentences say what is missing."""
    with pytest.raises(ffd.ModelError, match='names no end effector'):
        Robot(model('thesis_target'))
    with pytest.raises(ffd.ModelError, match='J99'):
        Robot(model(), arm=['J99'])
    with pytest.raises(ffd.CommandError, match='J1'):
        seven_joint().read(ffd.Simulator())
    with pytest.raises(ValueError, match='held'):
        reduce(seven_joint().geometry(np.zeros(10)), (7,))
