# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A crash in a callback is logged and counted; the node lives on."""

from __future__ import annotations

from collections.abc import Callable
import logging
import time
from typing import Any

from free_flyer_dynamics.ros.tally import Tally
from rclpy.exceptions import InvalidHandle
from rclpy.impl.implementation_singleton import rclpy_implementation

_LOG = logging.getLogger(__name__)
RCLError = rclpy_implementation.RCLError
_SHUTTING = 0.05  # s; how long after the middleware has gone a context may still seem to be there


def goes_on(alive: Callable[[], bool], error: Exception) -> bool:
    """Tell whether a node goes on after an error, or fails because all is being shut down."""
    if isinstance(error, (RCLError, InvalidHandle)) and alive():
        time.sleep(_SHUTTING)
    return alive()


class Guard:
    """
    Wraps callbacks.

    Parameters
    ----------
    alive : callable
        Tells whether the node goes on; what fails when everything is being shut down is no crash.

    """

    def __init__(self, alive: Callable[[], bool] = lambda: True) -> None:
        self._alive = alive
        self.crashes = Tally()

    def around(self, name: str, callback: Callable) -> Callable:
        """Return a callback that never raises."""

        def guarded(*arguments):
            try:
                return callback(*arguments)
            except Exception as error:
                if goes_on(self._alive, error):
                    self.crashes.add(name, repr(error))
                    _LOG.exception("The callback of '%s' crashed; the node goes on.", name)
                return self._failed(arguments, error)

        return guarded

    @staticmethod
    def _failed(arguments: tuple, error: Exception):
        """Return a service's response, which says so; nothing for a message."""
        response: Any = arguments[-1] if len(arguments) == 2 else None
        sentence = f'Internal error: {error!r}'
        if hasattr(response, 'success'):
            response.success, response.message = False, sentence
        elif hasattr(response, 'result'):  # of simulation_interfaces
            response.result.result = response.result.RESULT_OPERATION_FAILED
            response.result.error_message = sentence
        return response
