# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Sunlight, and a little of it from everywhere.

Two plain lights. viser's own cast shadows and reflect a surrounding, which without a graphics card
takes most of the time of a frame: with these it is drawn two to four times as often.
"""

from __future__ import annotations

import viser

_SUN, _SKY, _BELOW = (255, 246, 230), (215, 225, 255), (70, 75, 95)
_FROM = (-4.0, -3.0, 9.0)


def shine(scene: viser.SceneApi) -> None:
    """Light the scene."""
    scene.configure_default_lights(enabled=False)
    scene.configure_environment_map(None)
    scene.add_light_hemisphere('/light/sky', sky_color=_SKY, ground_color=_BELOW, intensity=1.4)
    scene.add_light_directional('/light/sun', color=_SUN, intensity=2.4, position=_FROM)
