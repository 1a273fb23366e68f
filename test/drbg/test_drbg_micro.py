# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CTR_DRBG in the simulators gives the same output as on the host; its figures on AVR."""

from functools import cache

import pytest
from kernels import TARGETS, clean, everywhere
from test_drbg import Ours

from bench.declared.model import ROOT, VARIANTS
from bench.made import build
from bench.measured import counter, drbg
from bench.measured.measurement import differences
from bench.simulated.drive import Layout

pytestmark = pytest.mark.full  # too slow for make test-quick

AVR = TARGETS["avr"]


def generated(target, kernel, flags) -> dict[str, bytes]:
    """100 bytes by cipher, from a generator that was seeded through the derivation function."""
    card, found = everywhere(target)[kernel], {}
    sources = ["src/drbg/ctr_drbg.c", f"src/drbg/drbg_{card.cipher.lower()}.c", "test/drbg/drbg_packed.c"]
    elf = build.elf(target, target.chip, card, kernel, [ROOT / source for source in sources], flags)
    with counter.open_simulator(target, target.chip, elf) as machine:
        for v in VARIANTS[card.cipher]:
            layout, image = Layout(machine), machine.image
            d, out = layout.room(drbg.STATE[machine.alignment]), layout.room(100)
            words = [d, image.address(f"haechi_drbg_{v.constant}"), 0]
            for given in drbg.inputs(v, 1):
                words += [layout.place(given, odd=1), len(given)]
            packed = layout.place(b"".join(word.to_bytes(machine.pointer, "little") for word in words))
            assert clean(layout.call(image.address("haechi_drbg_packed"), packed)).result == 0
            assert clean(layout.call(image.address("haechi_drbg_read"), d, out, 100, 0, 0)).result == 0
            found[v.constant] = machine.read(out, 100)
    return found


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_drbg_as_on_the_host(target):
    """With the target's default kernel; on AVR also without the constants that are computed beforehand."""
    without = [[*drbg.FLAGS, drbg.NO_CACHE]] if target == AVR else []
    for family in VARIANTS:
        wanted = {v.constant: Ours(v.constant, 0, *drbg.inputs(v, 1)).read(100) for v in VARIANTS[family]}
        for flags in [drbg.FLAGS, *without]:
            assert generated(target, build.ladder(target, family)[0], flags) == wanted


@cache
def rows():
    return drbg.DRBG.measure(AVR, list(VARIANTS))


def test_drbg_rows_are_what_is_measured():
    assert not differences(drbg.DRBG.read("avr"), rows())


def test_drbg_is_ahead():
    """Ours is faster than the reconstruction in every cell. In the derivation function and in the update that both
    compute tables for, it is faster by as much as published. It is faster than itself without constants."""
    assert {row.cipher for row in rows()} == {v.cipher for sizes in VARIANTS.values() for v in sizes}
    for row in rows():
        assert row.cycles < row.plain_cycles and row.cycles < row.no_cache_cycles, row
        if row.operation in ("df", "first update") and row.published_faster is not None:
            assert row.faster >= row.published_faster, row
