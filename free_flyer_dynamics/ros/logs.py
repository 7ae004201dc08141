# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the library and our threads log, into the node's log."""

from __future__ import annotations

import logging
import sys
import warnings

import rclpy

_OURS = 'free_flyer_dynamics'


class _ToRos(logging.Handler):
    """Passes records on to a ROS logger."""

    def __init__(self, logger) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on."""
        text = self.format(record)
        if not rclpy.ok():  # a signal has closed the log under us
            print(f'[{record.levelname}] [{self._logger.name}]: {text}', file=sys.stderr)
        elif record.levelno >= logging.ERROR:
            self._logger.error(text)
        elif record.levelno >= logging.WARNING:
            self._logger.warning(text)
        else:
            self._logger.info(text)


def to_ros(logger) -> None:
    """Let everything this package logs, and its warnings, appear in that ROS log."""
    ours = logging.getLogger(_OURS)
    ours.handlers = [_ToRos(logger)]
    ours.propagate = False
    ours.setLevel(logging.INFO)

    def show(message, *_arguments, **_keywords) -> None:
        logger.warning(str(message))

    warnings.showwarning = show
