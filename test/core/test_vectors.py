# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The known answers through the public API."""

import pytest
from bench.declared import rsp
from library import FORWARD, Key, Stream, crypt


@pytest.mark.parametrize("answer", rsp.own(), ids=lambda a: f"{a.cipher}-{a.source}")
def test_standard(answer):
    assert crypt(answer.cipher, "ecb", answer.key, b"", answer.pt) == answer.ct
    assert crypt(answer.cipher + "_inv", "ecb", answer.key, b"", answer.ct) == answer.pt


def test_every_cipher_has_one():
    assert {a.cipher for a in rsp.own()} == set(FORWARD)


def check(answers):
    for a in answers:
        assert crypt(a.cipher, a.mode, a.key, a.iv, a.pt) == a.ct, a.source
        back = a.cipher if a.mode == "ctr" else a.cipher + "_inv"
        assert crypt(back, a.mode, a.key, a.iv, a.ct) == a.pt, a.source


def test_wrong_answer_is_noticed():
    first = rsp.own()[0]
    with pytest.raises(AssertionError):
        check([rsp.Answer(first.cipher, "ecb", first.key, b"", first.pt, first.pt, "planted")])


needs_more = pytest.mark.skipif(rsp.MORE is None, reason="HAECHI_VECTORS is not set")


@needs_more
@pytest.mark.parametrize("cipher", FORWARD)
@pytest.mark.parametrize("mode", ["ecb", "ctr"])
def test_known_answer_and_multi_block(cipher, mode):
    answers = [a for a in rsp.more() if (a.cipher, a.mode) == (cipher, mode)]
    assert len(answers) >= 10
    check(answers)


@needs_more
def test_counter_of_all_ones():
    answers = [a for a in rsp.more() if a.mode == "ctr" and a.iv == b"\xff" * 16]
    assert len(answers) >= 6
    check(answers)


CHAINS = [name for name, chain in rsp.monte_carlo().items() if chain[0].mode in ("ecb", "ctr")]


@needs_more
@pytest.mark.full
@pytest.mark.parametrize("name", CHAINS or ["none"])
def test_monte_carlo(name):
    """KCMVP: 100 chains of 1000 blocks, where PT[j+1] = CT[j]. The counter continues; the next key combines the last
    CTs."""
    chain = rsp.monte_carlo()[name]
    assert len(chain) == 100
    stream = Stream(chain[0].iv)
    key, pt = chain[0].key, chain[0].pt
    for answer in chain:
        assert (key, pt) == (answer.key, answer.pt), answer.source
        k = Key(answer.cipher, key)
        if answer.mode == "ctr":
            assert bytes(stream.iv) == answer.iv, answer.source
        before, ct = b"", pt
        for _ in range(1000):
            before, ct = ct, k.ecb(ct) if answer.mode == "ecb" else k.ctr(stream, ct)
        assert ct == answer.ct, answer.source
        fold = (before + ct)[-len(key) :]
        key, pt = bytes(a ^ b for a, b in zip(key, fold, strict=True)), ct
