# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The papers' forward dynamics, each showing what its paper claims: see docs/algorithms.md."""

from free_flyer_dynamics.papers import compiled  # isort: skip  # before any kernel is loaded
from free_flyer_dynamics.papers.link_by_link import links_apart
from free_flyer_dynamics.papers.operators import inertia_operator, spatial_operators

__all__ = ['compiled', 'inertia_operator', 'links_apart', 'spatial_operators']
