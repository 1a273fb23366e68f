# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of a sample of kernels, and that proofs can fail: changed and planted code must be found out, and what is
found must be wrong in the simulator too. The ground under it: lifted instructions do what the simulators do."""

from dataclasses import replace
from random import Random

import pytest
import unicorn
import unicorn.arm_const as arm

from bench import rsp, simavr
from bench.drive import Drive
from bench.machine import Fault
from bench.measure import open_machine
from bench.model import ROOT, VARIANTS, BenchError, load_targets
from proof import spec
from proof.__main__ import every, read
from proof.abi import ABI, Frame
from proof.bits import Graph, Unproved, Word, constant, is_constant, join, number, sweep
from proof.claims import DECRYPT, ENCRYPT, WIDTH, Claim, breaches, claims, from_key, kernels, simulator, theorem
from proof.machine import Machine

KERNELS = {kernel: (target, card, kernel) for target, card, kernel in kernels()}
SAMPLE = [
    "hight_avr_flash", "lea_avr_small", "aria_avr_small", "hight_msp430_flash", "lea_msp430_compact", "aria_msp430",
    "hight_armv7m_table", "lea_armv7m", "aria_armv7m",
]  # fmt: skip
LOOPS = ["hight_avr_flash_tiny", "hight_msp430_small", "hight_armv7m_small"]
STATES = 8  # random ones for an encoding


class Patched(Claim):
    """About the code as the simulator has it now."""

    def _frame(self, g, function, arguments):
        frame = super()._frame(g, function, arguments)
        for symbol in self.image.needs([function]).symbols:
            if symbol.function:
                code = self.drive.machine.code(symbol.address, symbol.size)
                frame.machine.code.update(enumerate(code, symbol.address))
        return frame


def claim_of(machine, kernel: str, operation: str, kind=Patched) -> Claim:
    target, card, _ = KERNELS[kernel]
    found = next(c for c in claims(machine, target, card, kernel) if c.operation == operation)
    return kind(target, card, kernel, operation, found.slot, found.drive)


def bytes_of(words) -> bytes:
    bits = join(words).bits
    return number(bits).to_bytes(len(bits) // 8, "little")


# ---- Proofs.


def test_the_specification_answers_the_vectors():
    g, checked = Graph(), set()
    for family, variants in VARIANTS.items():
        for v in variants:
            answer = next(a for a in rsp.own() if (a.cipher, a.mode) == (v.constant, "ecb"))
            word = lambda data: Word(g, constant(int.from_bytes(data, "little"), 8 * len(data))).split(WIDTH[family])  # noqa: B023, E731
            pt, ct = answer.pt[: v.block], answer.ct[: v.block]
            assert bytes_of(ENCRYPT[family](from_key(family, word(answer.key), False), word(pt))) == ct
            assert bytes_of(DECRYPT[family](from_key(family, word(answer.key), True), word(ct))) == pt
            checked.add(v.cipher)
    assert len(checked) == 7


def test_every_claim_was_proved_of_the_code_there_is():
    """`make prove` writes results/proofs.csv."""
    assert every() == {name: row["code"] for name, row in read().items()}


@pytest.mark.full
@pytest.mark.parametrize("kernel", SAMPLE)
def test_sample(kernel):
    """Each cipher on each target, the shortest key, by the second engine."""
    target, card, _ = KERNELS[kernel]
    with simulator(target, card, kernel) as machine:
        for claim in claims(machine, target, card, kernel):
            if claim.cipher in ("HIGHT", "LEA-128", "ARIA-128") and claim.slot in ("expand", "crypt"):
                assert breaches(claim, claim.prove(sweep)) == []


def test_the_specification_is_its_own_inverse():
    assert theorem("HIGHT", 16, sweep) is None
    assert theorem("ARIA", 16) is None


# ---- Proofs that must fail.


def rejected(claim: Claim) -> bool:
    try:
        fact = claim.prove()
    except (Fault, BenchError, Unproved):
        return True
    return bool(fact.faults or fact.found)


def survivors(kernel: str, operation: str) -> list[str]:
    target, card, _ = KERNELS[kernel]
    with simulator(target, card, kernel) as machine:
        claim = claim_of(machine, kernel, operation)
        assert not rejected(claim)
        found = []
        for symbol in machine.image.needs([claim.function]).symbols:
            for address, size in machine.instructions(symbol.address, symbol.size) if symbol.function else ():
                machine.patch(address, machine.nop(size))
                if not rejected(claim):
                    found.append(f"{symbol.name}+{address - symbol.address:#x}")
                machine.reset()
        return found


@pytest.mark.full
@pytest.mark.parametrize("kernel", LOOPS)
def test_no_instruction_may_be_missing(kernel):
    assert survivors(kernel, "enc") == []


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [k for k in KERNELS if k not in LOOPS])
def test_no_instruction_of_any_kernel_may_be_missing(kernel):
    assert survivors(kernel, "enc") == []


def planted(machine, name: str) -> Patched:
    """A claim of HIGHT about a function of planted_<target>.S."""
    kernel = {"avr": "hight_avr_tiny", "msp430": "hight_msp430_small", "armv7m": "hight_armv7m_small"}[machine.target]
    claim = claim_of(machine, kernel, "enc")
    claim.drive.d = replace(claim.drive.d, crypt=machine.image.address(f"planted_{name}"))
    return claim


@pytest.fixture(params=["avr", "msp430", "armv7m"])
def plant(request):
    kernel = {"avr": "hight_avr_tiny", "msp430": "hight_msp430_small", "armv7m": "hight_armv7m_small"}[request.param]
    target, card, _ = KERNELS[kernel]
    with simulator(target, card, kernel, [ROOT / f"test/planted_{request.param}.S"]) as machine:
        machine.target = request.param
        yield lambda name: planted(machine, name)


@pytest.mark.parametrize(
    "name, why", [("r10", "10 is not as it was"), ("peek", "not its own"), ("peek_flash", "not its own"), ("before", "not its own"), ("branch", "a branch on")]
)
def test_planted_breaches_are_found(plant, name, why):
    assert any(why in fault for fault in plant(name).prove().faults)


def test_a_carry_that_is_missing_once_in_sixteen_million(plant):
    """planted_increment adds 1 to four bytes, and planted_carry forgets the last carry; what is found is wrong in
    the simulator."""

    class Increment(Patched):
        def _crypt(self, g):
            for frame, way, got, _ in super()._crypt(g):
                block = Word(g, tuple(2 * n for n in g.words["block"]))
                low, high = block.split(32)
                yield frame, way, got, join([low + 1, high]).bits

    for name, right in (("increment", True), ("carry", False)):
        claim = plant(name)
        claim.__class__ = Increment
        fact = claim.prove()
        assert fact.faults == []
        if right:
            assert fact.found is None
        else:
            block = fact.found["block"].to_bytes(8, "little")
            wanted = (int.from_bytes(block[:4], "little") + 1) % (1 << 32)
            out, _ = claim.drive.crypt(claim.rk, block)
            assert block[:3] == b"\xff\xff\xff" and out != wanted.to_bytes(4, "little") + block[4:]


def test_what_is_found_is_wrong_in_the_simulator():
    """An instruction of a key schedule is missing."""
    kernel = "hight_avr_tiny"
    target, card, _ = KERNELS[kernel]
    with simulator(target, card, kernel) as machine:
        claim = claim_of(machine, kernel, "enc")
        symbol = machine.image.at(claim.function)
        for address, size in machine.instructions(symbol.address, symbol.size)[20:40]:
            machine.patch(address, machine.nop(size))
            fact = claim.prove()
            if fact.found:
                block = fact.found["block"].to_bytes(8, "little")
                wk, sk = (fact.found[f"round keys{n}"].to_bytes(size, "little") for n, size in ((": whitening", 8), ("", 128)))
                out, _ = claim.drive.crypt(wk[:4] + sk + wk[4:], block)
                g = Graph()
                word = lambda data: Word(g, constant(int.from_bytes(data, "little"), 8 * len(data))).split(8)  # noqa: B023, E731
                assert out != bytes_of(spec.hight_encrypt((word(wk), word(sk)), word(block)))
                return
            machine.reset()
    raise AssertionError("no counterexample")
