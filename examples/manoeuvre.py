# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The demo's script: reach, turn with the wheels, be pushed, brake. No clock, no printing.

`fly` steps a simulator through it and hands out samples; whoever shows them is free to.

"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import free_flyer_dynamics as ffd
from free_flyer_dynamics.urdf import load_known
import numpy as np
from scipy.spatial.transform import Rotation

ROBOT = 'package://free_flyer_dynamics/urdf/thesis_seven_joint.urdf'
TICK = 10  # steps between two commands: the controller runs at 100 Hz

# Name and share of the whole.
PHASES = (('reach', 0.25), ('wheels', 0.3), ('push', 0.02), ('brake', 0.43))
GOAL = np.radians([40.0, -50.0, 30.0, 60.0, 0.0, -40.0, 0.0])  # of J1 to J7
STIFFNESS, RESISTANCE = 4.0, 4.0  # of the arm's control [1/s^2, 1/s]: critically damped
PUSH_FORCE = np.array([1.5, 1.0, 2.0])  # world axes [N]
PUSH_POINT = np.array([-0.9, 0.8, 0.5])  # in the base's frame [m]
BRAKE_GAIN = 1000.0  # wheel torque for each rad/s of the base [N m s]


@dataclass(frozen=True, eq=False)
class Sample:
    """
    What the demo shows of one instant.

    Parameters
    ----------
    time : float
        [s]
    phase : str
    attitude : ndarray, shape (3,)
        Of the base: roll, pitch, yaw [deg].
    joints : ndarray, shape (7,)
        Positions of the arm [deg].
    wheels : ndarray, shape (3,)
        Speeds [rad/s].
    linear, angular : ndarray, shape (3,)
        Momentum, angular about the world origin [N s, N m s].
    carried : float
        What the base alone carries of angular momentum: the measure for errors [N m s].

    """

    time: float
    phase: str
    attitude: np.ndarray
    joints: np.ndarray
    wheels: np.ndarray
    linear: np.ndarray
    angular: np.ndarray
    carried: float


class Manoeuvre:
    """
    The script for one robot.

    Parameters
    ----------
    sim : Simulator
        Holds the robot alone.
    model : Model
    seconds : float
        Length of the whole.

    """

    def __init__(self, sim: ffd.Simulator, model: ffd.Model, seconds: float) -> None:
        self.sim = sim
        self._wheels = {wheel.joint: wheel for wheel in model.wheels}
        self._arm = [name for name in sim.joint_names if name not in self._wheels]
        self._is_arm = np.array([name in self._arm for name in sim.joint_names])
        self._ends = np.cumsum([share for _, share in PHASES]) * seconds

    def phase_at(self, time: float) -> tuple[str, float]:
        """Return the phase at a time and how far it has come, 0 to 1."""
        row = min(int(np.searchsorted(self._ends, time, side='right')), len(PHASES) - 1)
        start = self._ends[row - 1] if row else 0.0
        return PHASES[row][0], (time - start) / (self._ends[row] - start)

    def command(self) -> str:
        """Set efforts and the push for this instant; return the phase."""
        phase, progress = self.phase_at(self.sim.time)
        self.sim.set_efforts({**self._arm_efforts(), **self._wheel_efforts(phase, progress)})
        force = PUSH_FORCE if phase == 'push' else (0, 0, 0)
        self.sim.set_wrench('base', force=force, point=PUSH_POINT)
        return phase

    def _arm_efforts(self) -> dict[str, float]:
        """Follow a smooth path to the goal by computed torque, the base left free."""
        span = self._ends[0]
        s = min(self.sim.time / span, 1.0)
        path = s**3 * (10 - 15 * s + 6 * s * s)
        rate = s * s * (30 - 60 * s + 30 * s * s) / span
        second = s * (60 - 180 * s + 120 * s * s) / span**2
        position, velocity = self.sim.positions, self.sim.velocities
        wanted = np.zeros(len(position))
        wanted[self._is_arm] = (
            GOAL * second
            + RESISTANCE * (GOAL * rate - velocity[self._is_arm])
            + STIFFNESS * (GOAL * path - position[self._is_arm])
        )
        efforts = self.sim.inverse_dynamics(wanted)
        return dict(zip(self._arm, efforts[self._is_arm], strict=True))

    def _wheel_efforts(self, phase: str, progress: float) -> dict[str, float]:
        """Spin the wheels up and down again, or let them take the base's rotation."""
        if phase == 'wheels':
            bang = 1.0 if progress < 0.5 else -1.0
            share = bang * np.array([1.0, -0.6, 0.3])
        elif phase == 'brake':
            pose, twist = self.sim.pose('base'), self.sim.twist('base')
            rates = Rotation.from_quat(pose.quaternion).inv().apply(twist.angular)
            share = np.clip(BRAKE_GAIN * rates / self._torques, -1.0, 1.0)
        else:
            share = np.zeros(3)
        return dict(zip(self._wheels, share * self._torques, strict=True))

    @property
    def _torques(self) -> np.ndarray:
        return np.array([wheel.torque_limit for wheel in self._wheels.values()])

    def sample(self, phase: str) -> Sample:
        """Return what is to be shown of this instant."""
        sim = self.sim
        momentum = sim.momentum()
        turned = Rotation.from_quat(sim.pose('base').quaternion)
        rates = turned.inv().apply(sim.twist('base').angular)
        return Sample(
            time=sim.time,
            phase=phase,
            attitude=turned.as_euler('xyz', degrees=True),
            joints=np.degrees(sim.positions[self._is_arm]),
            wheels=sim.velocities[~self._is_arm],
            linear=momentum.linear,
            angular=momentum.angular,
            carried=float(np.linalg.norm(sim.mass_matrix()[:3, :3] @ rates)),
        )


def load() -> ffd.Model:
    """Return the thesis robot; its sixth link is odd as printed, which is known."""
    return load_known(ROBOT)


def fly(manoeuvre: Manoeuvre, seconds: float) -> Iterator[Sample]:
    """Step through the manoeuvre and yield a sample at each tick of the controller."""
    sim = manoeuvre.sim
    yield manoeuvre.sample(PHASES[0][0])
    for _ in range(max(1, round(seconds / (TICK * sim.dt)))):
        phase = manoeuvre.command()
        sim.step(TICK)
        yield manoeuvre.sample(phase)


def conservation_errors(samples: list[Sample]) -> np.ndarray:
    """
    Return how far angular momentum is from what it was when this torque-free time began.

    Relative to the most that the base has carried; NaN while the push acts.
    """
    errors = np.full(len(samples), np.nan)
    most = max(sample.carried for sample in samples)
    start = samples[0].angular
    for i, sample in enumerate(samples):
        if sample.phase == 'push':
            start = sample.angular
        else:
            errors[i] = np.linalg.norm(sample.angular - start) / most if most else 0.0
    return errors
