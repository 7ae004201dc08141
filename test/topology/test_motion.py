# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Motion over seconds after a change, beside models that were built that way to begin with."""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_chain, random_tree, to_urdf
from free_flyer_dynamics.model import Body, Joint
import numpy as np
import pytest

from test.oracles import pin, Twin
from test.topology.bond import rotation_of
from test.topology.dense import Scene
from test.topology.reference import gap, integrate, integrate_scene, inverted, merged, scene_gap
from test.topology.scenes import three_robots
from test.topology.test_operations import BINDING, do
from test.worlds import random_start, Start

pytestmark = pytest.mark.jit

SECONDS = 2.0
# Two integrators at 1e-12 a step, some hundred steps, on a motion that spreads errors tenfold.
TRAJECTORY = 1e-8
# The same, and constraints that only their accelerations keep: errors grow with time squared.
UNSTABILIZED = 1e-7
INTEGRATORS = [('rk4', 5e-4), ('dop853', 1.0)]
HINGED = ('revolute', 'prismatic')
GRAVITY = np.array([0.3, -0.2, 0.5])


def one_robot(seed, joints=6, **options):
    """Return a simulator with a driven robot under way, and what it was made of."""
    rng = np.random.default_rng(seed)
    model = random_tree(joints, seed, kinds=HINGED, frames=1, damping=1.0)
    start = random_start(rng, model)
    sim = ffd.Simulator(gravity=GRAVITY, **options)
    start.add_to(sim, model)
    efforts = {joint.name: float(rng.uniform(-3, 3)) for joint in model.joints}
    sim.set_efforts(efforts)
    return sim, model, efforts


def frames_of(model, data, q, names):
    """Return the poses of frames of a Pinocchio model."""
    pin.framesForwardKinematics(model, data, q)
    return {name: data.oMf[model.getFrameId(name)].copy() for name in names}


@pytest.mark.parametrize(('integrator', 'dt'), INTEGRATORS)
@pytest.mark.parametrize('seed', range(3))
def test_locked_joints_move_as_pinocchios_reduced_model(seed, integrator, dt):
    """`buildReducedModel` with the same joints locked where they are."""
    sim, model, efforts = one_robot(seed, integrator=integrator, dt=dt)
    locked = ('joint2', 'joint3', 'joint5')
    sim.lock(*locked)
    twin = Scene(sim, {'': model}).twins['']
    whole = pin.buildModelFromXML(to_urdf(model), pin.JointModelFreeFlyer())
    q = pin.neutral(whole)
    for name, value in zip(sim.joint_names, sim.positions, strict=True):
        q[whole.joints[whole.getJointId(name)].idx_q] = value
    reduced = pin.buildReducedModel(whole, [whole.getJointId(name) for name in locked], q)
    reduced.gravity = pin.Motion(GRAVITY, np.zeros(3))
    data = reduced.createData()
    q0, v0 = pin.neutral(reduced), np.zeros(reduced.nv)
    q0[:7], v0[:6] = twin.q[:7], twin.v[:6]
    tau, damping = np.zeros(reduced.nv), np.zeros(reduced.nv)
    for name, position, velocity in zip(
        sim.joint_names, sim.positions, sim.velocities, strict=True
    ):
        if name not in locked:
            joint = reduced.joints[reduced.getJointId(name)]
            q0[joint.idx_q], v0[joint.idx_v] = position, velocity
            tau[joint.idx_v], damping[joint.idx_v] = efforts[name], model.joint(name).damping
    at = [sim.joint_names.index(name) for name in locked]
    kept = sim.positions[at]

    def rates(states):
        (q, v) = states[0]
        return [pin.aba(reduced, data, q, v, tau - damping * v)]

    ((q1, _),) = integrate([reduced], [(q0, v0)], rates, SECONDS)
    sim.step(round(SECONDS / dt))
    assert gap(sim, frames_of(reduced, data, q1, [b.name for b in model.bodies])) < TRAJECTORY
    assert not sim.velocities[at].any()
    assert np.array_equal(sim.positions[at], kept)


