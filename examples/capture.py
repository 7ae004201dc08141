# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A satellite catches a tumbling one: the thesis's capture, from approach to rest.

The wheels load the arm with momentum against the target's (step B of the Bias Momentum Approach);
after the contact the arm keeps the base still by itself, Distributed Momentum Control or Reaction
Null Space Control, while the wheels take the rest. Nothing of the target is told to the arm.

Run `python -m examples.capture`. It prints what happens and leaves a plot.

"""

from examples import capture_figures
from examples import capture_scene as stage
from free_flyer_dynamics import control, planning
import numpy as np


def plan(robot, watch=None):
    """Return wheel torques that bring the hand to the grasp point with its velocity."""
    guess = planning.TorqueProfile(np.full((4, 3), -0.1), stage.CONTACT)
    goal, velocity = stage.grasp_at(stage.CONTACT)
    return planning.torque_profile(
        robot, stage.START, goal, velocity, guess, stage.LIMIT, step=1.5, watch=watch
    )


def capture(law, profile, seconds, tick=0.01):
    """Fly the approach, the contact and what follows; return what happened at each tick."""
    robot, sim, records = control.Robot(stage.chaser()), stage.scene(dt=tick), []
    limits, gain = robot.torque_limits, 0.5 / tick
    absorb = control.Absorb(lambda: sim.momentum().angular_about_center, limits)
    dmc, rnsc = control.DistributedMomentum(absorb, gain), control.ReactionNullSpace(absorb)
    after = dmc if law == 'distributed_momentum' else rnsc
    flying = approach = control.DistributedMomentum(profile, gain)
    while sim.time < seconds - 0.5 * tick:
        if flying is approach and sim.time > stage.CONTACT - 0.5 * tick:
            sim.attach(robot.hand, 'target/grasp', name='grip')
            flying = after
        elif flying is after and np.abs(records[-1].arm_rates).max() < stage.STILL:
            sim.lock(*stage.ARM)
            flying = control.HoldJoints(control.HoldBase(limits))
        now = robot.read(sim)
        efforts = flying.efforts(now, sim.time)
        sim.set_efforts(dict(zip(robot.joint_names, efforts, strict=True)))
        records.append(stage.record(sim, now, efforts))
        sim.step()
    return records


def main(arguments=None):
    """Plan, capture with both laws, and draw."""
    asked = stage.options(__doc__, arguments)
    found = plan(control.Robot(stage.chaser()), planning.show)
    flights = {law: capture(law, found.profile, asked.seconds) for law in capture_figures.NAMES}
    print(capture_figures.summary(found, flights))
    capture_figures.draw(flights, asked.out)


if __name__ == '__main__':
    main()
