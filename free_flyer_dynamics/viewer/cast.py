# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Who is on the scene: the robots that somebody describes."""

from __future__ import annotations

from collections.abc import Mapping
import logging

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.urdf import load_known
from free_flyer_dynamics.viewer.robot import RobotView
import viser

_LOG = logging.getLogger(__name__)


class Cast:
    """
    Robots by the topics that describe them.

    Parameters
    ----------
    scene : viser.SceneApi
        Where they are drawn.

    """

    def __init__(self, scene: viser.SceneApi) -> None:
        self._scene = scene
        # Text and robot by topic; none where nobody can be made of the text.
        self._known: dict[str, tuple[str, RobotView | None]] = {}

    @property
    def views(self) -> tuple[RobotView, ...]:
        """Return the robots; the first is the one whose topic is shortest, whoever came first."""
        known = (self._known[topic][1] for topic in sorted(self._known, key=len))
        return tuple(view for view in known if view is not None)

    def meet(self, descriptions: Mapping[str, str]) -> None:
        """Let in robots that have come, draw anew those that are others now, drop who is gone."""
        for topic in [topic for topic in self._known if topic not in descriptions]:
            self._drop(topic)
        for topic, text in descriptions.items():
            if topic in self._known and self._known[topic][0] == text:
                continue
            self._drop(topic)
            self._known[topic] = (text, self._view(topic, text))

    def _drop(self, topic: str) -> None:
        _text, view = self._known.pop(topic, ('', None))
        if view is not None:
            view.remove()

    def _view(self, topic: str, text: str) -> RobotView | None:
        try:
            return RobotView(self._scene, load_known(text))  # the simulator warned
        except ModelError as error:
            _LOG.warning('%s: %s', topic, error)
            return None
