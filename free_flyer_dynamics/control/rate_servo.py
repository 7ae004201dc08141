# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The inner loop below the laws at velocity level: torques that make the arm's rates follow."""

from __future__ import annotations

from free_flyer_dynamics.control.reactionless import answered
from free_flyer_dynamics.control.situation import reduce, Situation
import numpy as np


def computed_torques(
    situation: Situation, accelerations: np.ndarray, wheel_torques: np.ndarray
) -> np.ndarray:
    """
    Return the arm's torques that accelerate it so, base and wheels left to answer.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    accelerations : ndarray, shape (p,)
        Of the arm [rad/s^2].
    wheel_torques : ndarray, shape (r,)
        What the wheels' drives give meanwhile [N m].

    References
    ----------
    [Dimitrov] (E.3): H_g phi_ddot + c_g = tau.

    """
    now = answered(reduce(situation, ()), wheel_torques)
    return now.Hm @ accelerations + now.cm


def servo_torques(
    situation: Situation, rates: np.ndarray, gain: float, wheel_torques: np.ndarray
) -> np.ndarray:
    """
    Return the arm's torques that bring its rates to the given ones.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    rates : ndarray, shape (p,)
        [rad/s]
    gain : float
        An error shrinks as exp(-gain t) [1/s]; well below 1 / (time between two calls).
    wheel_torques : ndarray, shape (r,)
        [N m]

    """
    wanted = gain * (rates - situation.joint_rates[situation.arm])
    return computed_torques(situation, wanted, wheel_torques)


def loop_servo_torques(
    situation: Situation, S: np.ndarray, rates: np.ndarray, current: np.ndarray, gain: float
) -> np.ndarray:
    """
    Return the torques of the independent joints of arms that hold one target; the rest idle.

    Parameters
    ----------
    situation : Situation
        Of a robot whose wheels, if any, coast.
    S : ndarray, shape (p, i)
        Makes all of the arms' rates of the independent ones.
    rates, current : ndarray, shape (i,)
        Wanted and present independent rates [rad/s].
    gain : float
        An error shrinks as exp(-gain t) [1/s].

    References
    ----------
    [Dimitrov] 5.4, with (E.3) projected on the motions the closed loop leaves.

    """
    now = answered(reduce(situation, ()))
    return S.T @ (now.Hm @ (S @ (gain * (rates - current))) + now.cm)
