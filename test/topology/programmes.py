# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Random programmes of structure changes on three robots, and what each change must obey.

A programme keeps its own book of names, bonds and locks; after every change and every stretch of
motion the simulator is held against it.
"""

import free_flyer_dynamics as ffd
from free_flyer_dynamics.generate import random_tree
from free_flyer_dynamics.structure import compile_assembly
import numpy as np
import pytest

from test.topology.bond import Bond, rotation_of
from test.worlds import random_start

KINDS = ('fixed', 'revolute', 'prismatic', 'spherical')
CONTINUOUS = 1e-11  # poses before and after a change: read twice, with their rounding
CLOSED = 1e-9  # what a bond may gape [m, rad]
MOMENTUM = 1e-9  # of what there is, and of what went through a hand
STEPPED = 1e-7  # energy that a millisecond's step may win, of all there is
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


class Programme:
    """Three robots, a book of what is joined, and a generator of what to do next."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.sim = ffd.Simulator()
        self.links, self.joints = [], []
        for k in range(3):
            kinds = ('revolute', 'prismatic', 'continuous')
            model = random_tree(
                int(rng.integers(1, 6)), seed * 3 + k, kinds=kinds, frames=1, damping=0.3
            )
            prefix = f'r{k}_'
            random_start(rng, model, speed=0.5).add_to(self.sim, model, prefix)
            self.links += [prefix + body.name for body in model.bodies]
            self.joints += [prefix + joint.name for joint in model.joints]
        self.bonds, self.locked, self.count = {}, set(), 0
        self.refused = 0

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

    def turn(self):
        """Do one thing, hold the simulator against the book, and move on."""
        kind = self.pick(CHOICES)
        if kind == 'nonsense':
            self.refuse()
        elif kind == 'undone':
            self.undo()
        else:
            operation = self.operation(kind)
            if operation:
                self.change(operation)
        if self.rng.integers(3) == 0:
            efforts = {name: float(self.rng.uniform(-0.2, 0.2)) for name in self.sim.joint_names}
            self.sim.set_efforts(efforts)
        self.move(int(self.rng.integers(0, 4)))

    def change(self, operation):
        """Carry out one operation; judge the transition."""
        sim = self.sim
        where, before = self.poses(), sim.momentum()
        try:
            transition = sim.change([operation])
        except ffd.TopologyError as error:
            assert any(why in str(error) for why in ('one rigid body', 'anchored')), error
            self.refused += 1
            return
        now = sim.momentum()
        self.note(operation)
        assert np.max(np.abs(self.poses() - where)) < CONTINUOUS
        size = 1 + np.max(np.abs(before.angular)) + np.max(np.abs(before.linear))
        change = transition.momentum_change
        assert np.max(np.abs(change.linear - (now.linear - before.linear))) < MOMENTUM * size
        assert np.max(np.abs(change.angular - (now.angular - before.angular))) < MOMENTUM * size
        if not any(bond.a == 'world' for bond in self.bonds.values()):
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
        """Let time pass: momentum stays when nothing is anchored, and bonds stay closed."""
        before, efforts = self.sim.momentum(), self.sim.efforts
        self.sim.step(steps)
        now = self.sim.momentum()
        size = 1 + np.max(np.abs(before.angular)) + np.max(np.abs(before.linear))
        if not any(bond.a == 'world' for bond in self.bonds.values()):
            assert np.max(np.abs(now.linear - before.linear)) < MOMENTUM * size
            assert np.max(np.abs(now.angular - before.angular)) < MOMENTUM * size
        if not efforts.any():
            assert now.kinetic_energy < before.kinetic_energy * (1 + STEPPED) + 1e-12
        self.check()

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
        for name, bond in self.bonds.items():
            assert bond.gap(self.pose(bond.a), self.pose(bond.b)) < CLOSED, name
        table = sim.connectivity()
        assert set(table.locked) == self.locked
        assert table.attachments == tuple(self.bonds)
        fresh = compile_assembly(sim._structure.assembly, sim._coordinates)
        assert arrays_of(fresh) == arrays_of(sim._structure)
