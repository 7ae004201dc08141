# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Unit quaternions, w first, and rotation matrices."""

import math

from free_flyer_dynamics.kernels._jit import kernel, out_of_line


@kernel
def matrix_from_quat(quat, R_out):
    """
    Rotation matrix of a unit quaternion (w, x, y, z).

    Out of line: inlined beside a joint's sine and cosine, LLVM makes of the two one branch-free
    piece that takes 350 ns instead of 10.
    """
    out_of_line()
    w, x, y, z = quat[0], quat[1], quat[2], quat[3]
    R_out[0, 0] = 1 - 2 * (y * y + z * z)
    R_out[0, 1] = 2 * (x * y - w * z)
    R_out[0, 2] = 2 * (x * z + w * y)
    R_out[1, 0] = 2 * (x * y + w * z)
    R_out[1, 1] = 1 - 2 * (x * x + z * z)
    R_out[1, 2] = 2 * (y * z - w * x)
    R_out[2, 0] = 2 * (x * z - w * y)
    R_out[2, 1] = 2 * (y * z + w * x)
    R_out[2, 2] = 1 - 2 * (x * x + y * y)


@kernel
def quat_from_matrix(R, quat_out):
    """
    Find the unit quaternion (w, x, y, z) of a rotation matrix, w >= 0.

    The largest of the four is found first, so that nothing is divided by a small number.
    """
    xx, yy, zz = R[0, 0], R[1, 1], R[2, 2]
    trace = xx + yy + zz
    if trace >= xx and trace >= yy and trace >= zz:
        w, x, y, z = 1 + trace, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    elif xx >= yy and xx >= zz:
        w, x, y, z = R[2, 1] - R[1, 2], 1 + xx - yy - zz, R[1, 0] + R[0, 1], R[0, 2] + R[2, 0]
    elif yy >= zz:
        w, x, y, z = R[0, 2] - R[2, 0], R[1, 0] + R[0, 1], 1 + yy - xx - zz, R[2, 1] + R[1, 2]
    else:
        w, x, y, z = R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2], 1 + zz - xx - yy
    s = 1 / math.sqrt(w * w + x * x + y * y + z * z)
    if w < 0:
        s = -s
    quat_out[0] = s * w
    quat_out[1] = s * x
    quat_out[2] = s * y
    quat_out[3] = s * z


@kernel
def turn(quat, theta, quat_out):
    """Quaternion turned by the rotation vector theta, given in its own axes; unit length."""
    angle = math.sqrt(theta[0] ** 2 + theta[1] ** 2 + theta[2] ** 2)
    # sin(a/2) / a, by its series where that is exact to the last digit
    s = math.sin(0.5 * angle) / angle if angle > 1e-4 else 0.5 - angle * angle / 48
    w, x, y, z = math.cos(0.5 * angle), s * theta[0], s * theta[1], s * theta[2]
    a, b, c, d = quat[0], quat[1], quat[2], quat[3]
    qw = a * w - b * x - c * y - d * z
    qx = a * x + b * w + c * z - d * y
    qy = a * y - b * z + c * w + d * x
    qz = a * z + b * y - c * x + d * w
    norm = 1 / math.sqrt(qw * qw + qx * qx + qy * qy + qz * qz)
    quat_out[0] = norm * qw
    quat_out[1] = norm * qx
    quat_out[2] = norm * qy
    quat_out[3] = norm * qz


@kernel
def rotation_vector(quat, theta_out):
    """Rotation vector of a unit quaternion (w, x, y, z), of length at most pi."""
    sign = 1.0 if quat[0] >= 0 else -1.0
    sine = math.sqrt(quat[1] ** 2 + quat[2] ** 2 + quat[3] ** 2)
    scale = 2 * math.atan2(sine, abs(quat[0])) / sine if sine > 1e-9 else 2.0
    for k in range(3):
        theta_out[k] = sign * scale * quat[1 + k]


@kernel
def rotation_vector_rate(theta, w, rate_out):
    """
    Rate of the rotation vector of a frame that turns with w, given in its own axes.

    The inverse differential of exp [Munthe-Kaas 1998], whole and not a series cut where a
    fourth-order step would not see it: one step of the reference may turn far.
    """
    x, y, z = theta[0], theta[1], theta[2]
    cx, cy, cz = y * w[2] - z * w[1], z * w[0] - x * w[2], x * w[1] - y * w[0]
    a = x * x + y * y + z * z
    if a < 0.01:  # (1 - a/2 cot a/2) / a^2 to the last digit
        s = 1 / 12 + a * (1 / 720 + a * (1 / 30240 + a / 1209600))
    else:
        half = 0.5 * math.sqrt(a)
        s = (1 - half / math.tan(half)) / a
    rate_out[0] = w[0] + 0.5 * cx + s * (y * cz - z * cy)
    rate_out[1] = w[1] + 0.5 * cy + s * (z * cx - x * cz)
    rate_out[2] = w[2] + 0.5 * cz + s * (x * cy - y * cx)


@kernel
def swap_side(quat, w):
    """
    Set w = -R w, R the matrix of quat.

    Takes the velocity of one side relative to the other, in its own axes, to the other's relative
    to it; quat turns the one's axes to the other's.
    """
    _minus_rotated(quat[0], quat[1], quat[2], quat[3], w)


@kernel
def swap_side_back(quat, w):
    """Set w = -R.T w, R the matrix of quat: the torque that goes with swap_side's velocity."""
    _minus_rotated(quat[0], -quat[1], -quat[2], -quat[3], w)


@kernel
def _minus_rotated(s, x, y, z, w):
    a, b, c = w[0], w[1], w[2]
    ta, tb, tc = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    w[0] = -(a + s * ta + y * tc - z * tb)
    w[1] = -(b + s * tb + z * ta - x * tc)
    w[2] = -(c + s * tc + x * tb - y * ta)
