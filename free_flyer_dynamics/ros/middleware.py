# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What Fast DDS is told of our writers, unless users tell it something themselves.

After each message a reliable writer starts a clock, and until that has run out it hears of no
loss. The clock is set to nothing at all, so each message wakes another thread once more, which then
asks for the lock that the next message needs. Set to 20 ms it is started fifty times a second.
"""

from __future__ import annotations

import os

from free_flyer_dynamics.urdf_source import own_shares

# Where each generation of Fast DDS looks for its profiles, and ours.
PROFILES = {
    'FASTRTPS_DEFAULT_PROFILES_FILE': 'fast_dds_2.xml',
    'FASTDDS_DEFAULT_PROFILES_FILE': 'fast_dds_3.xml',
}


def set_up() -> None:
    """Name our profiles, where nobody has named any; before rclpy.init."""
    if any(os.environ.get(variable) for variable in PROFILES):
        return
    for variable, name in PROFILES.items():
        found = [share / 'config' / name for share in own_shares()]
        for path in [path for path in found if path.is_file()][:1]:
            os.environ[variable] = str(path)
