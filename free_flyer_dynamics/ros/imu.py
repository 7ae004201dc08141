# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What an inertial measurement unit makes of what it feels: bias and noise."""

from __future__ import annotations

from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.ros.parameters import Parameters
from free_flyer_dynamics.ros.sampling import ImuReading
import numpy as np
from sensor_msgs.msg import Imu


class ImuError:
    """Bias and white noise of a sensor; the same seed gives the same noise."""

    def __init__(self, parameters: Parameters, number: int) -> None:
        self._random = np.random.default_rng((parameters.imu__seed, number))
        self._noise = (
            parameters.imu__linear_acceleration_noise,
            parameters.imu__angular_velocity_noise,
        )
        self._bias = (
            np.array(parameters.imu__linear_acceleration_bias),
            np.array(parameters.imu__angular_velocity_bias),
        )

    def message(self, stamp: int, reading: ImuReading) -> Imu:
        """Return what the sensor says."""
        force, rate = (
            true + bias + noise * self._random.standard_normal(3)
            for true, bias, noise in zip(
                (reading.specific_force, reading.angular_velocity),
                self._bias,
                self._noise,
                strict=True,
            )
        )
        return conversions.imu_to_msg(stamp, reading.frame, force, rate, *self._noise)
