# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Two flights of one robot, compared by all that is seen of them; and what none may lose."""

import numpy as np

# Of what is seen after some hundred steps, relative: two fourth-order steps on different
# coordinates of one body differ by their truncation.
ALIKE = 1e-9
KEPT = 1e-12  # of momentum, relative


def seen(sim):
    """Return all that is seen of the first robot, as one array."""
    links = [body.name for body in sim._structure.assembly.robots[0].model.bodies]
    poses = [sim.pose(link) for link in links]
    twists = [sim.twist(link) for link in links]
    parts = [pose.position for pose in poses] + [pose.quaternion for pose in poses]
    parts += [twist.linear for twist in twists] + [twist.angular for twist in twists]
    return np.concatenate((sim.positions, sim.velocities, *parts, sim.momentum().angular))


def assert_alike(one, two, tolerance=ALIKE):
    """Whatever is seen is the same, but for that."""
    np.testing.assert_allclose(one, two, atol=tolerance * np.abs(two).max())


def assert_momentum_is_kept(sim, steps=2000):
    """However long it flies with nothing from outside, it has and tells the same momentum."""
    before = sim.momentum()
    sim.step(steps)
    after = sim.momentum()
    size = np.abs(before.angular).max() + np.abs(before.linear).max()
    np.testing.assert_allclose(after.linear, before.linear, atol=KEPT * size)
    np.testing.assert_allclose(after.angular, before.angular, atol=KEPT * size)
    assert sim.residuals().momentum < 1e-10 * size
