# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The services of simulation_interfaces, where that package is installed."""

from __future__ import annotations


def offer(node, loop, robots, call, guard):
    """Offer them."""
    return None
