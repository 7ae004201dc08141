# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Compiled loops over flat arrays: Numba, and only Numba."""
