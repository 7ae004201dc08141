# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The free axis of an attachment is a joint: read, driven and locked, in the tree or in a loop."""

import free_flyer_dynamics as ffd
import numpy as np
import pytest

from test.oracles import relative
from test.topology.bond import FREE_ROWS, rotation_of
from test.topology.reference import integrate_scene, scene_gap
from test.topology.scenes import change, three_robots

pytestmark = pytest.mark.jit

EXACT = 1e-10  # rounding times the condition of the robots
READ = 1e-12  # two ways to read one angle
UNSTABILIZED = 1e-7  # a twin whose constraints only their accelerations keep
# By central differences of second order over 1 ms; the motion's third derivative is about 1e2.
DIFFERENCE = 1e-4
AXIS = (0.3, -0.5, 0.8)
PLACES = {'tree': ('r0_link2', 'r1_link5'), 'loop': ('r2_base', 'r2_link9')}


def bonded(kind, place, seed=60, **options):
    """Return both worlds with a bond in the tree or in a loop, and a little motion."""
    sim, scene = three_robots(seed, **options)
    change(sim, scene, 'attach', *PLACES[place], kind, AXIS, 'bond')
    sim.step(20)
    scene.read()
    return sim, scene


@pytest.mark.parametrize('place', PLACES)
@pytest.mark.parametrize('kind', ['revolute', 'prismatic'])
def test_position_velocity_and_acceleration_are_the_frames(kind, place):
    """Beside the relative motion of the two frames, read from the links."""
    sim, scene = bonded(kind, place)
    assert sim.joint_names[-1] == 'bond'
    bond = scene.bonds['bond']
    J, rate = scene._relative(bond)
    row = FREE_ROWS[kind][0]
    assert sim.velocities[-1] == pytest.approx(J[row] @ scene.v, abs=EXACT)
    (x_a, R_a), (x_b, R_b) = scene.pose(bond.a), scene.pose(bond.b)
    axes = R_a @ bond.axes
    turned = axes.T @ R_b @ bond.axes_b
    angle = np.arctan2(turned[1, 0], turned[0, 0])
    slid = axes[:, 2] @ (x_b + R_b @ bond.point - x_a - R_a @ bond.origin)
    expected = angle if kind == 'revolute' else slid
    assert sim.positions[-1] == pytest.approx(expected, abs=READ)
    vdot, _ = scene.rates()
    size = max(1.0, np.max(np.abs(vdot)))
    assert relative(sim.joint_accelerations()[-1:], [J[row] @ vdot + rate[row]], size) < EXACT


@pytest.mark.parametrize('place', PLACES)
def test_a_balls_three_parts_are_a_rotation_vector_and_its_spin(place):
    """Positions turn frame a to frame b; velocities are of b against a, in b's axes."""
    sim, scene = bonded('spherical', place)
    assert sim.joint_names[-3:] == ('bond_x', 'bond_y', 'bond_z')
    bond = scene.bonds['bond']
    R_a, R_b = (rotation_of(sim.pose(link)) for link in (bond.a, bond.b))
    angle = np.linalg.norm(sim.positions[-3:])
    assert angle == pytest.approx(
        np.arccos((np.trace((R_a @ bond.axes).T @ R_b @ bond.axes_b) - 1) / 2), abs=1e-9
    )
    spin = sim.twist(bond.b).angular - sim.twist(bond.a).angular
    assert np.linalg.norm(sim.velocities[-3:]) == pytest.approx(np.linalg.norm(spin), abs=EXACT)
    before, acceleration = sim.velocities[-3:], sim.joint_accelerations()[-3:]
    sim.step()
    between = (sim.velocities[-3:] - before) / sim.dt
    after = sim.joint_accelerations()[-3:]
    size = max(1.0, np.max(np.abs(acceleration)))
    assert relative(between, 0.5 * (acceleration + after), size) < DIFFERENCE


@pytest.mark.parametrize('place', PLACES)
@pytest.mark.parametrize('kind', ['revolute', 'prismatic'])
def test_a_driven_bond_pushes_as_its_effort(kind, place):
    """Accelerations, wrench and half a second of motion, by the dense twin."""
    sim, scene = bonded(kind, place, dt=5e-4)
    sim.set_efforts({'bond': 2.5})
    scene.loop_efforts = {'bond': 2.5}
    assert sim.efforts[-1] == 2.5
    vdot, forces = scene.rates()
    size = max(1.0, np.max(np.abs(vdot)))
    for prefix, twin in scene.twins.items():
        at = [sim.joint_names.index(prefix + name) for name in twin.names]
        first = scene.first[prefix] + 6
        given = sim.joint_accelerations()[at]
        assert relative(given, vdot[first : first + len(at)], size) < EXACT
    wrench = sim.attachment_wrench('bond')
    expected = np.concatenate(scene.on_b('bond', forces['bond']))
    assert relative(np.r_[wrench.force, wrench.torque], expected, 100.0) < 1e-9
    integrate_scene(scene, 0.5)
    sim.step(1000)
    assert scene_gap(sim, scene) < UNSTABILIZED


@pytest.mark.parametrize('place', PLACES)
@pytest.mark.parametrize('kind', ['revolute', 'prismatic', 'spherical'])
def test_a_locked_bond_stays_exactly_and_goes_on_after(kind, place):
    """Position kept to the bit, velocity zero; its effort waits until it is unlocked."""
    sim, scene = bonded(kind, place)
    mine = [name.startswith('bond') for name in sim.joint_names]
    effort = {name: 1.0 for name in sim.joint_names if name.startswith('bond')}
    sim.set_efforts(effort)
    kept = sim.positions[mine]
    change(sim, scene, 'lock', 'bond')
    sim.step(200)
    assert not sim.velocities[mine].any()
    assert np.array_equal(sim.positions[mine], kept)
    assert not sim.joint_accelerations()[mine].any()
    assert not sim.efforts[mine].any()
    R_a, R_b = (rotation_of(sim.pose(link)) for link in PLACES[place])
    sim.step(100)
    S_a, S_b = (rotation_of(sim.pose(link)) for link in PLACES[place])
    assert relative(S_a.T @ S_b, R_a.T @ R_b, 1.0) < 1e-10
    before = sim.velocities
    change(sim, scene, 'unlock', 'bond')
    assert relative(sim.velocities, before, 1.0) < READ
    assert (sim.efforts[mine] == 1.0).all()
    assert np.max(np.abs(sim.joint_accelerations()[mine])) > 0


@pytest.mark.parametrize('at_once', [1, 1000])
def test_a_loops_hinge_counts_its_turns(at_once):
    """Of two hinges on one line one closes a loop: both tell the same angle, turn after turn."""
    body = ffd.Model('body', (ffd.Body('body', 1.0, (0, 0, 0), np.eye(3) / 10),))
    sim = ffd.Simulator(dt=1e-3)
    sim.add(body, 'a/')
    sim.add(body, 'b/', angular_velocity=(0, 0, 4.0))
    sim.attach('a/body', 'b/body', joint='revolute', name='one')
    sim.attach('a/body', 'b/body', joint='revolute', name='two')
    for _ in range(5000 // at_once):
        sim.step(at_once)
    assert sim.positions == pytest.approx([20.0, 20.0], abs=READ)
    restored = sim.snapshot()
    sim.detach('one')
    assert sim.positions == pytest.approx([20.0], abs=READ)
    sim.restore(restored)
    sim.change([('lock', 'two'), ('unlock', 'two')])
    assert sim.positions == pytest.approx([20.0, 20.0], abs=READ)
