# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What physics will do is done once before the clock starts, and leaves no trace."""

import free_flyer_dynamics as ffd
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2 (rclpy)')
pytestmark = [pytest.mark.ros, pytest.mark.jit]

from free_flyer_dynamics.engine import Engine  # noqa: E402, I100
from free_flyer_dynamics.ros.warmup import warm_up  # noqa: E402

from test.shipped_robots import load  # noqa: E402

# At a first grasp the wrench in it is read, and a base amid an arm is walked in other lanes: each
# is some 15 s of compiling while everybody looks.
FREE = {'anchor', 'attachment_wrench', 'rebase'}  # what only a robot that nothing holds can do
DONE = {'step', 'observe', 'momentum', 'lock', 'restore', *FREE}


@pytest.mark.parametrize('fixed', [False, True])
def test_nothing_is_left_to_compile_at_the_first_grasp_or_with_another_base(monkeypatch, fixed):
    """Each is called, and the world is what it was."""
    sim, called = ffd.Simulator(), []
    sim.add(load('thesis_planar_three_joint'), joint_velocities={'J1': 0.1}, fixed=fixed)
    before = sim.snapshot()
    for name in DONE:
        real = getattr(ffd.Simulator, name)

        def noted(self, *given, _name=name, _real=real, **named):
            called.append(_name)
            return _real(self, *given, **named)

        monkeypatch.setattr(ffd.Simulator, name, noted)
    warm_up(sim)
    assert set(called) == DONE - (FREE if fixed else set())
    assert sim.snapshot() == before


def test_the_first_grasp_of_another_robot_runs_what_has_run_before(monkeypatch):
    """Kernels are made for trees of so many branches; a grasp makes one tree of two."""
    struck, real = [], Engine.receive

    def noted(engine, motion, binds, edges):
        if binds:
            struck.append(engine.lanes)
        return real(engine, motion, binds, edges)

    sim = ffd.Simulator()
    sim.add(load('thesis_seven_joint'))
    sim.add(load('thesis_target'), prefix='target/', position=(3.0, 0.0, 0.0))
    monkeypatch.setattr(Engine, 'receive', noted)
    warm_up(sim)
    known = {*struck}
    sim.attach('end_effector', 'target/target')
    assert struck[-1] in known


@pytest.mark.parametrize('first', ['thesis_target', 'thesis_seven_joint'])
def test_the_first_robot_is_tried_with_the_next_whichever_has_an_arm(monkeypatch, first):
    """A hand that grasps its own base would close a loop, whose kernels take a minute."""
    sim, tried, loops, real = ffd.Simulator(), [], [], ffd.Simulator.attach

    def noted(sim, *given, **how):
        tried.append(given)
        made = real(sim, *given, **how)
        loops.extend(row.name for row in sim.connectivity().links if row.cflag >= 0)
        return made

    both = ['thesis_target', 'thesis_seven_joint']
    for name in sorted(both, key=lambda name: name != first):
        sim.add(load(name), prefix=f'{name}/', position=(3.0 * (name != first), 0.0, 0.0))
    monkeypatch.setattr(ffd.Simulator, 'attach', noted)
    warm_up(sim)
    assert tried
    assert not loops
