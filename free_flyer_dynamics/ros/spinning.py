# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Run a node as a process: turn its callbacks over until it is told to stop, and end cleanly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import logging
import os
import signal
import sys
import threading
import time

from free_flyer_dynamics.errors import FreeFlyerError
from free_flyer_dynamics.ros import middleware
from free_flyer_dynamics.ros.guard import goes_on, Guard, RCLError
import rclpy
from rclpy.exceptions import NameValidationException, ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future

try:  # a third of the CPU time and of the latency
    from rclpy.experimental import EventsExecutor as _Executor
except ImportError:  # before it was there
    _Executor = SingleThreadedExecutor


_TURN = 0.1  # s
_PATIENCE = 0.8  # s; how long a callback may keep us once we are told to stop
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Told in a line; RCLError is what rclpy.init raises of arguments it cannot read.
_TOLD = (FreeFlyerError, NameValidationException, ParameterException, RCLError)


class ServedNode(Node):
    """A node that a process is run for."""

    failure: FreeFlyerError | None = None  # why it could not go on

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.guard = Guard(self.context.ok)  # around every callback

    def fail(self, error: FreeFlyerError) -> None:
        """End the process for a reason that nothing can mend."""
        self.failure = error
        self.context.try_shutdown()

    def stop(self) -> None:
        """Close what runs beside the executor."""


def run(name: str, make: Callable[[], ServedNode], arguments: Sequence[str] | None = None) -> int:
    """Make a node and serve it until it is told to stop; say in a line why, when it cannot."""
    node: ServedNode | None = None
    begun = False

    last = threading.Timer(_PATIENCE, os._exit, (0,))
    last.daemon = True

    def hear(number, frame) -> None:
        """End what still starts. rclpy hears it too, and stops what is served: at last, we do."""
        if node is None:
            os._exit(0)
        if not last.ident:
            last.start()

    # Before rclpy listens, which passes them on. No exception: code being compiled bears none.
    for number in _SIGNALS:
        signal.signal(number, hear)
    middleware.set_up()
    try:
        rclpy.init(args=None if arguments is None else list(arguments))
        begun = True
        node = make()
        spin(node)
    except Exception as error:
        if begun and not goes_on(rclpy.ok, error):
            return 0  # told to stop: everything has been shut down under us
        if not isinstance(error, _TOLD):
            raise
        print(f'{name}: {error}', file=sys.stderr)
        return 1
    finally:
        let_signals_pass()
        if node is not None:
            node.stop()
        end(node)
        last.cancel()
    if node is not None and node.failure is not None:
        print(f'{name}: {node.failure}', file=sys.stderr)
        return 1
    return 0


def let_signals_pass() -> None:
    """Hear no more of them: everything is being closed."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def spin(node: ServedNode) -> None:
    """Serve a node on this thread until SIGINT, SIGTERM or a shutdown."""
    executor = _Executor()
    executor.add_node(node)

    def turn() -> bool:
        # Unlike spin(), which in rclpy 7.1.6 may never look at its events.
        executor.spin_until_future_complete(Future(), timeout_sec=_TURN)
        return True

    # Our callbacks raise nothing. ROS's own do, of a message or a parameter that cannot be read.
    guarded = node.guard.around('executor', turn)
    while node.context.ok():
        if not guarded() and node.context.ok():
            time.sleep(_TURN)  # should it fail for ever, others get their turn
    executor.remove_node(node)
    executor.shutdown()  # else it holds the node, which others would see for half a minute yet


def end(node: Node | None) -> None:
    """Take a node out of the graph."""
    if node is not None:
        node.destroy_node()
    rclpy.try_shutdown()


def leave(code: int) -> None:
    """
    End the process; everything has been closed.

    What an interpreter does on its way out takes longer than the second we promise.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
