# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The only object with a clock: robots in a world, stepped, commanded and read by name."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from free_flyer_dynamics import snapshot as snapshots
from free_flyer_dynamics.arena import compile_to_step
from free_flyer_dynamics.arrival import arrive
from free_flyer_dynamics.batch import Batch
from free_flyer_dynamics.checks import MOST_STEPS, step_length, steps
from free_flyer_dynamics.commanding import Commanding
from free_flyer_dynamics.engine import Engine
from free_flyer_dynamics.errors import CommandError, StateError
from free_flyer_dynamics.inputs import Commands
from free_flyer_dynamics.integrators import integrator as integrator_named
from free_flyer_dynamics.integrators import rk4
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.pace import Pace
from free_flyer_dynamics.relocation import relocated, robot_of
from free_flyer_dynamics.robots import empty_world, Placement, with_robot
from free_flyer_dynamics.transfer import motion_of
from free_flyer_dynamics.tree import State


class Simulator(Commanding):
    """
    A world of free-flying robots.

    One thread at a time: readings use the same workspace as steps.

    Parameters
    ----------
    dt : float
        Length of a step [s].
    gravity : sequence of 3 floats
        Uniform, in world axes [m/s^2].
    integrator : str
        'rk4', 'dop853' for a slow and accurate reference, or 'link_by_link', where every link
        moves on its own and the joints drift apart: [JainRodriguez] algorithm 7.
    algorithm : str
        Forward dynamics of steps and readings. All but 'articulated_body' step through Python.

    """

    def __init__(
        self,
        dt: float = 1e-3,
        gravity=(0.0, 0.0, 0.0),
        integrator: str = 'rk4',
        algorithm: str = 'articulated_body',
    ) -> None:
        self._dt = step_length(dt)
        self._integrate = integrator_named(integrator, algorithm)
        self._algorithm = algorithm
        self._commands = Commands(gravity)
        self._adopt(*empty_world())
        self._steps = 0
        self._start_time = 0.0

    def __deepcopy__(self, _memo: dict) -> Simulator:
        """Return a world of its own that goes on as this one, to the last bit."""
        twin = copy(self)
        twin.restore(self.snapshot())
        return twin

    @property
    def dt(self) -> float:
        """Return the length of a step [s]."""
        return self._dt

    @property
    def time(self) -> float:
        """Return the simulated time [s]."""
        return self._start_time + self._steps * self._dt

    def add(
        self,
        model: Model,
        prefix: str = '',
        position=(0.0, 0.0, 0.0),
        quaternion=(0.0, 0.0, 0.0, 1.0),
        linear_velocity=(0.0, 0.0, 0.0),
        angular_velocity=(0.0, 0.0, 0.0),
        joint_positions: Mapping[str, float] | None = None,
        joint_velocities: Mapping[str, float] | None = None,
        fixed: bool = False,
    ) -> None:
        """
        Put a robot into the world.

        Parameters
        ----------
        model : Model
            What `load_urdf` returned.
        prefix : str
            Goes before the names of its links and joints.
        position, quaternion
            Of the root link in world; the quaternion is (x, y, z, w).
        linear_velocity, angular_velocity
            Of the root link's origin, in world axes [m/s, rad/s].
        joint_positions, joint_velocities : mapping
            By joint name without the prefix; zero where not given.
        fixed : bool
            Anchor the root link where it is placed.

        """
        placement = Placement.checked(
            position,
            quaternion,
            linear_velocity,
            angular_velocity,
            joint_positions,
            joint_velocities,
            fixed,
        )
        world = (self._structure, self._state, self._coordinates)
        self._adopt(*with_robot(world, model, prefix, placement))

    def batch(self, count: int, cores: int | None = None) -> Batch:
        """
        Return so many independent copies of this world, to be stepped together.

        Parameters
        ----------
        count : int
            How many.
        cores : int, optional
            How many to work on; all there are when not given.

        """
        if self._integrate is not rk4:
            raise CommandError(
                "A batch steps by 'rk4' and 'articulated_body'; this simulator goes another way. "
                'Make one that takes these, or step a simulator for each state.'
            )
        world = (self._structure, self._state, self._coordinates)
        clock = self._start_time, self._steps
        return Batch.of_world(world, self._commands, count, self._dt, cores, clock)

    def place(
        self,
        prefix: str = '',
        position=None,
        quaternion=None,
        linear_velocity=None,
        angular_velocity=None,
    ) -> None:
        """
        Put a robot elsewhere, its joints as they are; what is not given stays.

        Pose and twist are those of its root link, as in `add`. It must be joined to nothing else.
        This is no motion: momentum jumps by what is placed.
        """
        robot = robot_of(self._structure.assembly, prefix)
        root = robot.prefix + robot.model.root
        pose, twist = self.pose(root), self.twist(root)
        placement = Placement.checked(
            pose.position if position is None else position,
            pose.quaternion if quaternion is None else quaternion,
            twist.linear if linear_velocity is None else linear_velocity,
            twist.angular if angular_velocity is None else angular_velocity,
            {},
            {},
            fixed=False,
        )
        state = relocated(self._structure, self._state, self._coordinates, robot, placement)
        self._adopt(self._structure, state, self._coordinates)

    def step(self, n: int = 1) -> None:
        """Advance by n steps of dt, in one compiled call."""
        count = n if type(n) is int and 0 <= n <= MOST_STEPS else steps(n)
        done = self._motion.advance(self._dt, count)
        self._steps += done
        if done < count or self._watch is not None:
            self._look_back(done < count)

    def step_on_time(self, pace: Pace, n: int = 1) -> int:
        """
        Advance by n steps of dt, each when it is due by a pace; return how many were made.

        There are fewer when another thread called away who steps: `Pace.call_away`. What is to
        be compiled makes the first steps late; `warm_up` does that before.
        """
        count = steps(n)
        if not isinstance(pace, Pace) or pace.dt != self._dt:
            given = f'one for steps of {pace.dt} s' if isinstance(pace, Pace) else repr(pace)
            raise CommandError(
                f'step_on_time takes a Pace for steps of {self._dt} s, such as ffd.Pace(sim.dt); '
                f'got {given}.'
            )
        before = pace.made
        try:
            self._motion.advance(self._dt, count, pace)
        finally:  # after Ctrl-C too: what has moved has taken its time
            done = pace.made - before
            self._steps += done
        self._look_back(done < count and not pace.went)
        return done

    def _look_back(self, went_bad: bool) -> None:
        """Tell what there is to tell of the last steps."""
        if self._watch is not None:
            self._watch.look(self._structure, self._state, self._motion.margin())
        if went_bad:
            raise StateError(
                f'The motion stopped being finite at t = {self.time:.6g} s. Use a smaller dt, or '
                'look for stiff damping, huge efforts or wrenches.'
            )

    def snapshot(self) -> bytes:
        """Return everything as bytes: structure, state, inputs and time."""
        clock = {'start': self._start_time, 'steps': self._steps, 'dt': self._dt}
        world = self._structure, self._state, self._coordinates
        self._motion.start_again()
        return snapshots.snapshot(*world, self._commands, clock)

    def restore(self, data: bytes) -> None:
        """
        Go back to a snapshot of the same robots; what follows is the same to the last bit.

        Bytes that are damaged, of other robots or of another version raise a StateError and change
        nothing.
        """
        structure, state, coordinates, commands, clock = snapshots.restored(
            self._structure.assembly, data
        )
        self._commands = commands
        self._adopt(structure, state, coordinates)
        self._start_time, self._steps = clock['start'], int(clock['steps'])
        if clock['dt'] != self._dt:
            self._start_time, self._steps = clock['start'] + self._steps * clock['dt'], 0

    def warm_up(self) -> None:
        """
        Compile, or load, all that steps and structure changes run; nothing changes.

        For those with a clock to keep: the first step is then as quick as the others.
        """
        state = State(*(column.copy() for column in self._state))
        spare = self._from(state)
        spare.advance(self._dt, 1)
        spare.advance(self._dt, 0, Pace(self._dt))
        now = motion_of(self._structure, self._state, self._coordinates)
        assembly = self._structure.assembly
        pushed = self._commands.pushed_links(assembly)
        same, laid = compile_to_step(assembly, self._coordinates, pushed)
        arrive(same, now, True, Engine(same, None, self._inputs, laid) if same.nodes else None)
        self.momentum()
        self.observe(())
