# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The same motion by other means: other models of the same bodies, and scipy on dense matrices."""

from dataclasses import replace

from free_flyer_dynamics.model import Model
import numpy as np
from scipy.integrate import solve_ivp

from test.oracles import pin, relative
from test.topology.bond import rotation_of

REFERENCE = {'method': 'DOP853', 'rtol': 1e-12, 'atol': 1e-12}


def inverted(model, link, prefix=''):
    """
    Return the same bodies with another link as the root, joints' signs kept.

    A link's frame moves to the joint it hangs on now; `frames` of the answer give, by link, the
    old frame in the new one.
    """
    joints = [*model.joints, *model.fixed_joints]
    frames, order, out = {link: pin.SE3.Identity()}, [link], []
    while order:
        here = order.pop(0)
        for joint in joints:
            placed = pin.SE3(joint.rotation, joint.position)
            if joint.parent == here and joint.child not in frames:
                frames[joint.child] = pin.SE3.Identity()
                where, axis, child = frames[here] * placed, joint.axis, joint.child
            elif joint.child == here and joint.parent not in frames:
                frames[joint.parent] = placed.inverse()
                where, axis, child = frames[here], -joint.axis, joint.parent
            else:
                continue
            order.append(child)
            out.append(
                replace(
                    joint,
                    name=prefix + joint.name,
                    parent=prefix + here,
                    child=prefix + child,
                    position=where.translation.copy(),
                    rotation=where.rotation.copy(),
                    axis=axis,
                )
            )
    bodies = []
    for body in model.bodies:
        X = frames[body.name]
        turned = X.rotation @ body.inertia @ X.rotation.T
        bodies.append(
            replace(
                body,
                name=prefix + body.name,
                center=X.act(body.center),
                inertia=0.5 * (turned + turned.T),
            )
        )
    return _model(model.name, bodies, out), {prefix + name: X for name, X in frames.items()}


def merged(first, second, joint):
    """Return one model of two, the second's root hung on a link of the first by a joint."""
    bodies = (*first.bodies, *second.bodies)
    joints = [*first.joints, joint, *second.joints, *first.fixed_joints, *second.fixed_joints]
    return _model('merged', bodies, joints)


def _model(name, bodies, joints):
    moving = tuple(joint for joint in joints if joint.kind != 'fixed')
    fixed = tuple(joint for joint in joints if joint.kind == 'fixed')
    return Model(name, tuple(bodies), moving, fixed_joints=fixed)


def integrate(models, states, rates, seconds):
    """
    Return states (q, v) of Pinocchio models after a time, by DOP853.

    `rates` takes the states and returns their vdot.
    """
    sizes = [len(q) + len(v) for q, v in states]

    def unpack(y):
        out, at = [], 0
        for (q, _), model, size in zip(states, models, sizes, strict=True):
            here = y[at : at + size]
            out.append((pin.normalize(model, here[: len(q)].copy()), here[len(q) :]))
            at += size
        return out

    def rate(_t, y):
        now = unpack(y)
        out = []
        for model, (q, v), vdot in zip(models, now, rates(now), strict=True):
            qdot = v.copy()
            if model.nq > model.nv:  # a free flyer first
                turn = pin.Quaternion(q[3:7])
                spin = turn * pin.Quaternion(np.array([*v[3:6], 0.0]))
                qdot = np.r_[turn.toRotationMatrix() @ v[:3], 0.5 * spin.coeffs(), v[6:]]
            out += [qdot, vdot]
        return np.concatenate(out)

    start = np.concatenate([np.r_[q, v] for q, v in states])
    return unpack(solve_ivp(rate, (0.0, seconds), start, **REFERENCE).y[:, -1])


def integrate_scene(scene, seconds):
    """Bring a scene to the end of its motion, its bonds and locks kept by their forces alone."""
    twins = list(scene.twins.values())

    def take(states):
        for twin, (q, v) in zip(twins, states, strict=True):
            twin.q, twin.v = q, v

    def rates(states):
        take(states)
        vdot, _ = scene.rates()
        out = []
        for prefix, twin in scene.twins.items():
            first = scene.first[prefix]
            ours = np.zeros(len(twin.columns))
            ours[twin.columns] = vdot[first : first + len(twin.columns)]
            out.append(ours)
        return out

    states = [(twin.q.copy(), twin.v.copy()) for twin in twins]
    take(integrate([twin.pin for twin in twins], states, rates, seconds))


def gap(sim, links):
    """Return the largest difference of poses, from those given by name as pin.SE3."""
    worst = 0.0
    for name, expected in links.items():
        pose = sim.pose(name)
        worst = max(worst, relative(pose.position, expected.translation, 1.0))
        worst = max(worst, relative(rotation_of(pose), expected.rotation, 1.0))
    return worst


def scene_gap(sim, scene):
    """Return the largest difference of poses, and of joint rates, from a scene's."""
    links = {link: pin.SE3(scene.pose(link)[1], scene.pose(link)[0]) for link in scene.home}
    rates = dict(zip(sim.joint_names, sim.velocities, strict=True))
    worst = 0.0
    for prefix, twin in scene.twins.items():
        expected = twin.ours(twin.v)[twin.base :]
        given = [rates[prefix + name] for name in twin.names]
        worst = max(worst, relative(given, expected, 1.0))
    return max(worst, gap(sim, links))
