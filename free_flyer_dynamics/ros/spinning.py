# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Turn a node's callbacks over until it is told to stop."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.task import Future

try:  # a third of the CPU time and of the latency
    from rclpy.experimental import EventsExecutor as _Executor
except ImportError:  # before it was there
    _Executor = SingleThreadedExecutor


_TURN = 0.1  # s
RCLError = rclpy_implementation.RCLError  # what rclpy.init raises of arguments it cannot read


def let_signals_interrupt() -> None:
    """Let SIGTERM end what is under way as SIGINT does, before rclpy listens as after."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def let_signals_pass() -> None:
    """Hear no more of them: everything is being closed."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def spin(node: Node) -> None:
    """Serve a node on this thread until SIGINT, SIGTERM or a shutdown."""
    executor = _Executor()
    executor.add_node(node)
    with contextlib.suppress(KeyboardInterrupt, ExternalShutdownException):
        # Unlike spin(), which in rclpy 7.1.6 may never look at its events.
        while node.context.ok():
            executor.spin_until_future_complete(Future(), timeout_sec=_TURN)
    executor.remove_node(node)


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
