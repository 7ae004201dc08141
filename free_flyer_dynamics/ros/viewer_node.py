# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The viewer's node: listen, show, pass on what is pressed."""

from __future__ import annotations

from collections.abc import Sequence

from free_flyer_dynamics.errors import FreeFlyerError
from free_flyer_dynamics.ros import logs, spinning, viewer_parameters
from free_flyer_dynamics.ros.viewer_actions import ServiceActions
from free_flyer_dynamics.ros.viewer_topics import Topics
from free_flyer_dynamics.viewer.latest import Latest

_WITHOUT = 'The viewer needs the package viser: pip install viser.'


class ViewerNode(spinning.ServedNode):
    """A page in a browser, attached to a running simulator."""

    def __init__(self) -> None:
        super().__init__('free_flyer_viewer')
        logs.to_ros(self.get_logger())
        given = viewer_parameters.read(self)
        try:
            from free_flyer_dynamics.viewer.stage import Stage
        except ImportError:
            raise FreeFlyerError(_WITHOUT) from None
        latest = Latest()
        actions = ServiceActions(self, latest, given.simulator)
        self.stage = Stage(latest, actions, given.host, given.port, given.frame_rate)
        self._topics = Topics(self, latest, given.simulator, self.stage.show_pace)
        self.stage.start()
        shown = 'localhost' if given.host in ('127.0.0.1', '0.0.0.0') else given.host
        self.get_logger().info(f'Open http://{shown}:{self.stage.port} in a browser.')

    def stop(self) -> None:
        """End the page."""
        self.stage.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the viewer until it is told to stop."""
    return spinning.run('free_flyer_viewer', ViewerNode, arguments)


def run() -> None:
    """Run the viewer as a process of its own."""
    spinning.leave(main())


if __name__ == '__main__':
    run()
