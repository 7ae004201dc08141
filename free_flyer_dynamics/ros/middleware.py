# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What Fast DDS is told of our writers, unless users tell it something themselves.

After each message a reliable writer starts a clock, and hears of no loss until that has run out.
It is set to nothing at all, so each message wakes a thread once more, which then asks for the
lock that the next message needs. Set to 20 ms it is started fifty times a second.
"""

from __future__ import annotations

import os
from pathlib import Path

from free_flyer_dynamics.urdf_source import own_shares
import rclpy

_LOADED = Path('/proc/self/maps')  # on Linux
# A library of Fast DDS, where that generation looks for its profiles, and ours.
_OURS = (
    ('libfastrtps.so', 'FASTRTPS_DEFAULT_PROFILES_FILE', 'fast_dds_2.xml'),
    ('libfastdds.so', 'FASTDDS_DEFAULT_PROFILES_FILE', 'fast_dds_3.xml'),
)
VARIABLES = tuple(variable for _, variable, _ in _OURS)


def set_up() -> None:
    """Name our profiles, where nobody has named any; before rclpy.init."""
    if any(os.environ.get(variable) for variable in VARIABLES):
        return
    rclpy.get_rmw_implementation_identifier()  # loads it
    try:
        loaded = os.fsdecode(_LOADED.read_bytes())  # paths, which need not be text
    except OSError:  # no Linux, or one that keeps this to itself
        return
    for library, variable, name in _OURS:
        found = [share / 'config' / name for share in own_shares()]
        if library in loaded and found and found[0].is_file():
            os.environ[variable] = str(found[0])
