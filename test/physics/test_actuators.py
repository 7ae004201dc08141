# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Drives, wheels and damping, where their motion has a formula."""

from free_flyer_dynamics import load_urdf, Simulator
from free_flyer_dynamics.model import Wheel
import numpy as np
import pytest

from test.worlds import wheel_robot

pytestmark = pytest.mark.jit

BASE, WHEEL = 2.0, 0.5  # moments about the common axis [kg m^2]
TOGETHER = BASE * WHEEL / (BASE + WHEEL)  # what a torque between them turns
# RK4 on an exponential, (h d / I)^4 / 120 a step, thousands of steps of 1 ms.
FORMULA = 1e-10
# A polynomial of second degree is RK4's own: what is left is rounding.
POLYNOMIAL = 1e-13


def spun(model, dt=1e-3, effort=0.0, integrator='rk4', **start):
    """Return the simulator of one robot and its first joint's effort set."""
    sim = Simulator(dt=dt, integrator=integrator)
    sim.add(model, **start)
    sim.set_efforts({model.joints[0].name: effort})
    return sim


def wheel(**limits):
    """Return a base with one reaction wheel."""
    return wheel_robot(base=BASE, wheel=WHEEL).with_extension(wheels=[Wheel('wheel', **limits)])


def test_a_torque_turns_wheel_and_base_apart():
    """Each by its own inertia; together they have no momentum."""
    sim = spun(wheel(), effort=0.3)
    sim.step(2000)
    assert sim.velocities[0] == pytest.approx(0.3 / TOGETHER * 2.0, rel=POLYNOMIAL)
    assert sim.positions[0] == pytest.approx(0.3 / TOGETHER * 2.0, rel=POLYNOMIAL)
    assert sim.twist('base').angular[2] == pytest.approx(-0.3 / BASE * 2.0, rel=POLYNOMIAL)
    assert np.max(np.abs(sim.momentum().angular)) < POLYNOMIAL


@pytest.mark.parametrize('kind', ['continuous', 'prismatic'])
def test_damping_decays_exponentially(kind):
    """With the rate of the inertia between the two, for wheels and sliders alike."""
    damping = 0.7
    model = wheel_robot(kind=kind, base=BASE, wheel=WHEEL, damping=damping)
    sim = spun(model, joint_velocities={'wheel': 1.5})
    sim.step(3000)
    left = np.exp(-damping / TOGETHER * 3.0)
    assert sim.velocities[0] == pytest.approx(1.5 * left, rel=FORMULA)
    assert sim.positions[0] == pytest.approx(1.5 * (1 - left) * TOGETHER / damping, rel=FORMULA)


def test_the_tightest_of_joint_and_wheel_torque_limits_clips():
    """The wheel's own limit counts beside the joint's."""
    model = wheel_robot(effort_limit=2.0).with_extension(wheels=[Wheel('wheel', 0.5)])
    sim = spun(model)
    (clip,) = sim.set_efforts({'wheel': -3.0})
    assert (clip.joint, clip.asked, clip.applied) == ('wheel', -3.0, -0.5)
    assert sim.efforts[0] == -0.5


@pytest.mark.parametrize('integrator', ['rk4', 'dop853'])
@pytest.mark.parametrize('dt', [1e-3, 0.013, 0.7])
@pytest.mark.parametrize('sign', [1.0, -1.0])
@pytest.mark.parametrize('limit', [{'speed_limit': 1.25}, {'momentum_limit': 1.25 * WHEEL}])
def test_a_wheel_reaches_its_speed_limit_and_not_more(limit, sign, dt, integrator):
    """Exactly there, at its time whatever the step; then the drive is blocked."""
    sim = spun(wheel(**limit), dt=dt, effort=0.4 * sign, integrator=integrator)
    reached = 1.25 * TOGETHER / 0.4
    sim.step(int(reached / dt) + 4)
    assert sim.velocities[0] == pytest.approx(1.25 * sign, rel=POLYNOMIAL)
    assert sim.efforts[0] == 0.0
    angle = 1.25 * (sim.time - reached / 2)
    assert sim.positions[0] == pytest.approx(angle * sign, rel=FORMULA)
    assert np.max(np.abs(sim.momentum().angular)) < POLYNOMIAL


def test_a_blocked_drive_pushes_again_when_told_to_slow_down():
    """And is blocked again at the limit of the other side."""
    sim = spun(wheel(speed_limit=1.0), effort=0.4)
    sim.step(3000)
    sim.set_efforts({'wheel': -0.4})
    assert sim.efforts[0] == -0.4
    sim.step(500)
    assert sim.velocities[0] == pytest.approx(1.0 - 0.4 / TOGETHER * 0.5, rel=FORMULA)
    sim.step(3000)
    assert sim.velocities[0] == pytest.approx(-1.0, rel=POLYNOMIAL)
    assert sim.efforts[0] == 0.0


def test_a_wheel_faster_than_its_limit_is_not_slowed_down():
    """A limit is of the drive: a wheel that starts faster coasts."""
    sim = spun(wheel(speed_limit=1.0), effort=0.4, joint_velocities={'wheel': 2.0})
    assert sim.efforts[0] == 0.0
    sim.step(100)
    assert sim.velocities[0] == pytest.approx(2.0, rel=POLYNOMIAL)


def test_wheels_of_a_file_are_limited():
    """Read from the <free_flyer> tag."""
    text = """
      <robot name="r"><free_flyer><reaction_wheel joint="w" torque_limit="0.2"/></free_flyer>
      <link name="b"><inertial><mass value="9"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <link name="l"><inertial><mass value="1"/>
        <inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link>
      <joint name="w" type="continuous"><parent link="b"/><child link="l"/></joint></robot>"""
    sim = spun(load_urdf(text))
    sim.set_efforts({'w': 1.0})
    assert sim.efforts[0] == 0.2


@pytest.mark.parametrize('dt', [1e-3, 1e-2])
def test_a_damped_wheel_rests_at_its_speed_limit(dt):
    """Where the drive only has to make up for the damping it holds the speed."""
    model = wheel_robot(base=BASE, wheel=WHEEL, damping=0.1)
    model = model.with_extension(wheels=[Wheel('wheel', speed_limit=1.0)])
    sim = spun(model, dt=dt, effort=0.4)
    sim.step(round(5.0 / dt))
    for _step in range(20):
        sim.step()
        assert sim.velocities[0] == pytest.approx(1.0, abs=1e-9)


def test_a_drive_stops_pushing_at_the_joints_velocity_limit():
    """It keeps the speed, and the limit is no wall: what is pushed from outside goes faster."""
    sim = spun(wheel_robot(velocity_limit=1.0, base=BASE, wheel=WHEEL), effort=0.3)
    sim.step(20_000)
    assert sim.velocities[0] == 1.0
    fast = spun(
        wheel_robot(velocity_limit=1.0, base=BASE, wheel=WHEEL), joint_velocities={'wheel': 3.0}
    )
    fast.step(100)
    assert fast.velocities[0] == pytest.approx(3.0, rel=POLYNOMIAL)


def test_a_velocity_limit_of_zero_is_none():
    """Exporters write it where they know of none."""
    sim = spun(wheel_robot(velocity_limit=0.0, base=BASE, wheel=WHEEL), effort=0.3)
    sim.step(2000)
    assert sim.velocities[0] == pytest.approx(0.3 / TOGETHER * 2.0, rel=POLYNOMIAL)
