# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Which body is the base is nobody's business: no reading of motion may tell."""

import numpy as np
import pytest

from test.oracles import relative
from test.topology.bond import rotation_of
from test.topology.scenes import three_robots

pytestmark = pytest.mark.jit

# The same motion summed from another end: rounding times the condition of the robots.
EXACT = 1e-10
# A second of motion, a thousand steps; the integrator sees the base as a body among others.
SAME_MOTION = 1e-9
SEEDS = range(4)


def readings(sim, scene):
    """Return everything that does not depend on the base, by name."""
    links = list(scene.home)
    twists, accelerations = (
        [read(link) for link in links] for read in (sim.twist, sim.acceleration)
    )
    momentum = sim.momentum()
    return {
        'poses': np.array([np.c_[rotation_of(p), p.position] for p in map(sim.pose, links)]),
        'twists': np.array([np.r_[t.linear, t.angular] for t in twists]),
        'accelerations': np.array([np.r_[t.linear, t.angular] for t in accelerations]),
        'positions': sim.positions,
        'velocities': sim.velocities,
        'joint accelerations': sim.joint_accelerations(),
        'efforts': sim.efforts,
        'linear momentum': momentum.linear,
        'angular momentum': momentum.angular,
        'energy': momentum.kinetic_energy,
    }


def agree(sim, scene, expected, tolerance):
    """Demand that everything reads as it did."""
    for name, value in readings(sim, scene).items():
        size = max(1.0, float(np.max(np.abs(expected[name]))))
        assert relative(value, expected[name], size) < tolerance, name


@pytest.mark.parametrize('seed', SEEDS)
def test_every_body_as_base_reads_the_same(seed):
    """Poses, twists, classical accelerations, joints with their signs, momentum, energy."""
    sim, scene = three_robots(seed)
    sim.step(10)
    expected = readings(sim, scene)
    names = sim.joint_names
    for link in scene.home:
        transition = sim.rebase(link)
        agree(sim, scene, expected, EXACT)
        assert sim.joint_names == names
        assert transition.dof_before == transition.dof_after
        assert transition.energy_lost == 0


@pytest.mark.parametrize('seed', SEEDS)
def test_bodies_of_closed_and_merged_robots_as_bases(seed):
    """With a loop, a spherical attachment walked either way, and a locked joint."""
    sim, scene = three_robots(seed)
    sim.attach('r0_link4', 'r1_link5', 'spherical', name='ball')
    sim.attach('r2_base', 'r2_link9', 'spherical', name='loop')
    sim.lock('r1_joint2')
    sim.set_efforts({'ball_x': 0.4, 'ball_z': -0.3, 'loop_y': 0.2})
    sim.step(10)
    expected = readings(sim, scene)
    wanted = sim.joint_accelerations()
    for link in scene.home:
        sim.rebase(link)
        agree(sim, scene, expected, EXACT)
        back = relative(sim.inverse_dynamics(wanted), sim.efforts, np.max(np.abs(wanted)))
        assert back < EXACT
        # The columns go with the velocities as users see them.
        moving = [n not in ('r1_joint2',) and not n.startswith('loop') for n in sim.joint_names]
        v = sim.velocities[moving]
        for name in ('r0_link4', 'r1_link5', 'r2_link9'):
            still = sim.twist(name).angular - sim.jacobian(name)[:3, -len(v) :] @ v
            carried = base_spin(sim, name)
            assert relative(still, carried, 1.0) < EXACT


def base_spin(sim, link):
    """Return the angular velocity of the base that carries a link."""
    bases = sim.jacobian(link)[:3]
    assembly = sim._structure.assembly
    free = [k for k in range(len(sim._structure.tree.kind)) if sim._structure.tree.kind[k] == 3]
    mine = [k for k, i in enumerate(free) if np.any(bases[:, 6 * k : 6 * k + 3])]
    at = sim._structure.plan.node_link[free[mine[0]]]
    return sim.twist(assembly.link_name(at)).angular


@pytest.mark.parametrize('seed', SEEDS)
def test_base_rows_of_the_mass_matrix_are_at_the_new_base(seed):
    """The first six rows answer for the base link's origin, in its own axes."""
    sim, scene = three_robots(seed)
    for link in ('r0_link3', 'r0_frame1', 'r0_link1'):
        sim.rebase(link)
        scene.read()
        R = scene.pose(link)[1]
        # Rates: angular and linear of the new base in its axes, then the joints in their order.
        twin = scene.twins['r0_']
        J = np.zeros((6 + len(twin.names), 6 + len(twin.names)))
        own = twin.jacobian(link[3:])
        J[:3], J[3:6] = R.T @ own[:3], R.T @ own[3:]
        J[6:, 6:] = np.eye(len(twin.names))
        back = np.linalg.inv(J)
        expected = back.T @ twin.mass_matrix() @ back
        # The robot rebased last comes first in the matrix.
        joints = slice(18, 18 + len(twin.names))
        rows = np.r_[0:6, joints]
        assert relative(sim.mass_matrix()[np.ix_(rows, rows)], expected) < EXACT


@pytest.mark.parametrize('seed', SEEDS)
def test_motion_goes_on_the_same(seed):
    """A second later, under drives, damping, weight and pushes."""
    ends = []
    for link in ('r0_base', 'r0_link4', 'r0_link2'):
        sim, scene = three_robots(seed)
        sim.rebase(link)
        sim.rebase('r2_link5' if link != 'r0_base' else 'r2_base')
        sim.step(1000)
        ends.append((sim, scene))
    expected = readings(*ends[0])
    for sim, scene in ends[1:]:
        agree(sim, scene, expected, SAME_MOTION)


def test_a_fixed_frame_as_base_is_the_body_it_is_fixed_to():
    """Its own pose is the base's; what else moves does not care."""
    sim, scene = three_robots(9)
    expected = readings(sim, scene)
    sim.rebase('r1_frame1')
    agree(sim, scene, expected, EXACT)
    assert sim.connectivity().base == 'r0_base'


def test_joint_signs_survive_inversion():
    """[Lampariello] Invert chain flips signs; ours stay the URDF's."""
    sim, _ = three_robots(5, loads=False)
    before = sim.positions, sim.velocities
    sim.rebase('r0_link4')
    sim.rebase('r1_link5')
    sim.rebase('r2_link9')
    assert np.array_equal(before[0], sim.positions)
    assert np.array_equal(before[1], sim.velocities)
