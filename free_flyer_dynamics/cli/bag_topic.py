# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""A topic of an open bag: its type, its quality of service, and what writes its messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from free_flyer_dynamics.cli import messages


def writer(topic: str, bag, lasting: bool = False) -> Callable[[int, Any], None]:
    """Return what writes messages of a topic to an open bag; the type is that of the first."""
    connections: list = []

    def write(stamp: int, message) -> None:
        store, kind = messages.typestore(), message.__msgtype__
        if not connections:
            connections.append(
                bag.add_connection(
                    topic, kind, typestore=store, offered_qos_profiles=_qos(lasting)
                )
            )
        bag.write(connections[0], stamp, store.serialize_cdr(message, kind))

    return write


def _qos(lasting: bool):
    """Return what `ros2 bag play` offers a topic with; a lasting one serves late listeners."""
    from rosbags.interfaces import (
        Qos,
        QosDurability,
        QosHistory,
        QosLiveliness,
        QosReliability,
        QosTime,
    )

    forever = QosTime(9223372036, 854775807)
    return [
        Qos(
            QosHistory.KEEP_LAST,
            1 if lasting else 10,
            QosReliability.RELIABLE,
            QosDurability.TRANSIENT_LOCAL if lasting else QosDurability.VOLATILE,
            forever,
            forever,
            QosLiveliness.AUTOMATIC,
            forever,
            False,
        )
    ]