@pytest.mark.parametrize('kind', ['fixed', 'revolute', 'prismatic'])
@pytest.mark.parametrize('seed', range(2))
def test_anchored_robots_move_as_a_fixed_base_model_of_the_inverted_chain(seed, kind):
    """[Lampariello] Invert chain, extract fixed base: here by building that robot anew."""
    sim, model, efforts = one_robot(10 + seed, dt=5e-4)
    axis = np.array([0.3, -0.5, 0.8])
    sim.anchor('link4', kind, axis, 'hold')
    turned, frames = inverted(model, 'link4')
    if kind != 'fixed':
        unit = axis / np.linalg.norm(axis)
        pivot = Joint('hold', kind, 'pivot', 'link4', axis=unit)
        turned = type(turned)(
            'held', (*turned.bodies, Body('pivot')), (pivot, *turned.joints), turned.fixed_joints
        )
    pose = sim.pose('link4')
    joints = dict(zip(sim.joint_names, sim.positions, strict=True))
    rates = dict(zip(sim.joint_names, sim.velocities, strict=True))
    start = Start(
        pose.position, pose.quaternion, joint_positions=joints, joint_velocities=rates, fixed=True
    )
    twin = Twin(turned, start, GRAVITY)
    twin.drive(efforts)
    ((q, v),) = integrate(
        [twin.pin], [(twin.q, twin.v)], lambda states: [twin.rates(*states[0])], SECONDS
    )
    sim.step(round(SECONDS / sim.dt))
    twin.q, twin.v = q, v
    expected = {}
    for body in model.bodies:
        position, rotation = twin.pose(body.name)
        expected[body.name] = pin.SE3(rotation, position) * frames[body.name]
    assert gap(sim, expected) < TRAJECTORY
    at = [twin._v_at(name) for name in sim.joint_names]
    assert np.max(np.abs(sim.velocities - v[at])) < TRAJECTORY


@pytest.mark.parametrize('kind', ['fixed', 'revolute', 'prismatic'])
@pytest.mark.parametrize('seed', range(2))
def test_merged_robots_move_as_one_file_of_the_merged_robot(seed, kind):
    """One URDF of both, loaded by us and by Pinocchio."""
    rng = np.random.default_rng(seed)
    sim = ffd.Simulator(gravity=GRAVITY, dt=5e-4)
    first = random_tree(4, seed, kinds=HINGED)
    second = random_chain(4, seed + 100, kinds=HINGED)
    random_start(rng, first).add_to(sim, first)
    random_start(rng, second).add_to(sim, second, 'b_')
    efforts = {name: float(rng.uniform(-3, 3)) for name in sim.joint_names}
    axis = np.array([0.6, 0.0, 0.8])
    sim.attach('link3', 'b_link2', kind, axis, 'bond')
    sim.set_efforts(efforts)
    hung, frames = inverted(second, 'link2', 'b_')
    a, b = sim.pose('link3'), sim.pose('b_link2')
    across = pin.SE3(rotation_of(a), a.position).inverse() * pin.SE3(rotation_of(b), b.position)
    # A URDF joint sits at its child's origin: a pivot without mass takes the bond's place.
    bond = Joint('bond', kind, 'link3', 'pivot', axis=axis)
    mount = Joint('mount', 'fixed', 'pivot', 'b_link2', across.translation, across.rotation)
    hung = type(hung)('b', (Body('pivot'), *hung.bodies), hung.joints, (mount, *hung.fixed_joints))
    text = to_urdf(merged(first, hung, bond))
    whole = ffd.Simulator(gravity=GRAVITY, dt=5e-4)
    joints = dict(zip(sim.joint_names, sim.positions, strict=True))
    rates = dict(zip(sim.joint_names, sim.velocities, strict=True))
    base, twist = sim.pose('base'), sim.twist('base')
    place = (base.position, base.quaternion, twist.linear, twist.angular)
    whole.add(ffd.load_urdf(text), '', *place, joints, rates)
    whole.set_efforts(efforts)
    model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    model.gravity = pin.Motion(GRAVITY, np.zeros(3))
    data = model.createData()
    q, v, tau = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    R = rotation_of(base)
    q[:7], v[:6] = np.r_[base.position, base.quaternion], np.r_[R.T @ place[2], R.T @ place[3]]
    for name in joints:
        joint = model.joints[model.getJointId(name)]
        q[joint.idx_q], v[joint.idx_v] = joints[name], rates[name]
        tau[joint.idx_v] = efforts.get(name, 0.0)
    ((q, _),) = integrate(
        [model], [(q, v)], lambda states: [pin.aba(model, data, *states[0], tau)], SECONDS
    )
    names = [body.name for body in (*first.bodies, *hung.bodies) if body.name != 'pivot']
    expected = frames_of(model, data, q, names)
    for each in (sim, whole):
        each.step(round(SECONDS / each.dt))
    assert gap(whole, expected) < TRAJECTORY
    moved = {name: X * frames.get(name, pin.SE3.Identity()) for name, X in expected.items()}
    assert gap(sim, moved) < TRAJECTORY


MOVING = (
    'close_revolute',
    'close_spherical',
    'close_inside_prismatic',
    'two_loops',
    'anchor_both_ends',
    'a_loop_through_two_robots',
    'attach_spherical',
    'three_become_one',
)


@pytest.mark.parametrize('name', MOVING)
def test_what_is_joined_moves_as_the_dense_twin(name):
    """Half a second of the whole world under load, its constraints by dense linear algebra."""
    sim, scene = three_robots(40, dt=5e-4)
    for operation in BINDING[name]:
        do(sim, scene, operation)
    integrate_scene(scene.read(), 0.5)
    sim.step(1000)
    assert scene_gap(sim, scene) < UNSTABILIZED
