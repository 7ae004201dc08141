# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Controllers by name, the lazy import, and the example as a user runs it."""

from pathlib import Path
import subprocess
import sys

from examples import capture
from examples.capture_scene import grasp_at
import free_flyer_dynamics as ffd
from free_flyer_dynamics import control
from free_flyer_dynamics.planning import torque_profile, TorqueProfile
import numpy as np
import pytest

from test.control.robots import model, random_situation, seven_joint, START

pytestmark = pytest.mark.jit


@pytest.mark.parametrize('law', control.LAWS)
def test_a_controller_is_made_by_name_and_gives_efforts_for_every_joint(law, rng):
    """What a node does with a parameter."""
    made = control.controller(law)
    efforts = made.efforts(random_situation(rng), 0.0)
    assert efforts.shape == (10,) and np.isfinite(efforts).all()


def test_an_unknown_law_is_refused_by_name():
    """And the known ones are listed."""
    with pytest.raises(ffd.CommandError, match='distributed_momentum'):
        control.controller('distributed_momentun')


def test_held_joints_stay_where_they_are_and_the_base_too():
    """Joint PD and wheels bring a moving robot to rest."""
    robot, sim = seven_joint(), ffd.Simulator(dt=0.01)
    names = robot.joint_names
    sim.add(model(), joint_positions=dict(zip(names, START, strict=False)))
    law = control.HoldJoints(control.HoldBase(np.full(3, 0.2)), START + 0.02)
    for _ in range(6000):
        efforts = law.efforts(robot.read(sim), sim.time)
        sim.set_efforts(dict(zip(names, efforts, strict=True)))
        sim.step()
    now = robot.read(sim)
    assert np.abs(now.positions[:7] - START - 0.02).max() < 1e-3
    assert np.abs(control.attitude_error(now.rotation)).max() < 1e-3


@pytest.mark.parametrize('law', ['reactionless', 'task_priority', 'resolved_motion'])
def test_laws_with_a_reference_follow_it_and_rest_without(law):
    """The hand or the arm moves as asked; the first two leave the base where it is."""
    robot, sim = seven_joint(), ffd.Simulator(dt=0.01)
    names = robot.joint_names
    sim.add(model(), joint_positions=dict(zip(names, START, strict=False)))
    wish = np.full(7, 0.02) if law == 'reactionless' else np.array([0, 0, 0, 0.01, 0, 0.01])
    asked = [wish]
    made = control.controller(law, reference=lambda: asked[0], gain=40.0)

    def fly(seconds):
        for _ in range(round(seconds / sim.dt)):
            efforts = made.efforts(robot.read(sim), sim.time)
            sim.set_efforts(dict(zip(names, efforts, strict=True)))
            sim.step()
        return robot.read(sim)

    now = fly(2.0)
    error = np.degrees(np.abs(control.attitude_error(now.rotation)).max())
    if law == 'reactionless':
        expected = control.reactionless_rates(now, wish)
        assert np.allclose(now.joint_rates[:7], expected, atol=2e-4)
    else:
        assert np.allclose((now.J @ now.velocity)[3:], wish[3:], atol=3e-4)
    assert error < 2e-3 if law != 'resolved_motion' else error > 1e-2
    asked[0] = None
    assert np.abs(fly(1.0).joint_rates).max() < 1e-4


def test_wheels_coast_hold_or_absorb(rng):
    """Each program by itself; nothing is absorbed while nothing is known."""
    now, limits = random_situation(rng), np.full(3, 0.2)
    assert not control.coast(now, 0.0).any()
    assert not control.Absorb(lambda: None, limits)(now, 0.0).any()
    known = control.Absorb(lambda: np.array([9.0, 9.0, 9.0]), limits, settling=3.0)(now, 0.0)
    own = now.rotation.T @ np.array([9.0, 9.0, 9.0])
    assert np.array_equal(known, control.absorbing_wheel_torques(now, own, limits, 3.0))
    strong = np.full(3, 1e9)
    held = control.HoldBase(strong, attitude=now.rotation)(now, 0.0)
    turned = control.HoldBase(strong)(now, 0.0)
    for given, error in (
        (held, np.zeros(3)),
        (turned, control.attitude_error(now.rotation)),
    ):
        expected = control.attitude_wheel_torques(now, error, 300.0, 1500.0, strong)
        assert np.allclose(given, expected, rtol=1e-12)


def test_a_base_turned_away_is_turned_back_by_the_arm(rng):
    """Reaction null space control with a gain on the attitude, which the thesis has not."""
    now, wanted = random_situation(rng), random_situation(rng).rotation
    law = control.controller('reaction_null_space', attitude_gain=4.0, attitude=wanted)
    u_b = -25.0 * now.base_rate - 4.0 * control.attitude_error(now.rotation, wanted)
    arm = control.reaction_null_space_torques(now, u_b, -10.0 * now.joint_rates[:7], np.zeros(3))
    assert np.allclose(law.efforts(now, 0.0), [*arm, 0, 0, 0], rtol=1e-12)


def test_laws_and_planners_load_when_first_asked_for():
    """The package alone brings neither along: its import stays short."""
    code = (
        'import sys, free_flyer_dynamics as ffd\n'
        'assert not any(name.startswith("free_flyer_dynamics.control") for name in sys.modules)\n'
        'assert "scipy.optimize" not in sys.modules\n'
        'assert ffd.control.Robot and ffd.planning.TorqueProfile\n'
        'assert "PyNomad" not in sys.modules\n'
        'assert {"control", "planning"} <= set(dir(ffd))\n'
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, '-c', code], check=True, cwd=root, timeout=120)
    with pytest.raises(AttributeError, match='controls'):
        _ = ffd.controls


def test_the_example_captures_and_draws(tmp_path, capsys, monkeypatch):
    """As a user runs it, shorter and with a hurried plan: test_capture has the whole one."""
    pytest.importorskip('matplotlib')

    def hurried(robot, watch=None):
        guess = TorqueProfile(np.full((3, 3), -0.1), 30.0)
        grasp = grasp_at(30.0)
        return torque_profile(
            robot, START, *grasp, guess, 0.2, step=5.0, iterations=5, watch=watch
        )

    monkeypatch.setattr(capture, 'plan', hurried)
    plot = tmp_path / 'capture.png'
    capture.main(['--seconds', '31', '--out', str(plot)])
    assert plot.stat().st_size > 50_000
    printed = capsys.readouterr().out
    assert 'Distributed Momentum' in printed and 'Reaction Null Space' in printed
    with pytest.raises(SystemExit):
        capture.main(['--seconds', '10'])
