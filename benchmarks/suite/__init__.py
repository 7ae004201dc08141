# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The benchmarks, one file each: `run(settings)` yields figures; the docstring heads its table."""
