# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Motion over seconds: beside Pinocchio's dynamics in scipy's hands, and the order of a step."""

from free_flyer_dynamics import Simulator
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from test.oracles import pin, relative, Twin
from test.worlds import random_case, simulator_of

pytestmark = pytest.mark.jit

SECONDS = 5.0
# Two integrators at 1e-12 a step, some hundred steps, on a motion that spreads errors tenfold.
TRAJECTORY = 1e-8
REFERENCE = {'method': 'DOP853', 'rtol': 1e-12, 'atol': 1e-12}
# Fourth order shows as four where truncation is far above rounding and below the motion's scale.
LEAST_ORDER, MOST_ORDER = 3.7, 4.5


def by_pinocchio(twin, seconds):
    """Bring a twin to the end of its motion: DOP853 on q and v, the quaternion's rate too."""
    nq = twin.pin.nq

    def rate(_t, y):
        q, v = y[:nq].copy(), y[nq:]
        qdot = v.copy()
        if twin.base:
            q[3:7] /= np.linalg.norm(q[3:7])
            turn = pin.Quaternion(q[3:7])
            spin = turn * pin.Quaternion(np.array([*v[3:6], 0.0]))
            qdot = np.r_[turn.toRotationMatrix() @ v[:3], 0.5 * spin.coeffs(), v[6:]]
        return np.r_[qdot, twin.rates(q, v)]

    end = solve_ivp(rate, (0.0, seconds), np.r_[twin.q, twin.v], **REFERENCE).y[:, -1]
    twin.q, twin.v = end[:nq], end[nq:]
    if twin.base:
        twin.q[3:7] /= np.linalg.norm(twin.q[3:7])


def gap(sim, case, twin):
    """Return the largest difference of poses, joint positions and velocities."""
    joints = [twin.pin.joints[twin.pin.getJointId(name)] for name in twin.names]
    worst = relative(sim.positions, np.array([twin.q[j.idx_q] for j in joints]), 1.0)
    worst = max(worst, relative(sim.velocities, np.array([twin.v[j.idx_v] for j in joints]), 1.0))
    for body in case.model.bodies:
        position, rotation = twin.pose(body.name)
        pose = sim.pose(body.name)
        turned = pin.Quaternion(pose.quaternion).toRotationMatrix()
        worst = max(worst, relative(pose.position, position, 1.0), relative(turned, rotation))
    return worst


def driven(seed, joints=6, fixed=False):
    """Return gravity and a robot under drives, damping, weight and wrenches."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, 3), random_case(rng, joints, fixed=fixed, damping=2.0)


@pytest.mark.parametrize(('integrator', 'dt'), [('rk4', 5e-4), ('dop853', 1.0)])
@pytest.mark.parametrize(('seed', 'fixed'), [(0, False), (1, False), (2, False), (3, True)])
def test_five_seconds_end_where_pinocchio_ends(seed, fixed, integrator, dt):
    """Every link's pose, every joint's position and velocity."""
    gravity, case = driven(seed, fixed=fixed)
    twin = Twin(case.model, case.start, gravity)
    twin.drive(case.efforts)
    twin.pushes = case.pushes
    by_pinocchio(twin, SECONDS)
    sim = simulator_of(gravity, [case], dt=dt, integrator=integrator)
    sim.step(round(SECONDS / dt))
    assert gap(sim, case, twin) < TRAJECTORY


@pytest.mark.parametrize('seed', range(4))
def test_rk4_is_of_fourth_order(seed):
    """Base pose, joints and rates: halving the step divides the error by sixteen."""
    gravity, case = driven(10 + seed)
    ends = []
    exact = simulator_of(gravity, [case], dt=1.0, integrator='dop853')
    exact.step()
    steps = np.array([40, 80, 160, 320])
    for count in steps:
        sim = simulator_of(gravity, [case], dt=1.0 / count)
        sim.step(count)
        ends.append(sim)
    for read in (
        lambda sim: sim.pose('base').position,
        lambda sim: sim.pose('base').quaternion,
        lambda sim: sim.positions,
        lambda sim: sim.velocities,
        lambda sim: np.r_[sim.twist('base').linear, sim.twist('base').angular],
    ):
        errors = [np.linalg.norm(read(sim) - read(exact)) for sim in ends]
        order = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
        assert LEAST_ORDER < order < MOST_ORDER


def test_a_step_of_dop853_is_as_good_as_many():
    """Its step only says when to look."""
    gravity, case = driven(20)
    one, many = (simulator_of(gravity, [case], dt=dt, integrator='dop853') for dt in (1.0, 0.1))
    one.step()
    many.step(10)
    assert relative(one.positions, many.positions, 1.0) < TRAJECTORY
    assert isinstance(one, Simulator)
