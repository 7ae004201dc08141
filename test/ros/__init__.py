# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Tests that talk ROS 2: between processes, over real DDS."""
