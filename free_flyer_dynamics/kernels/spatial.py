# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Six-dimensional algebra, angular part first.

X is a motion transform: it takes parent coordinates of a twist to node coordinates; its transpose
takes node coordinates of a wrench to the parent's. [RBDA] chapter 2.
"""

from free_flyer_dynamics.kernels._jit import kernel


@kernel
def cross_add(a, b, out):
    """Add a x b, three-dimensional."""
    out[0] += a[1] * b[2] - a[2] * b[1]
    out[1] += a[2] * b[0] - a[0] * b[2]
    out[2] += a[0] * b[1] - a[1] * b[0]


@kernel
def rotate(R, a, out):
    """Set out = R @ a, three-dimensional; out may not be a."""
    for i in range(3):
        out[i] = R[i, 0] * a[0] + R[i, 1] * a[1] + R[i, 2] * a[2]


@kernel
def rotate_back(R, a, out):
    """Set out = R.T @ a, three-dimensional; out may not be a."""
    for i in range(3):
        out[i] = R[0, i] * a[0] + R[1, i] * a[1] + R[2, i] * a[2]


@kernel
def compose(A, B, out):
    """Set out = A @ B, 3 by 3."""
    for i in range(3):
        for j in range(3):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]


@kernel
def motion_transform(E, r, X_out):
    """
    Motion transform to a frame at r whose axes are the columns of E, both in parent coordinates.

    X = [E.T, 0; -E.T rx, E.T].
    """
    for i in range(3):
        for j in range(3):
            X_out[i, j] = E[j, i]
            X_out[3 + i, 3 + j] = E[j, i]
            X_out[i, 3 + j] = 0.0
        X_out[3 + i, 0] = E[2, i] * r[1] - E[1, i] * r[2]
        X_out[3 + i, 1] = E[0, i] * r[2] - E[2, i] * r[0]
        X_out[3 + i, 2] = E[1, i] * r[0] - E[0, i] * r[1]


@kernel
def mul(X, a, out):
    """Set out = X @ a, X a motion transform, whose upper right block is zero."""
    for i in range(3):
        out[i] = X[i, 0] * a[0] + X[i, 1] * a[1] + X[i, 2] * a[2]
    for i in range(3, 6):
        s = X[i, 0] * a[0] + X[i, 1] * a[1] + X[i, 2] * a[2]
        out[i] = s + X[i, 3] * a[3] + X[i, 4] * a[4] + X[i, 5] * a[5]


@kernel
def mul_add(A, a, out):
    """Add A @ a, A any 6 by 6."""
    for i in range(6):
        s = 0.0
        for j in range(6):
            s += A[i, j] * a[j]
        out[i] += s


@kernel
def mul_transposed_add(X, a, out):
    """Add X.T @ a, X a motion transform."""
    for j in range(3):
        s = 0.0
        for i in range(6):
            s += X[i, j] * a[i]
        out[j] += s
    for j in range(3, 6):
        out[j] += X[3, j] * a[3] + X[4, j] * a[4] + X[5, j] * a[5]


@kernel
def congruence_add(X, inertia, scratch, out):
    """Add X.T @ inertia @ X, X a motion transform, inertia symmetric; scratch is 6 by 6."""
    for i in range(6):
        for j in range(3):
            s = 0.0
            for k in range(6):
                s += inertia[i, k] * X[k, j]
            scratch[i, j] = s
        for j in range(3, 6):
            scratch[i, j] = (
                inertia[i, 3] * X[3, j] + inertia[i, 4] * X[4, j] + inertia[i, 5] * X[5, j]
            )
    for j in range(3):  # the angular block, then what is below it, mirrored
        for i in range(j + 1):
            s = 0.0
            for k in range(6):
                s += X[k, i] * scratch[k, j]
            out[i, j] += s
            if i != j:
                out[j, i] += s
    for i in range(3, 6):
        for j in range(i + 1):
            s = X[3, i] * scratch[3, j] + X[4, i] * scratch[4, j] + X[5, i] * scratch[5, j]
            out[i, j] += s
            if i != j:
                out[j, i] += s


@kernel
def inertia_matrix(mass, moment, inertia, out):
    """Spatial inertia from mass, first moment and rotational inertia about the origin."""
    for i in range(3):
        for j in range(3):
            out[i, j] = inertia[i, j]
            out[3 + i, 3 + j] = 0.0
            out[i, 3 + j] = 0.0
        out[3 + i, 3 + i] = mass
    out[0, 4] = -moment[2]
    out[0, 5] = moment[1]
    out[1, 3] = moment[2]
    out[1, 5] = -moment[0]
    out[2, 3] = -moment[1]
    out[2, 4] = moment[0]
    for i in range(3):
        for j in range(3):
            out[3 + i, j] = out[j, 3 + i]


@kernel
def body_momentum(mass, moment, inertia, v, out):
    """Momentum of a rigid body about its frame's origin: I v with v its twist."""
    for i in range(3):
        out[i] = inertia[i, 0] * v[0] + inertia[i, 1] * v[1] + inertia[i, 2] * v[2]
        out[3 + i] = mass * v[3 + i]
    cross_add(moment, v[3:], out[:3])
    cross_add(v[:3], moment, out[3:])


@kernel
def cross_force(v, f, out):
    """Set out = v x* f: the rate of a wrench or momentum f fixed in a frame that moves with v."""
    for i in range(6):
        out[i] = 0.0
    cross_add(v[:3], f[:3], out[:3])
    cross_add(v[3:], f[3:], out[:3])
    cross_add(v[:3], f[3:], out[3:])
