# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The page: a scene, its panels, and the thread that keeps them as what is known."""

from __future__ import annotations

from collections.abc import Mapping
import logging
import operator
import threading
import time

from free_flyer_dynamics.viewer import camera, light, look, table
from free_flyer_dynamics.viewer.cast import Cast
from free_flyer_dynamics.viewer.controls import Actions, Controls
from free_flyer_dynamics.viewer.history import History
from free_flyer_dynamics.viewer.latest import Joints, Latest, Table
from free_flyer_dynamics.viewer.marks import Marks
from free_flyer_dynamics.viewer.plots import Plots
from free_flyer_dynamics.viewer.skeleton import wxyz
import viser

_LOG = logging.getLogger(__name__)
_SLOW = 0.2  # s between looks at plots and lists
_SILENT = 2.0  # s without a state, though nothing is paused, that are worth a word
_ALONE = 0.25  # s between looks whether somebody watches


class Stage:
    """
    What is shown, and to whom.

    Parameters
    ----------
    latest : Latest
        Kept up to date by somebody else.
    actions : Actions
        What the buttons do.
    host, port
        Where the page is.
    rate : float
        Frames in a second.

    """

    def __init__(
        self, latest: Latest, actions: Actions, host: str, port: int, rate: float = 60.0
    ) -> None:
        self._told, self._interval = latest, 1.0 / rate
        self._latest = latest.at_once()  # what this frame shows
        # A browser that opens a line and hangs up without a word is no error of ours.
        logging.getLogger('websockets.server').setLevel(logging.CRITICAL)
        self._server = viser.ViserServer(host=host, port=port, label='free flyer', verbose=False)
        self.port = self._server.get_port()
        self._cast = Cast(self._server.scene)
        self._marks = Marks(self._server.scene)
        self._history: History | None = None
        self._plots: Plots | None = None
        self._controls = Controls(self._server.gui, actions)
        self._table = Table()
        self._state: tuple = (None, None, None)  # as drawn last
        self._stamp = -1.0
        self._heard: tuple[Joints | None, float] = (None, 0.0)  # the newest state, and since when
        self._began = latest.began
        self._seen = 0  # points that are followed, when the camera was aimed last
        self._stopping = threading.Event()
        self._frames, self._watched = 0, 0.0  # drawn so far, in so many seconds
        self._set_up()
        self._thread = threading.Thread(target=self._run, name='viewer', daemon=True)

    def start(self) -> None:
        """Begin to draw."""
        self._thread.start()

    @property
    def frame_rate(self) -> float:
        """Return how many frames a second were drawn while somebody watched."""
        return self._frames / self._watched if self._watched else 0.0

    def stop(self) -> None:
        """End the page."""
        self._stopping.set()
        self._thread.join(timeout=2)
        self._server.stop()
        if self.frame_rate:
            _LOG.info('Drew %.1f frames a second.', self.frame_rate)

    def show_pace(self, paused: bool, factor: float) -> None:
        """Let the page say whether the simulator stands still, and how fast it is to run."""
        self._controls.show_paused(paused)
        self._controls.show_speed(factor)

    def _set_up(self) -> None:
        scene, gui = self._server.scene, self._server.gui
        gui.configure_theme(
            dark_mode=True,
            show_logo=False,
            show_share_button=False,
            control_layout='floating',
            control_width='medium',
            brand_color=look.ACCENT,
        )
        gui.set_panel_label('free flyer')
        scene.set_up_direction('+z')
        light.shine(scene)
        scene.set_background_image(look.sky(), format='jpeg', jpeg_quality=90)
        self._clock = gui.add_markdown('waiting for a simulator …')
        tabs = gui.add_tab_group()
        with tabs.add_tab('Flight', icon='rocket'):
            self._controls.build_flight()
        with tabs.add_tab('Structure', icon='hierarchy-2'):
            self._controls.build_structure()
            self._rows = gui.add_html('')
        self._note = gui.add_markdown('')
        self._panel = gui.add_panel()
        self._curves = self._panel.add_tab('Curves', icon='chart-line')
        self._panel.dock_left()

    def _run(self) -> None:
        slow = due = 0.0
        while not self._stopping.is_set():
            started = time.monotonic()
            if not self._server.get_clients():
                self._stopping.wait(_ALONE)
                continue
            due = max(due + self._interval, started)  # late once is not late for ever
            try:
                with self._server.atomic():
                    self._draw()
                    if started >= slow:
                        slow = started + _SLOW
                        self._draw_slowly()
                self._server.flush()  # else it waits for a sixtieth of a second after the last
                self._frames += 1
            except Exception:
                _LOG.exception('A frame could not be drawn; going on.')
            self._stopping.wait(max(due - time.monotonic(), 1e-3))
            self._watched += time.monotonic() - started

    def _draw(self) -> None:
        """Show where everything is."""
        latest = self._latest = self._told.at_once()
        self._meet(latest)
        joints = latest.joints
        state = joints, latest.roots, latest.momenta  # they come one by one, and are replaced
        if joints is None or all(map(operator.is_, state, self._state)):
            return
        if self._is_new_flight(joints):
            self._marks.clear()
            if self._history is not None:
                self._history.clear()
        self._state, self._stamp = state, joints.stamp
        positions, places, points = joints.by_name(), {}, {}
        frames = {frame for frame, _, _ in latest.wrenches.values()} | {latest.table.base}
        for view in self._cast.views:
            root = latest.roots.get(view.model.root)
            if root is None:
                continue
            view.move(root, positions)
            for link in frames.intersection(view.links):
                places[link] = view.place(link, root, positions)
            points[view.model.root] = (root[0], look.BASE_TRAIL)
            for hand in view.hands if view.model.joints else ():
                points[hand] = (view.place(hand, root, positions)[0], look.HAND_TRAIL)
        if len(points) > self._seen:  # somebody new; later the view is the user's own
            self._seen = len(points)
            self._look_at_all(positions)
        self._marks.follow(points)
        self._marks.momentum(latest.momenta.get(''))
        base = places.get(latest.table.base)
        self._marks.base(base, None if base is None else wxyz(base[1]))
        self._marks.grips(latest, places)
        if self._history is not None:
            self._history.add(latest)

    def _look_at_all(self, positions: Mapping[str, float]) -> None:
        here = [view for view in self._cast.views if view.model.root in self._latest.roots]
        points = [
            view.place(link, self._latest.roots[view.model.root], positions)[0]
            for view in here
            for link in view.links
        ]
        camera.aim(self._server, points, max(view.bulk for view in here))

    def _how_it_stands(self, joints: Joints) -> str:
        """Return whether the simulator is paused, or silent: it compiles, or is gone."""
        now = time.monotonic()
        if joints is not self._heard[0]:
            self._heard = joints, now
        silence = now - self._heard[1]
        if self._controls.paused:
            return ' · paused'
        return f' · silent for {silence:.0f} s' if silence > _SILENT else ''

    def _is_new_flight(self, joints: Joints) -> bool:
        """Tell whether time ran back, or the simulator went back to its start."""
        if self._latest.began != self._began and joints.stamp >= self._latest.began:
            self._began = self._latest.began
            return True
        return joints.stamp < self._stamp

    def _meet(self, latest: Latest) -> None:
        """Let robots come and go; the curves are those of the first."""
        before = self._cast.views
        self._cast.meet(latest.descriptions)
        views = self._cast.views
        if views == before:
            return
        self._state, self._stamp = (None, None, None), -1.0
        if not set(before) <= set(views):
            self._seen = 0
        if views and views[:1] != before[:1]:
            self._marks.size = views[0].skeleton.size
            self._history = History(views[0].model)
            if self._plots is not None:
                self._plots.remove()
            with self._curves:
                self._plots = Plots(self._server.gui, self._history)
                self._plots.build()

    def _draw_slowly(self) -> None:
        """Show curves, the table, the lists and the clock."""
        latest = self._latest
        if latest.table != self._table:
            self._table = latest.table
            self._rows.content = table.html(latest.table)
            for view in self._cast.views:
                view.mark_locked(latest.table.locked)
        if latest.joints is not None:
            views = self._cast.views
            self._controls.offer(
                latest.joints.names,
                [link for view in views for link in view.links],
                [hand for view in views if view.model.joints for hand in view.hands],
                latest.table,
            )
            state = f' · {latest.phase}' if latest.phase else ''
            state += self._how_it_stands(latest.joints)
            self._clock.content = (
                f'**{latest.joints.stamp:.2f} s** · {latest.table.dof} DOF{state}'
            )
        if self._note.content != latest.note:
            self._note.content = latest.note
        if self._plots is not None:
            if not self._plots.fits():
                with self._curves:
                    self._plots.build()
            self._plots.draw()
