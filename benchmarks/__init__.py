# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What the library costs, beside its peers. Run `python -m benchmarks`, or `make bench`.

A benchmark is one file in `suite/` with a function `run(settings)` that yields figures.

"""
