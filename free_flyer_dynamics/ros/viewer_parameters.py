# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Every parameter of the viewer, once."""

from __future__ import annotations

from dataclasses import dataclass

from free_flyer_dynamics.ros.declare import declared, parameter
from rclpy.node import Node


@dataclass(frozen=True)
class ViewerParameters:
    """The viewer's own."""

    simulator: str = parameter('free_flyer', 'Name of the simulator, whose services are called.')
    host: str = parameter(
        '127.0.0.1', 'Address the page is served at; 0.0.0.0: to every machine that reaches us.'
    )
    port: int = parameter(8080, 'Of the page; the next free one is taken.', low=1, high=65535)
    frame_rate: float = parameter(
        60.0, 'Frames drawn in a second.', unit='Hz', low=1.0, high=240.0
    )


def read(node: Node) -> ViewerParameters:
    """Declare every parameter on the node and return their values."""
    return ViewerParameters(**declared(node, ViewerParameters))
