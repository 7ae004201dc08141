# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The buttons of the page, and the keys that press them."""

from __future__ import annotations

from collections.abc import Sequence
import time
from typing import Protocol

from free_flyer_dynamics.viewer.latest import Table
import viser

PUSHES = {'+x': (1, 0, 0), '+y': (0, 1, 0), '+z': (0, 0, 1),
          '-x': (-1, 0, 0), '-y': (0, -1, 0), '-z': (0, 0, -1)}  # fmt: skip
_NONE = '-'
_HELD = 3.0  # s; a slider that was moved is left alone so long


class Actions(Protocol):
    """What a page may ask of a simulator; each returns at once, the answer comes as a note."""

    def pause(self, paused: bool) -> None:
        """Stand still, or go on."""

    def step(self, steps: int) -> None:
        """Make that many steps while paused."""

    def speed(self, factor: float) -> None:
        """Let so many simulated seconds pass in a second."""

    def push(self, force: Sequence[float], seconds: float) -> None:
        """Push the first robot's root with a force in world axes, for a while."""

    def change(self, operations: Sequence[tuple]) -> None:
        """Change the structure, as `Simulator.change` does."""

    def reset(self) -> None:
        """Go back to the start."""


class Controls:
    """
    Buttons in two groups: the flight, and the structure.

    Parameters
    ----------
    gui : viser.GuiApi
    actions : Actions

    """

    def __init__(self, gui: viser.GuiApi, actions: Actions) -> None:
        self._gui, self._actions = gui, actions
        self.paused = False
        self._known: tuple = ()

    def build_flight(self) -> None:
        """Make the buttons of the flight."""
        gui, actions = self._gui, self._actions
        self._pause = gui.add_button('Pause', icon='player-pause', hint='Space')
        self._pause.on_click(lambda _: self._toggle())
        self._steps = gui.add_dropdown('Steps', ('1', '10', '100', '1000'), initial_value='100')
        step = gui.add_button('Step', icon='player-track-next', hint='S; only while paused')
        step.on_click(lambda _: actions.step(int(self._steps.value)))
        hint = 'simulated seconds in a second'
        self._speed = gui.add_slider('Speed', 0.1, 10.0, 0.1, 1.0, hint=hint)
        self._speed.on_update(lambda event: self._set_speed(event))
        self._moved = 0.0
        reset = gui.add_button('Reset', icon='rotate', hint='R')
        reset.on_click(lambda _: actions.reset())
        with gui.add_folder('Push the base'):
            self._force = gui.add_slider('Force [N]', 1.0, 200.0, 1.0, 40.0)
            self._seconds = gui.add_slider('For [s]', 0.1, 5.0, 0.1, 1.0)
            self._towards('Towards', tuple(PUSHES)[:3])
            self._towards('', tuple(PUSHES)[3:])
        self._keys(step)

    def _towards(self, label: str, ways: tuple[str, ...]) -> None:
        hint = 'axes of world; P pushes towards +y'
        group = self._gui.add_button_group(label, ways, hint=hint)
        group.on_click(lambda _: self._push(str(group.value)))

    def _keys(self, step) -> None:
        for label, key, act in (
            ('Pause or run', 'space', self._toggle),
            ('Step', 'S', lambda: self._actions.step(int(self._steps.value))),
            ('Reset', 'R', self._actions.reset),
            ('Push the base', 'P', lambda: self._push('+y')),
        ):
            self._gui.add_command(label, hotkey=key).on_trigger(lambda _, act=act: act())

    def _toggle(self) -> None:
        self.paused = not self.paused
        self._actions.pause(self.paused)
        self.show_paused(self.paused)

    def show_paused(self, paused: bool) -> None:
        """Let the button say what it will do."""
        if self.paused == paused and self._pause.label == ('Run' if paused else 'Pause'):
            return
        self.paused = paused
        self._pause.label = 'Run' if paused else 'Pause'
        self._pause.icon = 'player-play' if paused else 'player-pause'

    def _set_speed(self, event) -> None:
        if event.client is not None:  # by hand, and not by what the simulator said
            self._moved = time.monotonic()
            self._actions.speed(float(self._speed.value))

    def show_speed(self, factor: float) -> None:
        """Let the slider be where the simulator is, unless somebody is moving it."""
        there = round(min(max(factor, 0.1), 10.0), 1)
        if time.monotonic() - self._moved > _HELD and self._speed.value != there:
            self._speed.value = there

    def _push(self, towards: str) -> None:
        force = [float(self._force.value) * part for part in PUSHES[towards]]
        self._actions.push(force, float(self._seconds.value))

    def build_structure(self) -> None:
        """Make the buttons of the structure."""
        gui = self._gui
        with gui.add_folder('Joints'):
            self._joint = gui.add_dropdown('Joint', (_NONE,))
            self._ask(gui.add_button('Lock', icon='lock'), lambda: ('lock', self._joint.value))
            self._ask(
                gui.add_button('Free', icon='lock-open'), lambda: ('unlock', self._joint.value)
            )
        with gui.add_folder('Grasp and release'):
            self._hand = gui.add_dropdown('Hand', (_NONE,))
            self._frame = gui.add_dropdown('Takes', (_NONE,))
            self._ask(
                gui.add_button('Grasp', icon='hand-grab'),
                lambda: ('attach', self._hand.value, self._frame.value, {}),
            )
            self._grip = gui.add_dropdown('Held', (_NONE,))
            self._ask(
                gui.add_button('Release', icon='hand-stop'), lambda: ('detach', self._grip.value)
            )
        with gui.add_folder('Base'):
            self._link = gui.add_dropdown('Link', (_NONE,))
            self._ask(
                gui.add_button('Make it the base', icon='anchor'),
                lambda: ('rebase', self._link.value),
            )

    def _ask(self, button, operation) -> None:
        def press(_) -> None:
            asked = operation()
            if _NONE not in asked:
                self._actions.change([asked])

        button.on_click(press)

    def offer(self, joints, links, hands, table: Table) -> None:
        """Let the lists hold what there is; what was chosen stays chosen if it can."""
        known = (tuple(joints), tuple(links), tuple(hands), table.attachments)
        if known == self._known:
            return
        self._known = known
        offer_choices(self._joint, joints)
        offer_choices(self._hand, (*hands, *(link for link in links if link not in hands)))
        offer_choices(self._frame, tuple(reversed(tuple(links))))
        offer_choices(self._grip, table.attachments)
        offer_choices(self._link, links)


def offer_choices(dropdown, names) -> None:
    """Let a list hold these names; what stood first is nobody's choice and makes way."""
    options = tuple(dict.fromkeys(names)) or (_NONE,)
    chosen, first = dropdown.value, dropdown.options[0]
    dropdown.options = options
    dropdown.value = chosen if chosen in options and chosen != first else options[0]
