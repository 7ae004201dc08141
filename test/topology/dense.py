# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Structure by brute force: every robot whole and uncut in Pinocchio, every joint a row of J.

A `Scene` reads where links are and how they move from the simulator, keeps its own list of what
is joined and locked, and knows nothing of forests, loops, bases or merged bodies.
"""

from dataclasses import replace

import numpy as np
from scipy.linalg import block_diag

from test.oracles import ANGULAR_FIRST, kkt_acceleration, kkt_velocity, pin, Twin
from test.topology.bond import Bond, FREE_ROWS, skew, WORLD
from test.worlds import Start


class Scene:
    """Robots, what joins them, and the dense answers of [RBDA] chapter 8."""

    def __init__(self, sim, models, gravity=(0.0, 0.0, 0.0)):
        self.sim, self.models = sim, models
        self.twins = {prefix: Twin(model, Start(), gravity) for prefix, model in models.items()}
        self.first, at = {}, 0
        for prefix, twin in self.twins.items():
            self.first[prefix] = at
            at += len(twin.columns)
        self.size = at
        self.home = {
            prefix + body.name: prefix for prefix, model in models.items() for body in model.bodies
        }
        self.bonds, self.locked = {}, set()
        self.loop_efforts = {}
        self.read()

    def read(self):
        """Take over poses, positions and velocities from the simulator."""
        positions = dict(zip(self.sim.joint_names, self.sim.positions, strict=True))
        velocities = dict(zip(self.sim.joint_names, self.sim.velocities, strict=True))
        for prefix, twin in self.twins.items():
            root = prefix + twin.robot.root
            pose, twist = self.sim.pose(root), self.sim.twist(root)
            twin.start = Start(
                pose.position,
                pose.quaternion,
                twist.linear,
                twist.angular,
                {name: positions[prefix + name] for name in twin.names},
                {name: velocities[prefix + name] for name in twin.names},
            )
            twin.q, twin.v = twin._start()
        return self

    @property
    def v(self):
        """Return the velocities: robot after robot, base then joints."""
        return np.concatenate([twin.ours(twin.v) for twin in self.twins.values()])

    def mass_matrix(self):
        """Return the inertia of everything, nothing joined."""
        return block_diag(*(twin.mass_matrix() for twin in self.twins.values()))

    def forces(self):
        """Return what acts, less Coriolis terms and weight, and with the drives of bonds."""
        out = []
        for twin in self.twins.values():
            bias = pin.nonLinearEffects(twin.pin, twin.data, twin.q, twin.v).copy()
            out.append(twin.ours(twin.forces(twin.q, twin.v) - bias))
        total = np.concatenate(out)
        for name, effort in self.loop_efforts.items():
            full = self._relative(self.bonds[name])[0]
            total += full[FREE_ROWS[self.bonds[name].kind][0]] * effort
        return total

    def jacobian(self, link):
        """Return the Jacobian of a link's origin and its rate times v, world axes."""
        J, rate = np.zeros((6, self.size)), np.zeros(6)
        if link == WORLD:
            return J, rate
        prefix = self.home[link]
        twin, name, at = self.twins[prefix], link[len(prefix) :], self.first[prefix]
        J[:, at : at + len(twin.columns)] = twin.jacobian(name)
        pin.forwardKinematics(twin.pin, twin.data, twin.q, twin.v, np.zeros(twin.pin.nv))
        pin.updateFramePlacements(twin.pin, twin.data)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        rate = pin.getFrameClassicalAcceleration(twin.pin, twin.data, twin.frame[name], world)
        return J, rate.vector[ANGULAR_FIRST]

    def pose(self, link):
        """Return position and rotation of a link."""
        if link == WORLD:
            return np.zeros(3), np.eye(3)
        prefix = self.home[link]
        return self.twins[prefix].pose(link[len(prefix) :])

    def frame(self, name):
        """Return the joint's origin and the axes its forces are given in, in world."""
        bond = self.bonds[name]
        x, R = self.pose(bond.b)
        return x + R @ bond.point, self.pose(bond.a)[1] @ bond.axes

    def _relative(self, bond):
        """Return the Jacobian of b's motion against a's, in a's joint axes, and its rate."""
        x_b, R_b = self.pose(bond.b)
        x_a, R_a = self.pose(bond.a)
        point = x_b + R_b @ bond.point
        moving = []
        for link, x in ((bond.a, x_a), (bond.b, x_b)):
            J, rate = self.jacobian(link)
            arm = point - x
            spin = J[:3] @ self.v
            J = np.vstack((J[:3], J[3:] - skew(arm) @ J[:3]))
            far = rate[3:] + np.cross(rate[:3], arm) + np.cross(spin, np.cross(spin, arm))
            moving.append((J, np.r_[rate[:3], far], spin))
        (J_a, rate_a, spin), (J_b, rate_b, _) = moving
        J, rate = J_b - J_a, rate_b - rate_a
        speed = J @ self.v
        rate = rate - np.r_[np.cross(spin, speed[:3]), 2 * np.cross(spin, speed[3:])]
        E = block_diag((R_a @ bond.axes).T, (R_a @ bond.axes).T)
        return E @ J, E @ rate

    def constraints(self):
        """Return J, its rate times v, and which rows belong to what."""
        J, rate, owners, at = [], [], {}, 0
        for name, bond in self.bonds.items():
            full, full_rate = self._relative(bond)
            J.append(full[bond.rows])
            rate.append(full_rate[bond.rows])
            owners[name] = slice(at, at + len(bond.rows))
            at += len(bond.rows)
        for name in sorted(self.locked):
            J.append(np.eye(self.size)[[self.column(name)]])
            rate.append(np.zeros(1))
            owners[name] = slice(at, at + 1)
            at += 1
        if not J:
            return np.zeros((0, self.size)), np.zeros(0), owners
        return np.vstack(J), np.concatenate(rate), owners

    def column(self, joint):
        """Return where a joint's rate is in v."""
        for prefix, twin in self.twins.items():
            if joint.startswith(prefix) and joint[len(prefix) :] in twin.names:
                return self.first[prefix] + twin.base + twin.names.index(joint[len(prefix) :])
        raise KeyError(joint)

    def on_b(self, name, multipliers):
        """Return force and torque, or impulses, on b at the joint's origin, world axes."""
        bond = self.bonds[name]
        full = np.zeros(6)
        full[bond.rows] = multipliers
        if name in self.loop_efforts and not bond.locked:
            full[FREE_ROWS[bond.kind][0]] = self.loop_efforts[name]
        axes = self.frame(name)[1]
        return axes @ full[3:], axes @ full[:3]

    def join(self, name, kind, a, b, axis=(0, 0, 1)):
        """Note an attachment of two links, or an anchor when a is the world, where they are."""
        self.bonds[name] = Bond.where_they_are(kind, a, b, axis, self.pose(a), self.pose(b))

    def residuals(self):
        """Return by how much bonds that are not locked gape, and their forbidden velocities."""
        gaps, speeds = [0.0], [0.0]
        for bond in self.bonds.values():
            gaps.append(bond.gap(self.pose(bond.a), self.pose(bond.b)))
            speeds += list(np.abs((self._relative(bond)[0] @ self.v)[bond.rows]))
        return max(gaps), max(speeds)

    def lock(self, *names):
        """Note joints that are locked, a robot's own or a bond's."""
        for name in names:
            if name in self.bonds:
                self.bonds[name] = replace(self.bonds[name], locked=True)
            else:
                self.locked.add(name)

    def unlock(self, name):
        """Note a joint that is locked no more."""
        if name in self.bonds:
            self.bonds[name] = replace(self.bonds[name], locked=False)
        else:
            self.locked.discard(name)

    def impact(self):
        """Return v+ and the impulses by name, of what is joined now and moves as it did."""
        J, _, owners = self.constraints()
        after, impulses = kkt_velocity(self.mass_matrix(), J, self.v)
        return after, {name: impulses[rows] for name, rows in owners.items()}

    def rates(self):
        """Return vdot and the constraint forces by name."""
        J, rate, owners = self.constraints()
        zero = np.zeros(self.size)
        vdot, forces = kkt_acceleration(self.mass_matrix(), zero, self.forces(), J, rate)
        return vdot, {name: forces[rows] for name, rows in owners.items()}

    def base_rates(self, vdot, prefix):
        """Return angular and classical linear acceleration of a robot's root, world axes."""
        J, rate = self.jacobian(prefix + self.models[prefix].root)
        return J @ vdot + rate
