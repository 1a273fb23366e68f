# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modes inside the simulators, with each target's own kernels, compiled for size: known answers, and random cases
beside the library on this host, which test_modes.py compares with the standards."""

from collections import defaultdict
from functools import cache
from itertools import islice, product
from random import Random

import library
from marks import LATER
import pytest
from bench.declared import rsp
from kernels import TARGETS, XTENSA, everywhere

from bench.declared.model import VARIANTS
from bench.made import build
from bench.measured import modes
from bench.measured.measurement import differences
from bench.measured.modes import Modes
from bench.simulated.simulators import MEASURING, open_simulator

pytestmark = pytest.mark.full  # too slow for make test-quick

CASES = list(product([*TARGETS.values(), XTENSA], VARIANTS))
NAMED = [pytest.param(target, cipher, id=f"{target.name}-{cipher}") for target, cipher in CASES]
SAMPLE = 3  # known answers for each mode and key size: the first, the longest, and one between
LONGEST = 600  # bytes of text in a simulator's RAM


def each_size(target, cipher):
    """The modes of every key size."""
    kernel = build.ladder(target, cipher)[0]
    with open_simulator(target, target.chip, modes.program(target, everywhere(target)[kernel], kernel)) as machine:
        for variant in VARIANTS[cipher]:
            yield Modes(machine, kernel, variant)


@cache
def sampled():
    """By cipher and mode."""
    found = defaultdict(list)
    for a in rsp.own() + rsp.more():
        if max(len(a.pt), len(a.ct), len(a.aad), len(a.iv)) <= LONGEST:
            found[a.cipher, a.mode].append(a)
    chosen = {}
    for which, answers in found.items():
        answers.sort(key=lambda a: (len(a.pt), len(a.aad)))
        step = max(1, (len(answers) - 1) // (SAMPLE - 1))
        chosen[which] = [*answers[::step], answers[-1], *[a for a in answers if a.fails][:1]]
    return chosen


@pytest.mark.parametrize("target, cipher", NAMED)
def test_known_answers(target, cipher):
    for m in each_size(target, cipher):
        for (constant, mode), answers in sampled().items():
            if constant != m.variant.constant:
                continue
            for a in answers:
                if mode in ("gcm", "ccm"):
                    opened = m.open(mode, a.key, a.iv, a.aad, a.ct, a.tag)
                    assert opened == (None if a.fails else a.pt), a.source
                    if not a.fails:
                        assert m.seal(mode, a.key, a.iv, a.aad, a.pt, len(a.tag)) == (a.ct, a.tag), a.source
                elif mode == "cmac":
                    assert m.cmac(a.key, a.pt, len(a.tag)) == a.tag, a.source
                else:
                    assert m.crypt(mode, a.key, a.iv, a.pt, bits=a.bits) == a.ct, a.source
                    assert m.crypt(mode, a.key, a.iv, a.ct, True, a.bits) == a.pt, a.source


@pytest.mark.parametrize("every_size", [False, pytest.param(True, marks=LATER)])
@pytest.mark.parametrize("target, cipher", NAMED)
def test_as_on_the_host(target, cipher, every_size):
    """With the shortest keys, or with all sizes of keys."""
    for m in each_size(target, cipher) if every_size else islice(each_size(target, cipher), 1):
        v, random = m.variant, Random(cipher)
        for size in (0, 1, v.block, 5 * v.block + 3):
            key, iv, text, aad = (random.randbytes(n) for n in (v.key, v.block, size, 3 * size % 40))
            for mode in ("ctr", "ofb", "cfb", "cfb8", "cbc", *(["cfb64"] if v.block == 16 else [])):
                data = text if mode != "cbc" else text[: size // v.block * v.block]
                for decrypt in (False, True):
                    wanted = library.Mode(v.constant, mode, key, iv, decrypt).crypt(data)
                    assert m.crypt(mode, key, iv, data, decrypt) == wanted, mode
            if v.block == 16 and size >= 16:
                two = key + random.randbytes(v.key)
                for decrypt in (False, True):
                    wanted = library.Mode(v.constant, "xts", two, iv, decrypt).crypt(text)
                    assert m.crypt("xts", two, iv, text, decrypt) == wanted
            assert m.cmac(key, text, v.block) == library.cmac(v.constant, key, text, v.block)
            for mode in ["gcm", "ccm", "eax"] if v.block == 16 else ["eax"]:
                for nonce in (bytes(12), *([random.randbytes(21)] if mode != "ccm" else [])):
                    sealed, tag = library.Aead(mode, v.constant, key).seal(nonce, aad, text, 8)
                    assert m.seal(mode, key, nonce, aad, text, 8) == (sealed, tag), mode
                    assert m.open(mode, key, nonce, aad, sealed, tag) == text
                    assert m.open(mode, key, nonce, aad + b"+", sealed, tag) is None


@pytest.mark.parametrize(
    "target", [pytest.param(t, id=name, marks=[pytest.mark.slow] * (t.machine in MEASURING)) for name, t in TARGETS.items()]
)
def test_rows_are_what_is_measured(target):
    assert not differences(modes.MODES.read(target.name), modes.MODES.measure(target, list(VARIANTS)))
