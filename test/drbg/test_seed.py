# SPDX-License-Identifier: Apache-2.0 OR MIT
"""examples/seed on a simulated ATmega128 with EEPROM: resets, a device without a seed, and power that fails at any time."""

import pytest

import native
from kernels import TARGETS

from bench.made import build
from bench.made.elf import Image

pytestmark = pytest.mark.full

AVR = TARGETS["avr"]
MARK, SEED = "5e", bytes(range(32)).hex()
EUSE = -5


@pytest.fixture(scope="module")
def starts():
    """A function of EEPROM and limits that yields (error, random bytes, EEPROM) of each start."""
    flags = [f"{AVR.chip_flag}{AVR.chip}", *AVR.flags, "-Os", f"-I{native.ROOT / 'src'}"]
    folders = ("core", "mode", "drbg", "lea")
    sources = [p for p in native.sources() if p.relative_to(native.ROOT / "src").parts[0] in folders]
    sources += [native.ROOT / "examples/seed/seed.c", native.ROOT / "test/drbg/seed_main.c"]
    parts = [build.compile(AVR.compiler, path, flags) for path in sources]
    elf = build.link(AVR.compiler, parts, [*flags, "-Wl,--gc-sections"], build.BUILD / "avr/seed.elf")
    runner = native.build("seed_runner", [native.ROOT / "test/drbg/seed_runner.c"], ["-O1"], "gcc", ["-lsimavr"])
    symbols = {name: hex(Image(elf).address(name) & 0xFFFF) for name in ("error", "given")}

    def run(eeprom: str, *limits: int):
        said = native.run([runner, elf, symbols["error"], symbols["given"], eeprom, *limits]).stdout
        lines = [line.split() for line in said.splitlines() if line[0] in "-0123456789"]
        assert len(lines) == len(limits)
        return [(int(error), given, left) for error, given, left in lines]

    return run


def test_each_reset_gives_other_bytes_and_leaves_another_seed(starts):
    said = starts(MARK + SEED, 0, 0, 0, 0)
    assert all(error == 0 and eeprom.startswith(MARK) for error, _, eeprom in said)
    assert len({given for _, given, _ in said}) == len({eeprom for _, _, eeprom in said} | {MARK + SEED}) - 1 == 4


def test_the_seed_decides(starts):
    """Noise of the simulated chip is the same each time: two devices differ by their seeds."""
    assert starts(MARK + SEED, 0) == starts(MARK + SEED, 0) != starts(MARK + SEED[:-2] + "00", 0)


def test_nothing_without_a_seed(starts):
    ((error, given, eeprom),) = starts("ff" * 33, 0)
    assert error == EUSE and given == "00" * 16 and eeprom == "ff" * 33


def test_nobody_has_bytes_of_a_seed_that_stays(starts):
    """Power fails at times that are spread over a start. No random byte is given before the new seed is whole, and starts from different
    contents of EEPROM, among them mixtures of both seeds, give different bytes."""
    ((_, whole, new),) = starts(MARK + SEED, 0)
    states, old, done = {}, 50_000, 3_000_000  # cycles after which the old seed is there, and the new one
    while done - old > 20 and len(states) < 12:
        limit = (old + done) // 2
        (_, given, eeprom), (_, after, _) = starts(MARK + SEED, limit, 0)
        assert given == "00" * 16 or eeprom == new, limit
        states[eeprom] = after
        old, done = (limit, done) if eeprom == MARK + SEED else (old, limit)  # until it is found where the writing begins
    assert {MARK + SEED, new} < set(states)  # and mixtures
    assert len(set(states.values())) == len(states) and states[MARK + SEED] == whole
