# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The spanning forest of what is joined, and who is beside whom in it."""

from free_flyer_dynamics.graph import CUT, IN_TREE
from free_flyer_dynamics.kernels._jit import inlined, kernel


@kernel
def _find(group, i):
    while group[i] != i:
        group[i] = group[group[i]]
        i = group[i]
    return i


@inlined
def spanning_forest(edges, group, role_out):
    """Mark the edges that would close a loop, in order of creation, CUT."""
    for i in range(len(group)):
        group[i] = i
    for e in range(len(edges.kind)):
        a, b = _find(group, edges.a[e]), _find(group, edges.b[e])
        role_out[e] = CUT if a == b else IN_TREE
        group[b] = a


@inlined
def neighbours(edges, role, head, following):
    """Chain the edges at each link, first edge first: 2 e leads from a to b, 2 e + 1 back."""
    for i in range(len(head)):
        head[i] = -1
    for e in range(len(edges.kind) - 1, -1, -1):
        if role[e] == IN_TREE:
            following[2 * e] = head[edges.a[e]]
            head[edges.a[e]] = 2 * e
            following[2 * e + 1] = head[edges.b[e]]
            head[edges.b[e]] = 2 * e + 1
