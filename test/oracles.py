# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Slow, obvious twins: Pinocchio's answers, and dense linear algebra on its matrices.

Nothing here calls a kernel of ours. A `Twin` is built from the fields of a `Model` alone, and is
asked in our order: angular part first, a base's six entries before its joints. The structure
changes are tested with the dense `kkt_velocity` and `kkt_acceleration` on Pinocchio's M and J.
"""

import itertools

import numpy as np
import pytest

pin = pytest.importorskip('pinocchio')

ANGULAR_FIRST = np.array([3, 4, 5, 0, 1, 2])


def relative(given, expected, scale=None):
    """Return the largest difference over the largest entry, or over a scale that is known."""
    given, expected = np.asarray(given), np.asarray(expected)
    assert given.shape == expected.shape
    if not expected.size:
        return 0.0
    size = np.max(np.abs(expected)) if scale is None else scale
    return np.max(np.abs(given - expected)) / max(size, np.finfo(float).tiny)


class Twin:
    """
    One robot in Pinocchio, at a state.

    Every reading is dense: what Pinocchio gives, or a formula of the textbook on its matrices.
    """

    def __init__(self, model, start, gravity=(0.0, 0.0, 0.0)):
        self.robot, self.start = model, start
        self.pin = pin.Model()
        self.pin.gravity = pin.Motion(np.asarray(gravity, dtype=float), np.zeros(3))
        self._build()
        self.data = self.pin.createData()
        self.base = 0 if start.fixed else 6
        self.names = tuple(joint.name for joint in model.joints)
        self.columns = np.array(
            [*ANGULAR_FIRST[: self.base], *(self._v_at(name) for name in self.names)], dtype=int
        )
        self.damping = np.zeros(self.pin.nv)
        self.friction = np.zeros(self.pin.nv)
        for joint in model.joints:
            self.damping[self._v_at(joint.name)] = joint.damping
            self.friction[self._v_at(joint.name)] = joint.friction
        self.q, self.v = self._start()
        self.tau = np.zeros(self.pin.nv)
        self.pushes = []

    def _build(self):
        """Add joints depth first, as Pinocchio wants them, then bodies and a frame each."""
        at = {}  # link: Pinocchio's joint, and the link's placement in it
        placed = pin.SE3(pin.Quaternion(self.start.quaternion), self.start.position)
        if self.start.fixed:
            at[self.robot.root] = (0, placed)
        else:
            free = self.pin.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), 'free')
            at[self.robot.root] = (free, pin.SE3.Identity())
        self._hang(self.robot.root, at)
        self.frame = {}
        for body in self.robot.bodies:
            carrier, where = at[body.name]
            inertia = pin.Inertia(body.mass, body.center, body.inertia)
            self.pin.appendBodyToJoint(carrier, inertia, where)
            frame = pin.Frame(body.name, carrier, where, pin.FrameType.OP_FRAME)
            self.frame[body.name] = self.pin.addFrame(frame)

    def _hang(self, link, at):
        """Add what hangs on a link; fixed links stay with the joint that carries them."""
        for joint in (*self.robot.joints, *self.robot.fixed_joints):
            if joint.parent != link:
                continue
            carrier, here = at[link]
            where = here * pin.SE3(joint.rotation, joint.position)
            at[joint.child] = (carrier, where)
            if joint.kind != 'fixed':
                about = pin.JointModelRevoluteUnaligned(joint.axis)
                along = pin.JointModelPrismaticUnaligned(joint.axis)
                kind = along if joint.kind == 'prismatic' else about
                moved = self.pin.addJoint(carrier, kind, where, joint.name)
                at[joint.child] = (moved, pin.SE3.Identity())
            self._hang(joint.child, at)

    def _v_at(self, name):
        return self.pin.joints[self.pin.getJointId(name)].idx_v

    def _start(self):
        q, v = pin.neutral(self.pin), np.zeros(self.pin.nv)
        if self.base:
            turn = pin.Quaternion(self.start.quaternion).toRotationMatrix()
            q[:7] = [*self.start.position, *self.start.quaternion]
            v[:3] = turn.T @ self.start.linear_velocity
            v[3:6] = turn.T @ self.start.angular_velocity
        for name in self.names:
            joint = self.pin.joints[self.pin.getJointId(name)]
            q[joint.idx_q] = self.start.joint_positions.get(name, 0.0)
            v[joint.idx_v] = self.start.joint_velocities.get(name, 0.0)
        return q, v

    def drive(self, efforts):
        """Hold joint efforts, by name."""
        for name, value in efforts.items():
            self.tau[self._v_at(name)] = value

    def forces(self, q, v):
        """Return drives, damping, sliding friction and wrenches as generalized forces."""
        tau = self.tau - self.damping * v - self.friction * np.sign(v)
        if self.pushes:
            pin.forwardKinematics(self.pin, self.data, q)
        for push in self.pushes:
            frame = self.frame[push.link]
            R = pin.updateFramePlacement(self.pin, self.data, frame).rotation
            turn = np.eye(3) if push.frame == 'world' else R
            force, torque = turn @ push.force, turn @ push.torque
            torque = torque + np.cross(R @ push.point, force)
            J = pin.computeFrameJacobian(
                self.pin, self.data, q, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
            )
            tau = tau + J.T @ np.concatenate((force, torque))
        return tau

    def rates(self, q=None, v=None):
        """Return the rates of v in Pinocchio's order."""
        q, v = (self.q, self.v) if q is None else (q, v)
        return pin.aba(self.pin, self.data, q, v, self.forces(q, v))

    def ours(self, vector):
        """Return a vector of Pinocchio's tangent space in our order."""
        return vector[self.columns]

    def mass_matrix(self):
        """Return the inertia matrix in our order."""
        M = pin.crba(self.pin, self.data, self.q)
        M = np.triu(M) + np.triu(M, 1).T
        return M[np.ix_(self.columns, self.columns)]

    def jacobian(self, link):
        """Return the Jacobian of a link's origin, angular rows first, world axes, our order."""
        J = pin.computeFrameJacobian(
            self.pin,
            self.data,
            self.q,
            self.frame[link],
            pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
        )
        return J.reshape(6, -1)[np.ix_(ANGULAR_FIRST, self.columns)]

    def pose(self, link):
        """Return position and rotation of a link."""
        pin.forwardKinematics(self.pin, self.data, self.q)
        placement = pin.updateFramePlacement(self.pin, self.data, self.frame[link])
        return placement.translation.copy(), placement.rotation.copy()

    def motion(self, link):
        """Return twist and classical acceleration of a link, angular first, world axes."""
        where = (self.pin, self.data, self.frame[link], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        vdot = self.rates()
        pin.forwardKinematics(self.pin, self.data, self.q, self.v, vdot)
        pin.updateFramePlacements(self.pin, self.data)
        twist = pin.getFrameVelocity(*where).vector
        acceleration = pin.getFrameClassicalAcceleration(*where).vector
        return twist[ANGULAR_FIRST], acceleration[ANGULAR_FIRST]

    def momentum(self):
        """
        Return mass, centre, linear, angular about the origin and the centre, and energy.

        Pinocchio leaves out what is fixed to the world: mass and centre are summed here.
        """
        h = pin.computeCentroidalMomentum(self.pin, self.data, self.q, self.v)
        about_origin = h.angular + np.cross(self.data.com[0], h.linear)
        energy = pin.computeKineticEnergy(self.pin, self.data, self.q, self.v)
        mass, first = 0.0, np.zeros(3)
        for body in self.robot.bodies:
            position, rotation = self.pose(body.name)
            mass += body.mass
            first += body.mass * (position + rotation @ body.center)
        about_center = about_origin - np.cross(first / mass, h.linear)
        return mass, first / mass, h.linear.copy(), about_origin, about_center, energy

    def inverse_dynamics(self, joint_rates):
        """Return the drives that give the joints these rates, the base free; by the dense M."""
        b = self.base
        M = self.mass_matrix()
        bias = pin.nonLinearEffects(self.pin, self.data, self.q, self.v).copy()
        passive = self.forces(self.q, self.v) - self.tau
        c = self.ours(bias - passive)
        base_rates = np.linalg.solve(M[:b, :b], -c[:b] - M[:b, b:] @ joint_rates)
        return M[b:, :b] @ base_rates + M[b:, b:] @ joint_rates + c[b:]

    def generalized_jacobian(self, link):
        """Return J_m - J_b H_b^-1 H_bm of [Umetani & Yoshida 1989]."""
        b = self.base
        J, M = self.jacobian(link), self.mass_matrix()
        return J[:, b:] - J[:, :b] @ np.linalg.solve(M[:b, :b], M[:b, b:])

    def operational_inertia(self, link):
        """Return (J M^-1 J.T)^-1 of [Khatib 1987]."""
        J = self.jacobian(link)
        return np.linalg.inv(J @ np.linalg.solve(self.mass_matrix(), J.T))


def kkt_velocity(M, J, v):
    """
    Return v+ = argmin |v+ - v|_M with J v+ = 0, and the impulses of the constraints.

    A plastic impact; M (v+ - v) = J.T impulse. Constraints may be redundant.
    """
    solution = _kkt(M, J, np.zeros(len(v)), -(J @ v))
    return v + solution[: len(v)], solution[len(v) :]


def kkt_acceleration(M, h, tau, J, Jdot_v):
    """Return vdot with M vdot + h = tau + J.T force and J vdot + Jdot_v = 0, and the forces."""
    solution = _kkt(M, J, tau - h, -Jdot_v)
    return solution[: len(h)], solution[len(h) :]


def _kkt(M, J, force, rate):
    K = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    return np.linalg.lstsq(K, np.concatenate((force, rate)), rcond=1e-12)[0]


def kkt_impact(M, stops, signs, v):
    """
    Return the v+ nearest to v in M whose joints do not run into their stops.

    Tries every set of stops that may hold and takes the one that only pushes: v+ unique, M > 0.
    `stops` are entries of v; a sign of 1 is an upper stop.
    """
    rows = np.eye(len(v))[stops] * np.asarray(signs)[:, None]
    for size in range(len(stops) + 1):
        for held in itertools.combinations(range(len(stops)), size):
            after, impulse = kkt_velocity(M, rows[list(held)], v) if held else (v, np.zeros(0))
            if (rows @ after <= 1e-11).all() and (impulse <= 1e-11).all():
                return after
    raise AssertionError('A strictly convex problem has a solution.')
