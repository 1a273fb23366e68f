# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every claim of a card has its test, and docs/claims.md says which."""

import claims
import pytest

from bench.declared.model import Kernel


def test_page_is_that_of_the_marks():
    """If it does not, `python test/claims.py` writes it."""
    assert claims.PAGE.read_text() == claims.page()


def test_every_field_of_a_card_is_a_claim_or_none():
    assert set(Kernel.__struct_fields__) == claims.FIELDS.keys() | claims.NO_CLAIM


@pytest.mark.parametrize("claim", [*claims.UNSAID, *claims.FIELDS])
def test_every_claim_has_a_test_that_make_test_runs(claim):
    assert [guard for guard in claims.guards() if claim in guard.claims and not guard.slow]


def test_no_other_claims_are_named():
    assert {claim for guard in claims.guards() for claim in guard.claims} <= claims.UNSAID.keys() | claims.FIELDS.keys()
