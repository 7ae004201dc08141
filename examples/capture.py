# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A satellite catches a tumbling one: the thesis's capture, from approach to rest.

The wheels load the arm with momentum against the target's (step B of the Bias Momentum Approach);
after the contact the arm keeps the base still by itself, Distributed Momentum Control or Reaction
Null Space Control, while the wheels take the rest. Nothing of the target is told to the arm.

Run `python -m examples.capture`. It prints what happens and leaves a plot.

"""

from examples.capture_figures import draw, summary
from examples.capture_scene import chaser, LAWS, options, plan, record, scene, seen, sequence
import free_flyer_dynamics as ffd


def capture(law, profile, seconds, tick=0.01):
    """Fly the approach, the contact and what follows; return what happened at each tick."""
    robot, sim, records = ffd.control.Robot(chaser()), scene(dt=tick), []
    flight = sequence(robot, sim, profile, law)
    while sim.time < seconds - 0.5 * tick:
        now = robot.read(sim)
        facts = seen(sim, now)
        if due := flight.due(now, facts):
            sim.change(due)  # the contact; and, once all is at rest, the arm is locked
            continue
        efforts = flight.law(facts).efforts(now, sim.time)
        sim.set_efforts(dict(zip(robot.joint_names, efforts, strict=True)))
        records.append(record(sim, now, efforts))
        sim.step()
    return records


def main(arguments=None):
    """Plan, capture with both laws, and draw."""
    given = options(__doc__, arguments)
    found = plan(ffd.control.Robot(chaser()), ffd.planning.show)
    flights = {law: capture(law, found.profile, given.seconds) for law in LAWS}
    print(summary(found, flights))
    draw(flights, given.out)
    print(f'plot: {given.out}')


if __name__ == '__main__':
    main()
