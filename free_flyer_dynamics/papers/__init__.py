# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The papers' forward dynamics, each showing what its paper claims: see docs/equations.md."""

from free_flyer_dynamics.papers import compiled  # noqa: F401  (before any kernel here is loaded)
