# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A topic for each attachment: what it bears."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
import contextlib
import logging

from free_flyer_dynamics.ros import conversions
from free_flyer_dynamics.ros.listeners import listeners
from free_flyer_dynamics.ros.scene import topic_name
from free_flyer_dynamics.values import Wrench
from geometry_msgs.msg import WrenchStamped
from rclpy.exceptions import InvalidHandle, NameValidationException
from rclpy.node import Node
from rclpy.publisher import Publisher

_LOG = logging.getLogger(__name__)
_DEPTH = 10


class WrenchTopics:
    """The publishers of wrenches by attachment; changed on the executor's thread alone."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._topics: dict[str, str] = {}
        self._publishers: dict[str, Publisher] = {}  # replaced whole: others read it meanwhile

    def follow(self, attachments: Iterable[str]) -> None:
        """Have a publisher for each attachment and no other."""
        names = tuple(attachments)
        kept = {name: p for name, p in self._publishers.items() if name in names}
        gone = [p for name, p in self._publishers.items() if name not in kept]
        self._topics = {name: self._topics[name] for name in kept}
        for name in names:
            if name not in kept:
                topic = self._free_topic(name)
                try:
                    kept[name] = self._node.create_publisher(WrenchStamped, topic, _DEPTH)
                except NameValidationException as error:  # the change is made all the same
                    _LOG.warning("Attachment '%s' has no topic of its own: %s", name, error)
                    continue
                self._topics[name] = topic
        self._publishers = kept
        for publisher in gone:
            self._node.destroy_publisher(publisher)

    def _free_topic(self, name: str) -> str:
        """Return a topic no other attachment has, as much like the name as a topic can be."""
        plain = f'wrenches/{topic_name(name.replace("/", "_"))}'
        taken, topic, k = self._topics.values(), plain, 1
        while topic in taken:
            topic, k = f'{plain}_{k + 1}', k + 1
        if topic != f'wrenches/{name}':
            _LOG.info("The wrench of attachment '%s' is on %s.", name, topic)
        return topic

    def __iter__(self) -> Iterator[Publisher]:
        """Go through all publishers."""
        return iter(self._publishers.values())

    def wanted(self) -> tuple[str, ...]:
        """Return the attachments whose wrench somebody listens to; any thread may ask."""
        return tuple(name for name, p in self._publishers.items() if listeners(p))

    def publish(
        self,
        stamp: int,
        wrenches: Mapping[str, tuple[str, Wrench]],
        only: Collection[Publisher] | None,
    ) -> None:
        """Publish wrenches by attachment; with `only`, on those topics alone."""
        publishers = self._publishers
        for name, (frame, wrench) in wrenches.items():
            publisher = publishers.get(name)
            if publisher is not None and (only is None or publisher in only):
                with contextlib.suppress(InvalidHandle):  # taken away meanwhile
                    publisher.publish(conversions.wrench_to_msg(stamp, frame, wrench))
