# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a program on a microcontroller pays for each kernel that it may choose: the rows of results/<target>-choices.csv,
from which docs/defaults.md is written.

A row is one message of 1 KiB in one call, as in modes.py, with the shortest key of the cipher. Every kernel of the target is
measured, for the target's own chip and for its choice_chips. The library is compiled for size. flash_bytes is by how much a
linked program grows when it names the cipher and calls the mode in both directions: the modes here need the forward cipher
alone. It includes slots that the mode does not call, because the kernel's descriptor refers to them. ram_bytes is the key
object, what the mode keeps between calls, and by how much the program's RAM grows. stack_bytes is what the deepest call takes
of the stack, that of haechi_init among them.

For a target whose simulator has no cycles, results/<target>-instructions.csv has the same rows with the number of executed
instructions, by which times cannot be compared.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
from elftools.elf.elffile import ELFFile

from bench.declared.model import ROOT, VARIANTS, Card, Target, kernels
from bench.made import build
from bench.made.cache import digest, kept
from bench.made.elf import RAM_SECTIONS
from bench.measured.measurement import Measurement
from bench.measured.modes import CMAC, DERIVED, MESSAGE, STREAM, Modes, program
from bench.simulated.simulators import SIMULATORS, UNTIMED, open_simulator

# The functions that a program with the mode calls, and the bytes of state that the mode keeps between calls.
CALLED = {
    "ctr": (["init", "ctr"], STREAM),
    "cmac": (["init", "cmac_update", "cmac_tag"], CMAC),
    "ccm": (["aead_init", "ccm", "seal", "open"], 0),
    "eax": (["aead_init", "eax", "seal", "open"], 0),
    "gcm": (["aead_init", "gcm", "seal", "open"], 0),
}


PROGRAM = """
int main(void);
extern char {declared};
char *const volatile used[] = {{ {used} }};
int main(void) {{ return used[0] == 0; }}
"""


class ChoiceRow(msgspec.Struct):
    """One mode over one kernel."""

    cipher: str  # LEA-128, HIGHT, ARIA-128
    kernel: str
    chip: str  # for which the program is compiled; the same counter counts for all chips of a target
    default: str  # yes or no: whether a build for the chip takes this kernel if it names none
    mode: str
    cycles: int  # of a message of 1 KiB
    cpb: float  # rounded to two decimals
    flash_bytes: int
    ram_bytes: int
    stack_bytes: int
    compiler: str
    counter: str


class CountedRow(msgspec.Struct):
    """One mode over one kernel, on a target without cycles."""

    cipher: str  # LEA-128, HIGHT, ARIA-128
    kernel: str
    chip: str  # for which the program is compiled
    default: str  # yes or no: whether a build for the chip takes this kernel if it names none
    mode: str
    instructions: int  # that a message of 1 KiB takes
    ipb: float  # instructions per byte, rounded to two decimals
    flash_bytes: int
    ram_bytes: int
    stack_bytes: int
    compiler: str
    counter: str


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Card, str, str]]:
    build.check(target)
    return {
        f"choice of {kernel} on {chip}": (card, kernel, chip)
        for card, kernel in kernels(target, ciphers) if card.path.is_relative_to(ROOT / "src")
        for chip in (target.chip, *target.choice_chips)
    }  # fmt: skip


def rows(target: Target, part: tuple[Card, str, str]) -> list[ChoiceRow]:
    return measured(target, *part)


def counted_rows(target: Target, part: tuple[Card, str, str]) -> list[CountedRow]:
    return counted(target, *part)


