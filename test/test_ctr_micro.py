# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The slot ctr of kernels in the simulators: KCMVP's counter mode vectors, and random keys, counters and lengths against
portable code."""

from random import Random

import pytest
from bench import rsp
from kernels import TARGETS, after, clean, drives, expected, machine_for, written_for

CASES = 1000  # of each kernel, over its key sizes
LONGEST = 5  # blocks
KERNELS = [
    pytest.param(target, kernel, card, id=kernel)
    for name, target in TARGETS.items()
    for kernel, card in written_for(target).items()
    if name != "avr" and "_ctr" in card.source(kernel).read_text()  # test_ctr_avr.py has those of AVR
]


def counting(machine, kernel, card):
    return [d for d in drives(machine, kernel, card) if d.d.ctr]


@pytest.mark.skipif(rsp.MORE is None, reason="HAECHI_VECTORS is not set")
@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_known_answers(target, kernel, card):
    """As far as whole blocks go."""
    with machine_for(target, kernel) as machine:
        for drive in counting(machine, kernel, card):
            block = drive.variant.block
            found = [a for a in rsp.more() if (a.cipher, a.mode) == (drive.variant.constant, "ctr")]
            assert found
            for a in found:
                n = min(len(a.pt), 512) // block
                rk, _ = drive.expand(a.key)
                out, counter, call = drive.ctr_slot(rk, a.iv, a.pt[: n * block])
                clean(call)
                assert (out, counter) == (a.ct[: n * block], after(a.iv, n)), a.source


@pytest.mark.parametrize("target, kernel, card", KERNELS)
def test_random_cases(target, kernel, card):
    """Counters are near a wrap of any number of bytes as often as not."""
    random = Random(kernel)
    with machine_for(target, kernel) as machine:
        here = counting(machine, kernel, card)
        for case in range(CASES):
            drive = here[case % len(here)]
            block = drive.variant.block
            key, n, ones = random.randbytes(drive.variant.key), random.randrange(LONGEST + 1), random.randrange(block + 1)
            start = int.from_bytes(random.randbytes(block - ones) + b"\xff" * ones, "big") - random.randrange(3)
            iv, data = (start % (1 << 8 * block)).to_bytes(block, "big"), random.randbytes(n * block)
            rk, _ = drive.expand(key)
            if case % 4 == 3:
                data = bytes(n * block)
                out, counter, call = drive.keystream(rk, iv, n)
            else:
                out, counter, call = drive.ctr_slot(rk, iv, data, case % 2 == 1)
            clean(call)
            assert (out, counter) == (expected(drive.variant.constant, "ctr", key, iv, data), after(iv, n))
