# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What RViz is shown beside the robot."""

from __future__ import annotations

from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.values import Momentum
from visualization_msgs.msg import Marker

METERS_PER_NEWTON_SECOND = 0.02


def momentum_arrow(stamp: int, world: str, momentum: Momentum) -> Marker:
    """Return an arrow from the centre of mass along the linear momentum."""
    end = momentum.center + METERS_PER_NEWTON_SECOND * momentum.linear
    marker = Marker(
        header=conversions.header(stamp, world),
        ns='momentum',
        type=Marker.ARROW,
        action=Marker.ADD,
    )
    marker.points = [conversions.point_to_msg(p) for p in (momentum.center, end)]
    marker.pose.orientation.w = 1.0
    marker.scale.x, marker.scale.y, marker.scale.z = 0.03, 0.06, 0.1
    marker.color.r, marker.color.g, marker.color.b, marker.color.a = 0.1, 0.6, 1.0, 1.0
    return marker
