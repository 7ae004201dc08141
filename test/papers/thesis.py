# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
H, c_n and R^o of [Dimitrov] 2.4.1, written out in Cartesian velocities: slow, obvious, apart.

Built from the model alone, without anything of the library's own mathematics. Y_i holds the
velocity of a body's centre of mass and its angular velocity in inertial axes, linear part first;
z the base's and the joints'.
"""

from dataclasses import dataclass

import numpy as np


def cross_matrix(a):
    """Return the matrix of a x."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rotation_about(axis, angle):
    """Return the matrix that turns by an angle about a unit axis: Rodrigues."""
    K = cross_matrix(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def rotation_of(quaternion):
    """Return the matrix of a unit quaternion (x, y, z, w)."""
    *axis, w = quaternion
    K = cross_matrix(axis)
    return np.eye(3) + 2 * w * K + 2 * K @ K


@dataclass
class Placed:
    """A body where it is: axes, origin and centre of mass, and its joint's axis and place."""

    index: int  # of the joint, from 0; -1: the base
    lower: str  # the lower connection, link k
    R: np.ndarray
    origin: np.ndarray
    r: np.ndarray
    u: np.ndarray
    s: np.ndarray
    slides: bool


class Thesis:
    """The equations of motion of a free flyer without fixed joints, at a start."""

    def __init__(self, model, start):
        self.model, self.start = model, start
        self.n = len(model.joints)
        assert not model.fixed_joints
        self.rates = np.array([start.joint_velocities[joint.name] for joint in model.joints])
        self.bodies = self._place()
        self.Ro = self._augmented_jacobian()
        base = self.bodies[model.root]
        v_base = start.linear_velocity + np.cross(start.angular_velocity, base.r - base.origin)
        self.z_dot = np.concatenate((v_base, start.angular_velocity, self.rates))
        self.Y_dot = self.Ro @ self.z_dot
        self.M = np.zeros((6 * len(self.bodies), 6 * len(self.bodies)))
        for k, body in enumerate(model.bodies):
            R = self.bodies[body.name].R
            self.M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
            self.M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = R @ body.inertia @ R.T

    def _place(self):
        """Return every body's Placed by name, in the order of the walk, lower ones first."""
        bodies = {body.name: body for body in self.model.bodies}
        R = rotation_of(self.start.quaternion)
        root, none = self.model.root, np.zeros(3)
        r = self.start.position + R @ bodies[root].center
        out = {root: Placed(-1, '', R, self.start.position, r, none, none, False)}
        waiting = list(enumerate(self.model.joints))
        while waiting:
            i, joint = waiting.pop(0)
            if joint.parent not in out:
                waiting.append((i, joint))
                continue
            k, q = out[joint.parent], self.start.joint_positions[joint.name]
            slides = joint.kind == 'prismatic'
            u = k.R @ joint.rotation @ joint.axis
            turn = np.eye(3) if slides else rotation_about(joint.axis, q)
            R = k.R @ joint.rotation @ turn
            origin = k.origin + k.R @ joint.position + (u * q if slides else 0.0)
            s = R @ bodies[joint.child].center
            out[joint.child] = Placed(i, joint.parent, R, origin, origin + s, u, s, slides)
        return out

    def _rows(self, name):
        k = [body.name for body in self.model.bodies].index(name)
        return slice(6 * k, 6 * k + 6)

    def _augmented_jacobian(self):
        """Return R^o, body by body without recursion: (2.30), (2.32), (2.33)."""
        Ro = np.zeros((6 * len(self.bodies), 6 + self.n))
        for name, i in self.bodies.items():
            rows = self._rows(name)
            Ro[rows, :6] = self._shift(self.bodies[self.model.root], i)
            j = i
            while j.index >= 0:  # the path connectivity matrix has a one
                b = np.r_[j.u, np.zeros(3)] if j.slides else np.r_[np.cross(j.u, j.s), j.u]
                Ro[rows, 6 + j.index] = self._shift(j, i) @ b
                j = self.bodies[j.lower]
        return Ro

    @staticmethod
    def _shift(k, i):
        """Return B from k to i: (2.27)."""
        B = np.eye(6)
        B[:3, 3:] = -cross_matrix(i.r - k.r)
        return B

    def _products(self):
        """Return the Cartesian accelerations when z does not accelerate: (2.34)."""
        out = np.zeros(6 * len(self.bodies))
        for name, i in self.bodies.items():
            if i.index < 0:
                continue
            rows, below = self._rows(name), self._rows(i.lower)
            v_i, w_i = np.split(self.Y_dot[rows], 2)
            v_k, w_k = np.split(self.Y_dot[below], 2)
            rate = self.rates[i.index]
            u_dot = np.cross(w_k, i.u)
            if i.slides:  # unlike [Dimitrov], who has joints that turn alone
                b_dot = np.r_[u_dot, np.zeros(3)]
            else:
                b_dot = np.r_[np.cross(u_dot, i.s) + np.cross(i.u, np.cross(w_i, i.s)), u_dot]
            out[rows] = self._shift(self.bodies[i.lower], i) @ out[below] + b_dot * rate
            out[rows][:3] += np.cross(w_k, v_i - v_k)
        return out

    @property
    def H(self):
        """Return R^oT M R^o."""
        return self.Ro.T @ self.M @ self.Ro

    @property
    def c_n(self):
        """Return R^oT (M dR^o z - Q_n). Corrected: (2.22), (2.23) print Q_ex for Q_n."""
        Q_n = np.zeros(6 * len(self.bodies))
        for name in self.bodies:
            at = self._rows(name)
            turning = slice(at.start + 3, at.stop)
            w = self.Y_dot[turning]
            Q_n[turning] = -np.cross(w, self.M[turning, turning] @ w)
        return self.Ro.T @ (self.M @ self._products() - Q_n)

    def accelerations(self, efforts, pushes, gravity):
        """Return z's acceleration: (2.24)."""
        Q_ex = np.zeros(6 * len(self.bodies))
        for body in self.model.bodies:
            Q_ex[self._rows(body.name)][:3] += body.mass * np.asarray(gravity)
        for push in pushes:
            body = self.bodies[push.link]
            turn = body.R if push.frame == 'link' else np.eye(3)
            force, torque = turn @ push.force, turn @ push.torque
            arm = body.origin + body.R @ push.point - body.r
            Q_ex[self._rows(push.link)] += np.r_[force, torque + np.cross(arm, force)]
        tau = [efforts[joint.name] - joint.damping * rate
               for joint, rate in zip(self.model.joints, self.rates, strict=True)]  # fmt: skip
        applied = np.concatenate((np.zeros(6), tau))
        return np.linalg.solve(self.H, applied + self.Ro.T @ Q_ex - self.c_n)

    def at_origin(self):
        """Return what turns the base's twist at its origin, own axes, angular first, into z."""
        base = self.bodies[self.model.root]
        T = np.eye(6 + self.n)
        T[:3, :3] = -cross_matrix(base.r - base.origin) @ base.R
        T[:3, 3:6] = T[3:6, :3] = base.R
        T[3:6, 3:6] = 0.0
        return T
