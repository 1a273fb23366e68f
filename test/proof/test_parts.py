# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other parts run the code that is proved, but for named kernels on two parts. No conditional of a kernel's source hides code
from the proofs, but for what these two parts need."""

import re
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import parts
import pytest

from bench.declared.model import ROOT, load_targets
from bench.made import build
from bench.made.cache import tool
from proof import claims

pytestmark = pytest.mark.full

AVR = load_targets()["avr"]
KERNELS = claims.kernels()
CARDS = {(target.name, card.path): (target, card) for target, card, _ in KERNELS}.values()
TARGETS = {target.name: target for target, _ in CARDS}.values()


# The kernels that have code of their own on a part, which is not proved (docs/proof.md): they handle a return address of
# three bytes, or rotate in one instruction.
OTHER = {
    "atmega2560": {"aria_avr_flash", "aria_avr_ram", "aria_avr_small", "hight_avr_fly_small"},
    "rv32imc_zbb": {kernel for target, _, kernel in KERNELS if target.name == "rv32"},
}
PARTS = [(target, chip) for target in TARGETS for chip in parts.others(target)]


@pytest.mark.parametrize("target, chip", [pytest.param(*part, id=part[1]) for part in PARTS])
def test_another_part_runs_the_proved_text(target, chip):
    """But for the kernels of OTHER, and the reach of calls and jumps on AVR."""
    found = {(symbol, card.path): card for of, card in CARDS if of == target for symbol in parts.changed(target, chip, card)}
    assert bool(found) == (chip in OTHER)
    kernels = {parts.kernel_of(symbol, card) for (symbol, _), card in found.items() if symbol.startswith("haechi_")}
    assert kernels == OTHER.get(chip, set())


def test_a_part_without_jmp_has_all_functions():
    """An ATtiny85 lacks MUL, so that it has some of the kernels only."""
    for chip, kernel in product(parts.SMALL["avr"], ("hight_avr_flash", "aria_avr_ram")):
        card = next(card for _, card in CARDS if kernel in card.kernels)
        assert parts.texts(AVR, chip, card.source(kernel)).keys() == parts.texts(AVR, AVR.chip, card.source(kernel)).keys()


TEXT = """
    .section .text.one, "ax"
    .global one
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
        ("atmega2560", "call other", "jmp one", set()),
        ("atmega2560", "nop", "ldi r24, WIDE", {"one"}),
    ],
)
def test_what_differs_in_a_text(chip, one, two, differs, tmp_path):
    """Calls and jumps whose reach alone differs, an operand, and an instruction that moves the place 1b."""
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


# How many groups of a file are not proved: with Zbb, rotations and the order of bytes; and a note for operating systems, which
# is no code.
UNPROVED = {"src/asm/rv32.h": 1, "src/aria/rv32/aria_rv32.h": 2, "src/asm/stack_note.h": 1}


def test_no_other_conditional_is_left_unproved():
    """Each other group is compiled for a part that runs the proved text."""
    read = [
        compiled(target, chip, card.source(kernel))
        for target, card, kernel in KERNELS for chip in (target.chip, *parts.others(target)) if chip not in OTHER
    ]  # fmt: skip
    assert Counter(str(Path(where.split(":")[0]).relative_to(ROOT)) for where in hidden(read)) == UNPROVED


def test_a_conditional_that_no_part_fulfils_is_seen(tmp_path):
    source = tmp_path / "planted.S"
    source.write_text("/* #if in a comment\n */\n#if defined(__AVR_XMEGA__)\n nop\n#elif defined(__AVR_HAVE_MOVW__)\n nop\n#else\n nop\n#endif\n")
    read = [compiled(AVR, chip, source) for chip in (AVR.chip, *parts.others(AVR))]
    assert hidden(read) == [f"{source}:3", f"{source}:7"]
