# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Random programmes of structure changes on three robots, and what each change must obey.

A programme keeps its own book of names, bonds and locks; after every change and every stretch of
motion the simulator is held against it. Hypothesis writes the programmes and shortens those that
fail.
"""

from dataclasses import replace

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.joint_table import JointTable
from free_flyer_dynamics.structure import compile_assembly
from hypothesis.stateful import initialize, rule, RuleBasedStateMachine
from hypothesis.strategies import booleans, integers, sampled_from
import numpy as np
import pytest

from test.topology.bond import Bond, rotation_of
from test.worlds import random_start

KINDS = ('fixed', 'revolute', 'prismatic', 'spherical')
CONTINUOUS = 1e-11  # poses before and after a change: read twice, with their rounding
CLOSED = 1e-9  # what a bond may gape [m, rad]
MOMENTUM = 1e-9  # of what there is, and of what went through a hand
STEPPED = 1e-7  # energy that a millisecond's step may win, of all there is
PAST = 1e-9  # how far a joint may stand past its stop [rad or m]
ROUNDING = 1e-12  # of the energy a kilogram has in that gravity [J/kg]
GRAVITY = (0.3, -0.2, -1.6)  # of a small moon [m/s^2]
CHOICES = (
    'lock',
    'unlock',
    'attach',
    'attach',
    'anchor',
    'detach',
    'rebase',
    'nonsense',
    'undone',
)


def arrays_of(structure):
    """Return all arrays of a compiled structure, for comparison bit by bit."""
    plan = structure.plan
    parts = [*plan[:-1], *plan.tree[:-1], *plan.tree.loops]
    return [(part.shape, part.tobytes()) for part in parts]


def table_of(joints):
    """Return a table of joints, for comparison."""
    return joints.names, joints.edge.tolist(), joints.part.tolist(), dict(joints.index)


class Programme(RuleBasedStateMachine):
    """Three robots, a book of what is joined, and what may be done next."""

    @initialize(
        seed=integers(0, 2**20), gravity=booleans(), limits=booleans(), friction=booleans()
    )
    def start(self, seed, gravity, limits, friction):
        """Put three robots into the world."""
        self.rng = rng = np.random.default_rng(seed)
        self.gravity = np.array(GRAVITY if gravity else (0.0, 0.0, 0.0))
        self.sim = ffd.Simulator(gravity=tuple(self.gravity))
        self.links, self.joints, self.ranges = [], [], {}
        for k in range(3):
            model = random_tree(
                int(rng.integers(1, 6)),
                seed * 3 + k,
                kinds=('revolute', 'prismatic', 'continuous'),
                frames=1,
                limits=limits,
                damping=0.3,
                friction=0.1 if friction else 0.0,
            )
            prefix = f'r{k}_'
            start = random_start(rng, model, speed=0.5)
            within = {name: at / 4 for name, at in start.joint_positions.items()}
            replace(start, joint_positions=within).add_to(self.sim, model, prefix)
            self.links += [prefix + body.name for body in model.bodies]
            self.joints += [prefix + joint.name for joint in model.joints]
            self.ranges |= {prefix + j.name: (j.lower, j.upper) for j in model.joints}
        self.bonds, self.locked, self.count = {}, set(), 0

    def pick(self, things):
        """Return one of them."""
        things = list(things)
        return things[int(self.rng.integers(len(things)))]

    def operation(self, kind):
        """Return a random operation of a kind, or None when there is nothing to do it with."""
        if kind == 'lock':
            free = [n for n in self.lockable() if n not in self.locked]
            return ('lock', self.pick(free)) if free else None
        if kind == 'unlock':
            return ('unlock', self.pick(sorted(self.locked))) if self.locked else None
        if kind == 'rebase':
            return ('rebase', self.pick(self.links))
        if kind == 'detach':
            return ('detach', self.pick(self.bonds)) if self.bonds else None
        if len(self.bonds) > 3:
            return None
        self.count += 1
        options = {
            'joint': self.pick(KINDS),
            'axis': tuple(self.rng.normal(size=3)),
            'name': f'bond{self.count}',
        }
        if kind == 'anchor':
            return ('anchor', self.pick(self.links), options)
        return ('attach', self.pick(self.links), self.pick(self.links), options)

    def lockable(self):
        """Return all joints and the bonds that move."""
        return [*self.joints, *(n for n, bond in self.bonds.items() if bond.kind != 'fixed')]

    def names(self):
        """Return the joint names that there must be."""
        out = list(self.joints)
        for name, bond in self.bonds.items():
            if bond.kind == 'spherical':
                out += [f'{name}_{part}' for part in 'xyz']
            elif bond.kind != 'fixed':
                out.append(name)
        return tuple(out)

    def pose(self, link):
        """Return position and rotation of a link."""
        if link == 'world':
            return np.zeros(3), np.eye(3)
        pose = self.sim.pose(link)
        return pose.position, rotation_of(pose)

    def poses(self):
        """Return where all links are."""
        return np.array([np.c_[R, x] for x, R in map(self.pose, self.links)])

    def note(self, operation):
        """Enter an operation that was done into the book."""
        kind, name = operation[:2]
        if kind == 'lock':
            self.locked.add(name)
        elif kind == 'unlock':
            self.locked.discard(name)
        elif kind == 'detach':
            del self.bonds[name]
            self.locked.discard(name)
        elif kind in ('attach', 'anchor'):
            a, b = ('world', name) if kind == 'anchor' else operation[1:3]
            given = operation[-1]
            self.bonds[given['name']] = Bond.where_they_are(
                given['joint'], a, b, given['axis'], self.pose(a), self.pose(b)
            )

    @rule(kind=sampled_from(CHOICES), seed=integers(0, 2**16), steps=integers(0, 3))
    def turn(self, kind, seed, steps):
        """Do one thing, hold the simulator against the book, and move on."""
        self.rng = np.random.default_rng(seed)
        if kind == 'nonsense':
            self.refuse()
        elif kind == 'undone':
            self.undo()
        else:
            operation = self.operation(kind)
            if operation:
                self.change(operation)
        if self.rng.integers(3) == 0:
            self.drive()
        self.move(steps)

    def drive(self):
        """Push or leave all joints but balls, whose work is no effort times a path."""
        balls = {name for name, bond in self.bonds.items() if bond.kind == 'spherical'}
        size = self.pick((0.0, 0.2))
        for name in self.sim.joint_names:
            push = 0.0 if name[:-2] in balls else float(self.rng.uniform(-size, size))
            self.sim.set_efforts({name: push})

    def change(self, operation):
        """Carry out one operation; judge the transition."""
        sim = self.sim
        where, before = self.poses(), sim.momentum()
        try:
            transition = sim.change([operation])
        except ffd.TopologyError as error:
            assert any(why in str(error) for why in ('one rigid body', 'anchored')), error
            return
        now = sim.momentum()
        self.note(operation)
        assert np.max(np.abs(self.poses() - where)) < CONTINUOUS
        size = 1 + np.max(np.abs(before.angular)) + np.max(np.abs(before.linear))
        change = transition.momentum_change
        assert np.max(np.abs(change.linear - (now.linear - before.linear))) < MOMENTUM * size
        assert np.max(np.abs(change.angular - (now.angular - before.angular))) < MOMENTUM * size
        if not self.anchored():
            assert np.max(np.abs(change.linear)) < MOMENTUM * size
            assert np.max(np.abs(change.angular)) < MOMENTUM * size
        energy = before.kinetic_energy
        assert transition.energy_lost >= 0
        lost = energy - now.kinetic_energy
        assert transition.energy_lost == pytest.approx(lost, abs=MOMENTUM * (1 + energy))
        if operation[0] in ('unlock', 'detach', 'rebase'):
            assert transition.energy_lost == 0
        self.check()

    def refuse(self):
        """Ask for something good and something impossible: nothing may change."""
        good = self.operation(self.pick(('lock', 'unlock', 'detach', 'rebase')))
        before = self.sim.snapshot()
        with pytest.raises(ffd.TopologyError):
            self.sim.change([*([good] if good else []), ('detach', 'nothing')])
        assert self.sim.snapshot() == before

    def undo(self):
        """Attach and detach, in one change and in two: the structure is as it was."""
        operation = self.operation(self.pick(('attach', 'anchor')))
        if operation is None:
            return
        before, velocities = arrays_of(self.sim._structure), self.sim.velocities
        back = ('detach', operation[-1]['name'])
        try:
            self.sim.change([operation, back])
        except ffd.TopologyError:
            return
        assert arrays_of(self.sim._structure) == before
        assert np.max(np.abs(self.sim.velocities - velocities), initial=0.0) < CLOSED * (
            1 + np.max(np.abs(velocities), initial=0.0)
        )
        self.change(operation)
        self.change(back)
        assert arrays_of(self.sim._structure) == before

    def move(self, steps):
        """Let time pass: momentum obeys its law unless anchored, energy comes from drives."""
        before, positions, time = self.sim.momentum(), self.sim.positions, self.sim.time
        efforts = self.sim.efforts
        self.sim.step(steps)
        now = self.sim.momentum()
        size = 1 + np.max(np.abs(before.angular)) + np.max(np.abs(before.linear))
        if not self.anchored():
            t = self.sim.time - time
            arm = before.mass * before.center * t + before.linear * t**2 / 2
            linear = before.linear + before.mass * self.gravity * t
            angular = before.angular + np.cross(arm, self.gravity)
            assert np.max(np.abs(now.linear - linear)) < MOMENTUM * size
            assert np.max(np.abs(now.angular - angular)) < MOMENTUM * size
        work = efforts * (self.sim.positions - positions)
        unpaid = self.energy(now) - self.energy(before) - np.sum(work)
        size = before.kinetic_energy + np.sum(np.abs(work))
        assert unpaid < STEPPED * size + ROUNDING * before.mass
        self.check()

    def energy(self, momentum):
        """Return kinetic and potential energy."""
        return momentum.kinetic_energy - momentum.mass * self.gravity @ momentum.center

    def anchored(self):
        """Tell whether anything is."""
        return any(bond.a == 'world' for bond in self.bonds.values())

    def check(self):
        """Hold names, locks, bonds and the compiled arrays against the book."""
        sim = self.sim
        assert sim.joint_names == self.names()
        velocities, positions = sim.velocities, sim.positions
        assert np.isfinite(velocities).all()
        assert np.isfinite(positions).all()
        for name, velocity in zip(sim.joint_names, velocities, strict=True):
            if name in self.locked or name[:-2] in self.locked:
                assert velocity == 0.0
        for name, position in zip(sim.joint_names, positions, strict=True):
            lower, upper = self.ranges.get(name, (-np.inf, np.inf))
            assert lower - PAST < position < upper + PAST, name
        for name, bond in self.bonds.items():
            assert bond.gap(self.pose(bond.a), self.pose(bond.b)) < CLOSED, name
        table = sim.connectivity()
        assert set(table.locked) == self.locked
        assert table.attachments == tuple(self.bonds)
        assembly = sim._structure.assembly
        fresh = compile_assembly(assembly, sim._coordinates)
        assert arrays_of(fresh) == arrays_of(sim._structure)
        assert table_of(assembly.joints) == table_of(
            JointTable.of(assembly.edge_names, assembly.edges)
        )
        assert assembly.edge_index == {name: e for e, name in enumerate(assembly.edge_names)}
