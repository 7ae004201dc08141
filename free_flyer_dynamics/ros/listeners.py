# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Who listens to what, and who has just come."""

from __future__ import annotations

from collections.abc import Iterable

from rclpy.exceptions import InvalidHandle
from rclpy.publisher import Publisher


def listeners(publisher: Publisher) -> int:
    """Return how many listen; nobody does to a publisher that has been taken away."""
    try:
        return publisher.get_subscription_count()
    except InvalidHandle:
        return 0


class Newcomers:
    """Tells to which topics somebody new listens."""

    def __init__(self) -> None:
        self._before: dict[Publisher, int] = {}

    def look(self, publishers: Iterable[Publisher]) -> set[Publisher]:
        """Return the publishers with more listeners than at the last look."""
        now = {publisher: listeners(publisher) for publisher in publishers}
        before, self._before = self._before, now
        return {publisher for publisher, count in now.items() if count > before.get(publisher, 0)}
