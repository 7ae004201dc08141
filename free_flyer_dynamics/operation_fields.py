# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A structure change as the fields of a message, and back; pure, and without ROS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def operation_of(message) -> tuple:
    """Return an operation as 'change' takes it; what a kind does not use must be left empty."""
    kind = message.kind
    if kind in ('lock', 'unlock'):
        return (kind, *message.joints)
    if kind == 'rebase':
        return (kind, message.frame_a)
    if kind == 'detach':
        return (kind, message.name)
    axis = (message.axis.x, message.axis.y, message.axis.z)
    options = {
        'joint': message.joint_type or 'fixed',
        'axis': axis if any(axis) else (0.0, 0.0, 1.0),
        'name': message.name or None,
    }
    if kind == 'attach':
        return (kind, message.frame_a, message.frame_b, {**options, 'align': message.align})
    return (kind, message.frame_a, options) if kind == 'anchor' else (kind,)


def fields_of(operation: Sequence) -> dict[str, Any]:
    """Return every field of the message for an operation; the axis as three numbers."""
    kind, *arguments = operation
    options = arguments.pop() if arguments and isinstance(arguments[-1], Mapping) else {}
    joins = kind in ('attach', 'anchor')
    name = arguments[0] if kind == 'detach' else options.get('name') if joins else ''
    return {
        'kind': kind,
        'joints': list(arguments) if kind in ('lock', 'unlock') else [],
        'frame_a': arguments[0] if joins or kind == 'rebase' else '',
        'frame_b': arguments[1] if kind == 'attach' else '',
        'joint_type': options.get('joint', 'fixed') if joins else '',
        'axis': tuple(options.get('axis', (0, 0, 1))) if joins else (0, 0, 0),
        'name': name or '',
        'align': kind == 'attach' and bool(options.get('align', False)),
    }
