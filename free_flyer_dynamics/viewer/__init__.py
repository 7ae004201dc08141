# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The viewer: a page in a browser that shows a running simulator. It knows no ROS."""
