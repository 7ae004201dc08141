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
import free_flyer_dynamics as ffd


def capture(law, profile, seconds, tick=0.01):
    """Fly the approach, the contact and what follows; return what happened at each tick."""
    robot, sim, records = ffd.control.Robot(stage.chaser()), stage.scene(dt=tick), []
    flight = stage.sequence(robot, sim, profile, law)
    while sim.time < seconds - 0.5 * tick:
        now = robot.read(sim)
        seen = stage.seen(sim, now)
        if due := flight.due(now, seen):
            sim.change(due)  # the contact; and, once all is at rest, the arm is locked
            continue
        efforts = flight.law(seen).efforts(now, sim.time)
        sim.set_efforts(stage.names_at(robot, efforts))
        records.append(stage.record(sim, now, efforts))
        sim.step()
    return records


def main(arguments=None):
    """Plan, capture with both laws, and draw."""
    asked = stage.options(__doc__, arguments)
    found = stage.plan(ffd.control.Robot(stage.chaser()), ffd.planning.show)
    flights = {law: capture(law, found.profile, asked.seconds) for law in stage.LAWS}
    print(capture_figures.summary(found, flights))
    capture_figures.draw(flights, asked.out)
    print(f'plot: {asked.out}')


if __name__ == '__main__':
    main()
