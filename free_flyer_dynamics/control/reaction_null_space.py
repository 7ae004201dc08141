# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Reaction Null Space Control: torques for the arm after a capture. [Dimitrov] 5.1."""

from __future__ import annotations

from free_flyer_dynamics.control.closed_loop import closed
from free_flyer_dynamics.control.inverses import right_inverse
from free_flyer_dynamics.control.reactionless import answered
from free_flyer_dynamics.control.situation import ATTITUDE, reduce, Reduced, Situation
import numpy as np


def reaction_null_space_torques(
    situation: Situation,
    base_acceleration: np.ndarray,
    wish: np.ndarray,
    wheel_torques: np.ndarray,
) -> np.ndarray:
    """
    Return the arm's torques that give the base this angular acceleration.

    The null space of the coupling inertia is left for the arm itself. Nothing of the target is
    known: on the robot alone the base accelerates exactly as asked.

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    base_acceleration : ndarray, shape (3,)
        u_b, base axes [rad/s^2].
    wish : ndarray, shape (p,)
        u_m: accelerations of the arm to come near to [rad/s^2].
    wheel_torques : ndarray, shape (r,)
        What the wheels' drives give meanwhile [N m].

    References
    ----------
    [Dimitrov] (5.1) and (5.3). The matrices with a bar are not formed: the wheels' and the arm's
    accelerations are, and put into the middle row of (4.4), which is the same. Unlike [Dimitrov],
    the wheels need not be balanced.

    """
    return _torques(situation.reduced, base_acceleration, wish, wheel_torques)


def _torques(
    form: Reduced, base_acceleration: np.ndarray, wish: np.ndarray, wheel_torques: np.ndarray
) -> np.ndarray:
    now = answered(form, wheel_torques)
    needed = now.Hb @ base_acceleration + now.cb
    accelerations = wish - right_inverse(now.Hbm) @ (needed + now.Hbm @ wish)
    return now.Hbm.T @ base_acceleration + now.Hm @ accelerations + now.cm


def damping_torques(
    situation: Situation,
    wheel_torques: np.ndarray,
    base_gain: float = 25.0,
    arm_gain: float = 10.0,
    attitude: np.ndarray | None = None,
    attitude_gain: float = 0.0,
) -> np.ndarray:
    """
    Return the thesis's choice: u_b = -K_b omega and u_m = -K_m phi_dot, [Dimitrov] (5.5).

    Parameters
    ----------
    situation : Situation
        The robot at this instant.
    wheel_torques : ndarray, shape (r,)
        [N m]
    base_gain, arm_gain : float
        K_b and K_m [1/s]; the thesis's, below figure 5.2.
    attitude : ndarray, shape (3,), optional
        Rotation vector of the base away from where it should be, base axes [rad].
    attitude_gain : float
        Adds -gain times attitude to u_b, which the thesis does not [1/s^2].

    """
    u_b = -base_gain * situation.base_rate
    if attitude is not None:
        u_b = u_b - attitude_gain * attitude
    u_m = -arm_gain * situation.joint_rates[situation.arm]
    return reaction_null_space_torques(situation, u_b, u_m, wheel_torques)


def reaction_null_space_loop_torques(
    situation: Situation,
    S: np.ndarray,
    base_acceleration: np.ndarray,
    wish: np.ndarray,
    bend: np.ndarray | None = None,
    held: tuple[int, ...] = ATTITUDE,
) -> np.ndarray:
    """
    Return the torques of the independent joints of two arms that hold one target; the rest idle.

    Parameters
    ----------
    situation : Situation
        Of a robot whose wheels, if any, coast.
    S : ndarray, shape (p, i)
        Of `loop_rates`.
    base_acceleration : ndarray, shape (s,)
        u_b [rad/s^2].
    wish : ndarray, shape (i,)
        u_m of the independent joints [rad/s^2].
    bend : ndarray, shape (p,), optional
        As for `closed`.
    held : tuple of int
        Base rotations that matter: (2,) for a planar robot.

    References
    ----------
    [Dimitrov] (5.3) on the equations of 5.4.

    """
    form = situation.reduced if held == ATTITUDE else reduce(situation, held)
    wheels = np.zeros(form.Hbr.shape[1])
    return _torques(closed(form, S, bend), base_acceleration, wish, wheels)
