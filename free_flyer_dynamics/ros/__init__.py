# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The simulator as a ROS 2 node: the only folder that knows ROS."""