def _linked(target: Target, chip: str, library: list[Path], declared: str, used: str) -> tuple[int, int]:
    """Bytes of flash and of RAM of a program that uses these names."""
    flags = [f"{target.chip_flag}{chip}", *target.flags, *target.size_flags]
    text = PROGRAM.format(declared=declared, used=used)
    source = build.BUILD / target.name / chip / f"choice-{digest(text)}.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    objects = [*library, build.compile(target.compiler, source, flags)]
    with build.link_for(target, flags, objects, [], source.with_suffix(".elf")).open("rb") as file:
        sections = [s for s in ELFFile(file).iter_sections() if s["sh_flags"] & 2 and s["sh_size"]]
    ram = sum(s["sh_size"] for s in sections if s.name.startswith(RAM_SECTIONS))
    return sum(s["sh_size"] for s in sections if s["sh_type"] != "SHT_NOBITS"), ram


def grows_by(target: Target, chip: str, card: Card, kernel: str, names: list[str]) -> tuple[int, int]:
    """By how many bytes of flash and of RAM a program grows that uses these names."""
    objects = build.objects(target, chip, card, kernel, target.size_flags)
    library = [path for path in objects if not path.name.startswith("harness-")]
    declared = ", ".join(f"{name}[]" for name in names)
    after = _linked(target, chip, library, declared, ", ".join(names))
    before = _linked(target, chip, library, declared, ", ".join(["(char *)main"] * len(names)))
    return after[0] - before[0], after[1] - before[1]


@kept
def measured(target: Target, card: Card, kernel: str, chip: str) -> list[ChoiceRow]:
    return [
        ChoiceRow(**common, cycles=cycles, cpb=round(cycles / MESSAGE, 2))
        for common, cycles in by_mode(target, card, kernel, chip, "cycles")
    ]


@kept
def counted(target: Target, card: Card, kernel: str, chip: str) -> list[CountedRow]:
    return [
        CountedRow(**common, instructions=instructions, ipb=round(instructions / MESSAGE, 2))
        for common, instructions in by_mode(target, card, kernel, chip, "instructions")
    ]


def by_mode(target: Target, card: Card, kernel: str, chip: str, unit: str) -> Iterator[tuple[dict, int]]:
    """For each mode the columns that both kinds of rows have, and the number of units, which a Call counts, of a message."""
    variant, random = VARIANTS[card.cipher][0], Random(kernel)
    default = "yes" if build.ladder(target, card.cipher, chip) == [kernel] else "no"
    key, text, nonce = (random.randbytes(n) for n in (variant.key, MESSAGE, 12))
    with open_simulator(target, chip, program(target, card, kernel, chip), measuring=True) as simulator:
        modes, pointer = Modes(simulator, kernel, variant, odd=0), simulator.pointer
        modes.apply(modes._begin(), "nothing")
        calling = modes.calls[0]  # what the bench's way to call takes
        for mode, (names, state) in CALLED.items():
            if variant.block != 16 and mode in ("gcm", "ccm"):
                continue
            if mode == "ctr":
                modes.crypt(mode, key, bytes(variant.block), text)
            elif mode == "cmac":
                modes.cmac(key, text, 8)
            else:
                modes.seal(mode, key, nonce, b"", text, 8)
            flash, ram = grows_by(target, chip, card, kernel, [f"haechi_{name}" for name in (variant.constant, *names)])
            taken = sum(getattr(call, unit) - getattr(calling, unit) for call in modes.calls[1:])  # the first call is that of the key
            head = pointer if mode in ("ctr", "cmac") else 2 * pointer + DERIVED
            common = dict(
                cipher=variant.cipher, kernel=kernel, chip=chip, default=default, mode=mode,
                flash_bytes=flash, ram_bytes=modes.rk + head + state + ram,
                stack_bytes=max(call.stack for call in modes.calls) - calling.stack,
                compiler=f"{build.version(target.compiler)} {' '.join(target.size_flags)}", counter=target.counter,
            )  # fmt: skip
            yield common, taken


CHOICES = Measurement(name="choices", row=ChoiceRow, machines=tuple(SIMULATORS), parts=parts, rows=rows)
COUNTED = Measurement(name="instructions", row=CountedRow, machines=tuple(UNTIMED), parts=parts, rows=counted_rows)
