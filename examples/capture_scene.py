# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The thesis's capture, section 5.3: who takes part, and what is noted of each instant."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import free_flyer_dynamics as ffd
from free_flyer_dynamics.urdf import load_known
import numpy as np
from scipy.spatial.transform import Rotation

FOLDER = 'package://free_flyer_dynamics/urdf'
CONTACT = 30.0  # s
START = np.radians([-10.3, 22.6, 14.9, -35.6, -150.6, 32.2, 16.6])  # of J1 to J7, step A
GRASP = np.array([2.0, -1.2, 1.54])  # at the contact, in the base's frame at the start [m]
GRASP_IN_TARGET = np.array([-0.5, -0.5, 0.5])  # m
SPIN = np.array([-0.02, -0.02, -0.02])  # of the target [rad/s]
TARGET_MOMENTUM = np.array([-3.0, -3.0, -3.0])  # N m s
LIMIT = 0.2  # of a wheel's torque [N m]
ARM = tuple(f'J{i}' for i in range(1, 8))
STILL = 1e-3  # rate of the arm's joints that is rest [rad/s]


@dataclass(frozen=True, eq=False)
class Record:
    """
    One instant of a capture.

    Parameters
    ----------
    time : float
        [s]
    attitude : ndarray, shape (3,)
        Of the base, as a rotation vector [deg].
    arm_rates : ndarray, shape (7,)
        [rad/s]
    arm_torques, wheel_torques : ndarray
        [N m]
    arm_momentum, wheel_momentum, target_momentum : ndarray, shape (3,)
        Shares of the angular momentum: the arm's coupling, the wheels', the target's [N m s].
    linear, angular : ndarray, shape (3,)
        Of all together, angular about the world's origin [N s, N m s].

    """

    time: float
    attitude: np.ndarray
    arm_rates: np.ndarray
    arm_torques: np.ndarray
    wheel_torques: np.ndarray
    arm_momentum: np.ndarray
    wheel_momentum: np.ndarray
    target_momentum: np.ndarray
    linear: np.ndarray
    angular: np.ndarray


@lru_cache
def _load(name: str) -> ffd.Model:
    return load_known(f'{FOLDER}/{name}.urdf')  # link 6 is odd as printed


def chaser() -> ffd.Model:
    """Return the thesis's robot."""
    return _load('thesis_seven_joint')


def target() -> ffd.Model:
    """Return the satellite to be caught."""
    return _load('thesis_target')


def grasp_at(time: float) -> tuple[np.ndarray, np.ndarray]:
    """Return position and velocity of the grasp point; at the contact it is where planned."""
    center = GRASP - Rotation.from_rotvec(SPIN * CONTACT).apply(GRASP_IN_TARGET)
    arm = Rotation.from_rotvec(SPIN * time).apply(GRASP_IN_TARGET)
    return center + arm, np.cross(SPIN, arm)


def scene(dt: float) -> ffd.Simulator:
    """Return both satellites at t = 0: the chaser at rest, the target turning."""
    sim = ffd.Simulator(dt=dt)
    sim.add(chaser(), joint_positions=dict(zip(ARM, START, strict=True)))
    center = grasp_at(0.0)[0] - GRASP_IN_TARGET
    sim.add(target(), prefix='target/', position=center, angular_velocity=SPIN)
    return sim


def record(sim: ffd.Simulator, now, efforts: np.ndarray) -> Record:
    """Return what is noted of this instant."""
    whole, caught, form = sim.momentum(), sim.momentum('target/'), now.reduced
    return Record(
        time=sim.time,
        attitude=np.degrees(ffd.control.attitude_error(now.rotation)),
        arm_rates=now.joint_rates[now.arm],
        arm_torques=efforts[now.arm],
        wheel_torques=efforts[now.wheels],
        arm_momentum=now.rotation @ form.arm_momentum,
        wheel_momentum=now.rotation @ form.wheel_momentum,
        target_momentum=caught.angular_about_center,
        linear=whole.linear,
        angular=whole.angular,
    )


def options(text: str, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog='python -m examples.capture', description=text)
    parser.add_argument('--seconds', type=float, default=110.0, help='of simulated time (110)')
    parser.add_argument('--out', type=Path, default=Path('capture.png'), help='(capture.png)')
    asked = parser.parse_args(arguments)
    if not asked.seconds > CONTACT:
        parser.error(f'--seconds must be beyond the contact at {CONTACT} s, got {asked.seconds}')
    return asked
