# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Xtensa in qemu: the library at every alignment and level of optimization, and what the simulator must notice."""

from random import Random

import library
from marks import LATER
import pytest
from kernels import XTENSA, everywhere

from bench.declared.model import ROOT, VARIANTS
from bench.made import build
from bench.measured.choices import COUNTED
from bench.measured.measurement import differences
from bench.measured.modes import SOURCE, Modes
from bench.simulated.simulator import Fault
from bench.simulated.simulators import open_simulator

pytestmark = pytest.mark.full  # too slow for make test-quick

PLANTED = ROOT / "test/bench/planted_xtensa.S"


def program(cipher: str, level: str):
    kernel = build.ladder(XTENSA, cipher)[0]
    return kernel, build.elf(XTENSA, XTENSA.chip, everywhere(XTENSA)[kernel], kernel, [SOURCE, PLANTED], [level])


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("cipher", VARIANTS)
def test_every_alignment(cipher, level):
    """Nonces, keys, data and messages begin at addresses of every remainder by four; a word that is loaded or stored at
    another address than a multiple of four is a fault. Answers are those of the library on this host."""
    kernel, elf = program(cipher, level)
    variant, random = VARIANTS[cipher][0], Random(cipher)
    name, block = variant.constant, variant.block
    with open_simulator(XTENSA, XTENSA.chip, elf) as machine:
        for odd in range(4):
            m = Modes(machine, kernel, variant, odd)
            key, iv, text, data = (random.randbytes(n) for n in (variant.key, block, 5 * block + 3, 21))
            whole = text[: 5 * block]
            for inverse in (False, True):
                assert m.crypt("ecb", key, iv, whole, inverse) == library.Key(name + "_inv" * inverse, key).ecb(whole), odd
                assert m.crypt("cbc", key, iv, whole, inverse) == library.Mode(name, "cbc", key, iv, inverse).crypt(whole), odd
            assert m.crypt("ctr", key, iv, text) == library.Mode(name, "ctr", key, iv, False).crypt(text), odd
            assert m.cmac(key, text, block) == library.cmac(name, key, text, block), odd
            for mode in ("ccm", "eax", "gcm") if block == 16 else ("eax",):
                sealed, tag = library.Aead(mode, name, key).seal(iv[:8] + bytes(4), data, text, 8)
                assert m.seal(mode, key, iv[:8] + bytes(4), data, text, 8) == (sealed, tag), (mode, odd)
                assert m.open(mode, key, iv[:8] + bytes(4), data, sealed, tag) == text
                wrong = tag[:-1] + bytes([tag[-1] ^ 1])
                assert m.open(mode, key, iv[:8] + bytes(4), data, sealed, wrong) is None


@pytest.fixture
def machine(request):
    with open_simulator(XTENSA, XTENSA.chip, program("HIGHT", "-Os")[1], measuring=getattr(request, "param", False)) as machine:
        yield machine


@pytest.mark.parametrize("odd", [1, 2, 3])
def test_a_word_at_another_address_is_a_fault(machine, odd):
    word = machine.image.address("planted_word")
    machine.write(machine.ram.start, bytes(range(16)))
    assert machine.call(word, machine.ram.start).result == 0x03020100
    with pytest.raises(Fault, match="signal 7 at "):
        machine.call(word, machine.ram.start + odd)
    machine.reset()
    machine.write(machine.ram.start, bytes(8))
    assert machine.call(word, machine.ram.start).result == 0


@pytest.mark.parametrize("name, violation", [("kept", "a13 is not as it was"), ("stack", "the stack pointer is off by -16")])
def test_a_breach_of_the_calling_convention_is_noticed(machine, name, violation):
    assert machine.call(machine.image.address(f"planted_{name}")).violations == [violation]


@pytest.mark.parametrize("machine", [True], indirect=True)
def test_instructions_and_stack_are_counted(machine):
    """The call instruction counts too."""
    for rounds in (1, 2, 1000):
        machine.write(machine.ram.start, bytes(len(machine.ram)))
        call = machine.call(machine.image.address("planted_leaf"), rounds)
        assert (call.instructions, call.stack, call.violations) == (1 + 4 + 3 * rounds, 32, [])


@pytest.mark.parametrize("cipher", [pytest.param(c, marks=LATER if c == "HIGHT" else pytest.mark.slow) for c in VARIANTS])
def test_rows_are_what_is_measured(cipher):
    stored = [row for row in COUNTED.read("xtensa") if row.cipher == VARIANTS[cipher][0].cipher]
    assert stored and not differences(stored, COUNTED.measure(XTENSA, [cipher]))


@pytest.mark.parametrize("cipher", VARIANTS)
def test_the_default_is_that_of_docs_defaults(cipher):
    stored = {row.kernel for row in COUNTED.read("xtensa") if row.cipher == VARIANTS[cipher][0].cipher and row.default == "yes"}
    assert build.ladder(XTENSA, cipher) == [*stored]
