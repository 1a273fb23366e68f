# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other parts run the code that is proved, or have proofs of their own. No conditional of a kernel's source hides code from the
proofs."""

import re
from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest

from bench.declared.model import ROOT, VARIANTS, load_targets
from bench.made import build
from bench.made.cache import tool
from bench.measured.measurement import read_rows
from bench.reported.compare import Proof
from bench.simulated.drive import Drive
from proof import claims, parts
from proof.__main__ import RESULTS

pytestmark = pytest.mark.full

AVR = load_targets()["avr"]
KERNELS = [(target, card, kernel) for target, card, kernel in claims.kernels() if card.source(kernel).suffix == ".S"]
CARDS = {(target.name, card.path): (target, card) for target, card, _ in KERNELS}.values()
TARGETS = {target.name: target for target, _ in CARDS}.values()


PARTS = [(target, chip) for target in TARGETS for chip in parts.others(target)]


@pytest.mark.parametrize("target, chip", [pytest.param(*part, id=part[1]) for part in PARTS])
def test_what_another_part_runs_is_proved(target, chip):
    """Each text is the same as on the target's chip, or the proofs of programs for this part reach it, or it is a descriptor,
    which the list of claims is made from. test_proof.py compares these claims with the rows of results/proofs.csv."""
    for card in [card for of, card in CARDS if of == target]:
        if missing := {name for name in parts.changed(target, chip, card) if not name.startswith(".L")}:
            assert chip in parts.chips(target, card)
            for _, _, kernel in [entry for entry in KERNELS if entry[:2] == (target, card)]:
                with claims.simulator(target, card, kernel, chip=chip) as machine:
                    found = [claim.function for claim in claims.claims(machine, target, card, kernel)]
                    reached = machine.image.needs(found).symbols
                    missing -= {f"haechi_{Drive(machine, kernel, *d).name}" for d in product(VARIANTS[card.cipher], (False, True))}
                    missing -= {name for name, s in machine.image.symbols.items() if machine.image.at(s.address) in reached}
        assert missing == set()


def test_which_parts_have_code_of_their_own():
    """Cortex-M parts and AVR parts without JMP and CALL have none, but for the reach of calls and jumps."""
    own = {chip for target, card in CARDS for chip in parts.chips(target, card)[1:]}
    assert own == {"atmega2560", "rv32imc_zbb"}
    assert {row.chip for row in read_rows(RESULTS, Proof) if row.target in claims.PROVED} == own | {target.chip for target in TARGETS}


def test_a_part_without_jmp_has_all_functions():
    """An ATtiny85 lacks MUL, so that it has some of the kernels only."""
    for chip, kernel in product(parts.SMALL["avr"], ("hight_avr_flash", "aria_avr_ram")):
        card = next(card for _, card in CARDS if kernel in card.kernels)
        assert parts.texts(AVR, chip, card.source(kernel)).keys() == parts.texts(AVR, AVR.chip, card.source(kernel)).keys()


TEXT = """
    .section .text.one, "ax"
    .global one
    .type one, @function
one:
    {one}
1:  {two}
    rjmp    1b
    .section .text.other, "ax"
    .global other
other:
    .word   gs(one), gs(1b)
"""


@pytest.mark.parametrize(
    "chip, one, two, differs",
    [
        ("atmega8", "nop", "nop", set()),
        ("atmega8", "FAR(call) other", "FAR(jmp) one", set()),
        ("atmega8", "nop", "ldi r24, NEAR", {"one"}),
        ("atmega8", ".if NEAR\n nop\n .endif", "nop", {"one", "other"}),
        ("atmega2560", "nop", "jmp one", set()),
        ("atmega2560", "call other", "jmp one", {"one"}),
        ("atmega2560", "rcall 1f", "icall", {"one"}),
        ("atmega2560", "nop", "ldi r24, WIDE", {"one"}),
    ],
)
def test_what_differs_in_a_text(chip, one, two, differs, tmp_path):
    """Calls and jumps whose reach alone differs, an operand, an instruction that moves the place 1b, and calls that leave three
    bytes on the stack."""
    source = tmp_path / "planted.S"
    head = """
#if defined(__AVR_HAVE_JMP_CALL__)
#define FAR(op) op
#define NEAR 0
#else
#define FAR(op) r##op
#define NEAR 1
#endif
#if defined(__AVR_3_BYTE_PC__)
#define WIDE 1
#else
#define WIDE 0
#endif
"""
    source.write_text(head + TEXT.format(one=one, two=two))
    here, there = parts.texts(AVR, AVR.chip, source), parts.texts(AVR, chip, source)
    assert {name for name in ("one", "other") if here[name] != there[name]} == differs


# ---- Conditionals.


def groups(text: str) -> dict[int, set[int]]:
    """For the line of each #if, #elif and #else the lines up to the next of these or the #endif that hold text or a
    definition."""
    text = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment[0]), text, flags=re.DOTALL)
    found, inside = {}, []
    for n, line in enumerate(text.splitlines(), 1):
        word = (re.match(r"\s*#\s*(\w+)", line) or ["", ""])[1]
        if word.startswith("if"):
            inside.append(n)
            found[n] = set()
        elif word in ("elif", "else"):
            inside[-1] = n
            found[n] = set()
        elif word == "endif":
            inside.pop()
        elif inside and line.strip() and word in ("", "define"):
            found[inside[-1]].add(n)
    return found


def compiled(target, chip: str, source: Path) -> dict[Path, set[int]]:
    """The lines of each file of which the preprocessor leaves something when it reads a source for a chip."""
    found, n = defaultdict(set), 0
    flags = [f"{target.chip_flag}{chip}", *target.flags]
    for line in build.run([tool(target.compiler), *flags, "-E", "-dD", source]).splitlines():
        if marker := re.match(r'# (\d+) "(.*?)"', line):
            n, lines = int(marker[1]), found[ROOT / marker[2]]
        else:
            lines |= {n} if line.strip() else set()
            n += 1
    return found


def hidden(read: list[dict[Path, set[int]]]) -> list[str]:
    """The groups of conditionals of which nothing was ever compiled."""
    lines = defaultdict(set)
    for found in read:
        for path, seen in found.items():
            lines[path.resolve()] |= seen
    return [
        f"{path}:{n}"
        for path in sorted(lines) if path.is_relative_to(ROOT / "src") or path.name == "planted.S"
        for n, text in groups(path.read_text()).items() if text and not text & lines[path]
    ]  # fmt: skip


UNPROVED = {ROOT / "src/asm/stack_note.h"}  # a note for operating systems, which is no code


def test_no_conditional_is_left_unproved():
    """Each group is compiled for a part whose code is proved."""
    read = [
        compiled(target, chip, card.source(kernel))
        for target, card, kernel in KERNELS for chip in (target.chip, *parts.others(target))
    ]  # fmt: skip
    assert {Path(where.split(":")[0]) for where in hidden(read)} == UNPROVED


def test_a_conditional_that_no_part_fulfils_is_seen(tmp_path):
    source = tmp_path / "planted.S"
    source.write_text("/* #if in a comment\n */\n#if defined(__AVR_XMEGA__)\n nop\n#elif defined(__AVR_HAVE_MOVW__)\n nop\n#else\n nop\n#endif\n")
    read = [compiled(AVR, chip, source) for chip in (AVR.chip, *parts.others(AVR))]
    assert hidden(read) == [f"{source}:3", f"{source}:7"]
