# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Modes of operation, as compiled for microcontrollers, are proved for all inputs of given lengths, and faults that are
planted in them are found."""

from contextlib import contextmanager
from dataclasses import replace
from itertools import product

import pytest

from bench.declared.model import ROOT, VARIANTS, load_targets
from bench.declared.model import kernels as kernels_of
from bench.made import build
from bench.measured.modes import SOURCE
from bench.simulated.simulators import open_simulator
from proof import modes
from proof.modes import LONG, SHORT, Lengths, Prover
from proof.summaries import Program

pytestmark = pytest.mark.full  # too slow for make test-quick

TARGETS = ["avr", "msp430", "armv6m", "armv7m", "rv32"]
CIPHERS = ["LEA", "HIGHT"]  # the modes' code depends on the size of a block, and not on the cipher
SAMPLE = [0, 1, 17]  # bytes
CI = ("msp430", "HIGHT")

# On Cortex-M0 haechi_block saves a register that holds a byte of EAX's counter, when the last block of a text is incomplete.
LEAVES = {"armv6m": ("haechi_open(eax", "haechi_seal(eax")}


@contextmanager
def prover(target: str, cipher: str, kernel: str = "", extra=()):
    """Of a program with a kernel, by default that of the target, compiled as firmware is."""
    found = load_targets()[target]
    kernel = kernel or build.ladder(found, cipher)[0]
    card = next(card for card, name in kernels_of(found, [cipher]) if name == kernel)
    program = build.elf(found, found.chip, card, kernel, [SOURCE, *extra], found.size_flags)
    with open_simulator(found, found.chip, program) as simulator:
        yield Prover(Program(found, simulator, kernel, VARIANTS[cipher][0]))


def faults(p: Prover, claims) -> list[str]:
    found = []
    for claim in claims:
        wrong = p.faults(claim)
        left = [f for f in wrong if "leaves a secret" in f and f.startswith(LEAVES.get(p.program.target.name, ()))]
        found += wrong if len(left) > 1 else [f for f in wrong if f not in left]
    return found


def test_modes_are_as_specified():
    """A sample: a text that ends in the middle of a block, and a key."""
    with prover("armv7m", "HIGHT") as p:
        claims = [modes.init(p), modes.ctr(p, 11, "in place", 3), modes.cmac_tag(p, 11, 5), modes.cbc(p, 16, "apart", True)]
        lengths = Lengths(9, 3)
        assert faults(p, [*claims, modes.seal(p, "eax", lengths, "apart"), modes.open_(p, "eax", lengths, "in place")]) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "target, cipher",
    [pytest.param(*pair, marks=[pytest.mark.ci] if pair == CI else []) for pair in product(TARGETS, CIPHERS)],
)
def test_modes_of_each_target(target, cipher):
    with prover(target, cipher) as p:
        assert faults(p, modes.key_claims(p)) == []
        assert faults(p, modes.refusals(p)) == []
        for n in SAMPLE:
            assert faults(p, modes.claims(p, n)) == []


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["", "lea_c"])  # with and without a counter mode of its own
@pytest.mark.parametrize("target", TARGETS)
def test_all_lengths(target, kernel):
    for cipher in CIPHERS if not kernel else ["LEA"]:
        with prover(target, cipher, kernel) as p:
            for n in (*SHORT, *LONG):
                assert faults(p, modes.claims(p, n)) == []


CBC = {
    "branch": "a branch on plaintext", "residue": "leaves a secret", "beyond": "which is not its own",
    "before": "which is not its own", "chain": "out is not as specified", "once": "out is not as specified",
    "answer": "does not answer 0", "state": "iv is not as specified",
}  # fmt: skip
OPEN = {"open": "", "leak": "out is not as specified"}


@pytest.fixture(scope="module")
def planted():
    with prover("armv7m", "HIGHT", extra=[ROOT / "test/proof/planted_modes.c"]) as p:
        yield p


@pytest.mark.parametrize("name, why", CBC.items(), ids=CBC)
def test_planted_faults_are_found(planted, name, why):
    right = modes.cbc(planted, 16, "apart", False)
    found = planted.faults(replace(right, function=f"planted_{name}"))
    assert any(why in fault for fault in found), found


@pytest.mark.parametrize("name, why", OPEN.items(), ids=OPEN)
def test_planted_faults_of_opening_are_found(planted, name, why):
    right = modes.open_(planted, "eax", Lengths(9, 3), "apart")
    found = planted.faults(replace(right, function=f"planted_{name}"))
    assert found and any(why in fault for fault in found), found
