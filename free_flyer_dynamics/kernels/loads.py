# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What edges transmit: forces and impulses through the spanning forest, and through its loops."""

from free_flyer_dynamics.kernels._jit import inlined, kernel
from free_flyer_dynamics.kernels.links import link_twist
from free_flyer_dynamics.kernels.loops import loop_wrench_in_world
from free_flyer_dynamics.kernels.spatial import (
    body_momentum,
    cross_add,
    cross_force,
    rotate,
    rotate_back,
)


@kernel
def momentum_rates(links, plan, gravity, ws, load_out):
    """
    Rates of the links' momenta less weight, about the world origin, world axes.

    Workspace has R, x, v and a, the latter less gravity. A link at rest in the world has its
    weight.
    """
    speed, v, a = ws.scratch[0, 0], ws.scratch[0, 1], ws.scratch[0, 2]
    h, rate = ws.scratch[0, 3], ws.scratch[0, 4]
    for b in range(len(links.mass)):
        for k in range(6):
            load_out[b, k] = 0.0
        i = plan.link_node[b]
        if links.mass[b] == 0.0:
            continue
        A, p = plan.link_rotation[b], plan.link_position[b]
        if i < 0:
            out = load_out[b]
            rotate(A, links.moment[b], h[:3])
            for k in range(3):
                out[3 + k] = -links.mass[b] * gravity[k]
                h[k] += links.mass[b] * p[k]
                rate[k] = -gravity[k]
            cross_add(h[:3], rate[:3], out[:3])
            continue
        link_twist(plan, b, ws, speed)
        rotate_back(A, speed[:3], v[:3])
        rotate_back(A, speed[3:], v[3:])
        for k in range(6):
            speed[k] = ws.a[i, k]
        cross_add(ws.a[i, :3], p, speed[3:])
        rotate_back(A, speed[:3], a[:3])
        rotate_back(A, speed[3:], a[3:])
        body_momentum(links.mass[b], links.moment[b], links.inertia[b], v, h)
        cross_force(v, h, rate)
        body_momentum(links.mass[b], links.moment[b], links.inertia[b], a, h)
        for k in range(6):
            rate[k] += h[k]
        rotate(A, rate[:3], h[:3])
        rotate(A, rate[3:], h[3:])
        cross_add(p, h[3:], h[:3])
        out = load_out[b]
        rotate(ws.R[i], h[:3], out[:3])
        rotate(ws.R[i], h[3:], out[3:])
        cross_add(ws.x[i], out[3:], out[:3])


@kernel
def less_external(plan, wrench_link, inputs, ws, load):
    """Take the wrenches from outside off the links' loads. Workspace has R and x."""
    force, torque, point = ws.scratch[0, 0, :3], ws.scratch[0, 1, :3], ws.scratch[0, 2, :3]
    for j in range(len(wrench_link)):
        i = inputs.wrench_node[j]
        for k in range(3):  # as they are in world axes, or on what is part of the world
            force[k] = inputs.wrench_force[j, k]
            torque[k] = inputs.wrench_torque[j, k]
            point[k] = inputs.wrench_point[j, k]
        if i >= 0:
            if not inputs.wrench_in_world[j]:
                rotate(ws.R[i], inputs.wrench_force[j], force)
                rotate(ws.R[i], inputs.wrench_torque[j], torque)
            rotate(ws.R[i], inputs.wrench_point[j], point)
            for k in range(3):
                point[k] += ws.x[i, k]
        cross_add(point, force, torque)
        for k in range(3):
            load[wrench_link[j], k] -= torque[k]
            load[wrench_link[j], 3 + k] -= force[k]


@inlined
def transmit(edges, plan, ws, load):
    """
    Sum the links' loads towards the bases: what each link's inboard edge gives it.

    The loops' wrenches, of which the workspace has the last, are taken off first.
    """
    wrench = ws.scratch[0, 0]
    for m in range(len(plan.loop_edge)):
        loop_wrench_in_world(plan.tree, m, ws, wrench)
        e = plan.loop_edge[m]
        for k in range(6):
            load[edges.b[e], k] -= wrench[k]
            load[edges.a[e], k] += wrench[k]
    for place in range(len(plan.link_order) - 1, -1, -1):
        b = plan.link_order[place]
        e = plan.link_edge[b]
        if e >= 0:
            inboard = edges.b[e] if plan.edge_reversed[e] else edges.a[e]
            for k in range(6):
                load[inboard, k] += load[b, k]


@inlined
def edge_load(edges, plan, e, load, rotation, position, ws, out):
    """
    Wrench or impulse of edge e on its link b, at the joint frame's origin on b, world axes.

    An edge that lies within a rigid loop carries what cannot be told, and says zero.
    """
    for k in range(6):
        out[k] = 0.0
    a, b = edges.a[e], edges.b[e]
    m = plan.edge_loop[e]
    if m >= 0:
        loop_wrench_in_world(plan.tree, m, ws, out)
    elif plan.link_edge[b] == e:
        for k in range(6):
            out[k] = load[b, k]
    elif plan.link_edge[a] == e:
        for k in range(6):
            out[k] = -load[a, k]
    point = ws.scratch[1, 0, :3]
    rotate(rotation[b], edges.position_b[e], point)
    for k in range(3):
        point[k] = -(point[k] + position[b, k])
    cross_add(point, out[3:], out[:3])
