# SPDX-License-Identifier: Apache-2.0 OR MIT
"""examples/seed over simulated flash: power that fails during every erasure and every write, also twice in a row."""

import subprocess
from itertools import product

import pytest

import native
from kernels import TARGETS

pytestmark = pytest.mark.full

EUSE, NOTHING = -5, "00" * 16
MASKS = [0, *range(1, 6), 254, 255]  # nothing of a step happens, some bits change, the middle of them, all of it happens
UNITS = [4, 8, 16]
SOURCE = native.ROOT / "examples/seed/seed_flash.c"


@pytest.fixture(scope="module", params=UNITS)
def flash(request):
    """The size of what is written at once, and a function of starts that yields (error, random bytes, pages, steps) of each."""
    unit = request.param
    src = native.ROOT / "src"
    library = [*src.glob("core/*.c"), *(src / f"{name}.c" for name in ("drbg/ctr_drbg", "drbg/drbg_lea", "lea/lea", "lea/c/lea_c"))]
    mine = [SOURCE, native.ROOT / "test/drbg/seed_flash_runner.c"]
    flags = [*native.USUAL, "-DHAECHI_MICRO=1", f"-DSEED_UNIT={unit}", f"-I{src}"]
    runner = native.build(f"seed_flash_{unit}", [*mine, *sorted(library)], flags)

    def run(*starts: tuple) -> list[tuple]:
        text = "".join(f"{page0} {page1} {step} {how}\n" for (page0, page1), step, how in starts)
        said = subprocess.run([runner], input=text, capture_output=True, text=True, check=True).stdout
        rows = [line.split() for line in said.splitlines()]
        assert len(rows) == len(starts)
        return [(e if e == "cut" else int(e), given, (p0, p1), int(steps)) for e, given, p0, p1, steps in rows]

    return unit, run


def page(unit: int, number: int, seed: bytes) -> str:
    word = lambda n: n.to_bytes(4, "little") + bytes(unit - 4)  # noqa: E731
    return (word(number) + seed + word(~number & 0xFFFFFFFF)).hex()


def first(unit: int) -> tuple[str, str]:
    """What the maker of a device writes."""
    return page(unit, 1, bytes(range(32))), "ff" * (2 * unit + 32)


def chain(unit: int, run, starts: int) -> tuple[list[tuple[str, str]], list[str], int]:
    """The pages before each start and after the last one, the random bytes of each, and the steps of a start."""
    pages, given = [first(unit)], []
    for _ in range(starts):
        ((error, random, after, steps),) = run((pages[-1], 0, "cut 0"))
        assert error == 0
        pages.append(after)
        given.append(random)
    return pages, given, steps


def test_each_start_gives_other_bytes_and_keeps_no_seed_of_them(flash):
    unit, run = flash
    pages, given, _ = chain(unit, run, 5)
    assert len(set(given)) == 5 and NOTHING not in given
    blank = "ff" * (2 * unit + 32)
    for number, after in enumerate(pages):
        assert sorted(after)[1] == blank and (after[0] == blank) == bool(number % 2)  # the pages take turns
    seeds = {bytes.fromhex(min(after))[unit : unit + 32] for after in pages}
    assert len(seeds) == 6


def test_a_cut_at_any_step_repeats_no_bytes_and_loses_no_seed(flash):
    """After each cut, and after each second cut during the start that follows, the next start gives bytes of one of the seeds
    that follow, which nobody has got, and the one after it gives those of the next seed."""
    unit, run = flash
    pages, given, steps = chain(unit, run, 5)
    assert steps == 2 + 2 + 32 // unit  # two erasures; number, seed and mark
    cuts = list(product(range(1, steps + 1), (f"cut {mask}" for mask in MASKS)))
    states = {pages[1]}
    for _ in range(2):
        found = run(*((state, *cut) for state in states for cut in cuts))
        assert all(random == NOTHING for error, random, _, _ in found if error == "cut")
        states |= {after for error, _, after, _ in found if error == "cut"}
    assert len(states) > 100
    ended = run(*((state, 0, "cut 0") for state in states))
    assert {(error, random) for error, random, _, _ in ended} == {(0, bytes) for bytes in given[1:4]}
    again = run(*((after, 0, "cut 0") for _, _, after, _ in ended))
    following = dict(zip(given[1:4], given[2:5]))
    assert all((error, random) == (0, following[before[1]]) for (error, random, _, _), before in zip(again, ended))


def test_nothing_without_a_seed(flash):
    unit, run = flash
    blank = "ff" * (2 * unit + 32)
    marked = page(unit, 1, bytes(32))
    other_mark = marked[: 2 * (unit + 32)] + "ff" + marked[2 * (unit + 33) :]
    for wrong in (blank, "00" * (2 * unit + 32), other_mark):
        assert run(((wrong, blank), 0, "cut 0")) == [(EUSE, NOTHING, (wrong, blank), 0)]


def test_no_bytes_where_the_flash_fails(flash):
    unit, run = flash
    pages, given, steps = chain(unit, run, 2)
    for step in range(1, steps + 1):
        ((error, random, after, _),) = run((pages[1], step, "refuse 0"))
        assert (error, random) == (EUSE, NOTHING), step
        assert run((after, 0, "cut 0"))[0][1] in (given[1], chain(unit, run, 3)[1][2])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("target", ["armv6m", "rv32"])
def test_microcontrollers_compile_it(tmp_path, target, unit):
    chip = TARGETS[target]
    flags = [f"{chip.chip_flag}{chip.chip}", *chip.flags, *native.WARNINGS, "-Os", f"-DSEED_UNIT={unit}", f"-I{native.ROOT / 'src'}"]
    native.run([chip.compiler, *flags, "-c", SOURCE, "-o", tmp_path / "seed.o"])
