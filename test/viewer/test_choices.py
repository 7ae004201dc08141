# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the lists of the page offer as robots come and go."""

from types import SimpleNamespace

import pytest

viser = pytest.importorskip('viser', reason='needs the package viser')

from free_flyer_dynamics.viewer.controls import offer_choices  # noqa: E402, I100


def test_a_choice_stays_and_what_nobody_chose_makes_way():
    """A target that is heard of after the chaser is what a hand takes, unless somebody chose."""
    takes = SimpleNamespace(value='none', options=('none',))
    offer_choices(takes, ('hand', 'base'))
    assert takes.value == 'hand'
    offer_choices(takes, ('target_grasp', 'hand', 'base'))
    assert takes.value == 'target_grasp'
    takes.value = 'base'
    offer_choices(takes, ('another', 'target_grasp', 'hand', 'base'))
    assert takes.value == 'base'
    offer_choices(takes, ())
    assert takes.options == (takes.value,)
