# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What `python -m free_flyer_dynamics` runs: the command line."""

from free_flyer_dynamics.cli.main import run_and_exit

run_and_exit()
