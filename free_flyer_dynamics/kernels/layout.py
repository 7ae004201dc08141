# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Where everything lies in a simulator's arena: one array of numbers, one of integers.

A *row* is a joint with the body outboard of it; rows follow one another along a run without
branches. A *pack* is a run, or as many runs side by side as there are lanes. A *slot* is a body
where runs meet: the world first, then the free roots, then whatever else branches, and one
that stands for none. What turns freely, roots and then balls, has a quaternion: a *turner*.
"""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import inlined

REGISTER = 8  # tables are filled up to this many numbers, so that the widest lanes may read on

# A row's constants: the body, then how its frame sits on the one inboard of it.
MASS, MOMENT, INERTIA = 0, 1, 4
COS_ALPHA, SIN_ALPHA, SIN_SIN, COS_SIN = 10, 11, 12, 13
SHIFT = 14  # three numbers, of which the third is a ball's alone
COS_GAMMA, SIN_GAMMA, DAMPING = 17, 18, 19
CONSTANTS = 20

# A row's working numbers.
VELOCITY_PRODUCT = 0  # angular, then linear
GIVE = 2  # D, how a single joint gives way: its angular velocity product has no z
BIAS = 6  # moment, then force
GAIN = 6  # once the bias is used: what the third pass wants, of a ball twelve numbers
BALL_GIVE = 18  # and six of how it gives way
WORK = 24

# A slot's numbers: blocks A, B and C, moment and force; then how it moves.
ARTICULATED, OMEGA, ACCELERATION = 0, 27, 30
SLOT = 36
MOMENT_COLLECTED = 21
COLLECTED = OMEGA  # by the inward pass
NOBODY = 12  # numbers of each lane behind all slots: zeros, a body and a bias that are none

# What wheels leave at a slot: until accelerations are known, and beside what sums are made of.
SPUN, SPUN_INERTIA, SPUN_MOMENTUM = ACCELERATION, 16, 22

# A root's constants are a row's first ten. A wheel's: its axis, its spin inertia, its damping.
WHEEL_AXIS, SPIN, WHEEL_DAMPING = 0, 3, 4
WHEEL = 5
# A ball's: its axes at rest and its place, in the frame inboard.
BALL_PLACE = 9
BALL_CONSTANTS = 12

# A pack in the integers; the slots its lanes hang on follow, then those at their tips.
FIRST, LAST, ALIKE, MIXED, TIPPED = 0, 1, 2, 3, 4
PACK = 5
CARRYING = 2  # instead of 1 at TIPPED: there are wheels at some of its tips

# What a row is, when it is not a revolute joint that moves.
PLAIN, SLIDING, BALL, HELD, REVERSED = 0, 1, 2, 4, 8
BESIDE = 32  # it is one, but another joint of its row is not

POSE = 7  # of a turner: position, for a root, and quaternion, w first
# A wrench in the integers: its node, its root or -1, whether it is in world axes, the length of
# its path, and the path inward: of each row its constants, its place among sines and whether it
# STARTS a run or is SLIDING. In the numbers: point, force and torque in the node's frame or the
# world's; the moment and the force on the body; three axes' x, y and z as they set out from the
# root; and at the body, with where that is. Of each eight, three are the axes'.
WRENCH_NODE, WRENCH_ROOT, IN_WORLD, PATH = 0, 1, 2, 3
WRENCH_HEAD, PATH_STEP, WRENCH = 4, 3, 71
PATH_CONSTANTS, PATH_PLACE, PATH_KIND = 0, 1, 2
ON_BODY, SET_OUT, ARRIVED, ABREAST = 9, 15, 39, 8
STARTS = 16


class Layout(NamedTuple):
    """Counts, and where each table starts. Tables of numbers are lanes wide."""

    lanes: int  # branches side by side; 1 where rows hold one joint
    packs: int
    rows: int
    slots: int
    roots: int
    balls: int
    wheels: int
    joints: int  # entries of a vector of joints: all lanes of all rows, then the wheels
    wheel_room: int  # the wheels' part of it
    entries: int  # of a vector of velocities: the joints, then six for each turner
    # integers
    pack: int
    row: int  # for each joint of all rows: what it is
    ball: int  # and which ball, or the one that stands for none
    mixed: int  # for each row: what any of its joints is but a revolute one that moves
    wheel: int  # for each wheel: the slot of what carries it, and whether it is held
    node: int  # for each node of the tree: its joint, or its turner
    row_of: int  # for each node: its row and lane as one number; a free root's is none
    # constants
    zero: int  # for each row and lane: the joint's angle at coordinate zero
    turns: int  # and 1 where its coordinate is an angle, 0 where it is a length
    free: int  # and 1 where it moves, 0 where it is held
    constant: int  # rows
    body: int  # roots
    wheel_constant: int
    ball_constant: int
    # room for an evaluation
    cosine: int
    sine: int
    work: int
    slot: int
    push: int  # for each root: the wrench from outside, root axes
    reaction: int  # for each joint: the force that a held one transmits
    axes: int  # for each turner: its axes in world, or in the frame inboard
    displacement: int  # for each turner: that of a stage
    scratch: int  # a few numbers of one kernel's own
    # inputs
    drive: int  # for each velocity: forces of drives less dry friction
    gravity: int
    end: int


@inlined
def layout_of(ints):
    """Read the layout from the head of the integers."""
    return Layout(
        ints[0], ints[1], ints[2], ints[3], ints[4], ints[5], ints[6], ints[7], ints[8],
        ints[9], ints[10], ints[11], ints[12], ints[13], ints[14], ints[15], ints[16], ints[17],
        ints[18], ints[19], ints[20], ints[21], ints[22], ints[23], ints[24], ints[25], ints[26],
        ints[27], ints[28], ints[29], ints[30], ints[31], ints[32], ints[33], ints[34], ints[35],
    )  # fmt: skip


LAYOUT = len(Layout._fields)


class Course(NamedTuple):
    """Where the tables of a step lie: the state as users see it, and the room for its stages."""

    nodes: int
    wrenches: int
    wrench_room: int  # integers of each
    gravitates: int  # 1: gravity is not zero
    resisted: int  # 1: some joint has dry friction or a speed limit
    spared: int  # at how many places wheels are pushed, or in a loop
    marked: int  # how many joints and wheels are marked as held
    # the users' state and efforts, in numbers; they stay where they are whatever the lanes
    user_q: int
    user_v: int
    momentum: int
    center: int
    slide: int
    effort: int
    # integers, of which the first two stay too
    hold: int  # for each node
    blocked: int
    q_index: int  # for each joint: where its coordinate is among the users', -1: nowhere
    v_index: int
    turner_q: int  # the same for each turner
    turner_v: int
    joint_node: int  # for each joint: its node
    wrench: int
    # for each joint
    lower: int
    upper: int
    friction: int
    speed_limit: int
    # state, and that of a stage
    q: int
    v: int
    pose: int
    stage_q: int
    stage_v: int
    stage_pose: int
    # rates at the stages: of velocities, of turners' displacements, of momentum
    rate: int
    turning: int
    gain: int
    new_momentum: int
    new_center: int
    wrench_value: int
    end: int


@inlined
def course_of(ints):
    """Read where the tables of a step lie, from the second head of the integers."""
    return Course(
        ints[36], ints[37], ints[38], ints[39], ints[40], ints[41], ints[42], ints[43], ints[44],
        ints[45], ints[46], ints[47], ints[48], ints[49], ints[50], ints[51], ints[52], ints[53],
        ints[54], ints[55], ints[56], ints[57], ints[58], ints[59], ints[60], ints[61], ints[62],
        ints[63], ints[64], ints[65], ints[66], ints[67], ints[68], ints[69], ints[70], ints[71],
        ints[72], ints[73],
    )  # fmt: skip


HEAD = LAYOUT + len(Course._fields)
# Entries of the second head: those that are set later, and where two groups start.
WRENCHES, GRAVITATES, RESISTED, SPARED, MARKED, USERS, STAGES = 1, 3, 4, 5, 6, 7, 15
