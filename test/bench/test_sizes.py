# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Linked sizes in results/: a program that uses a kernel is larger by so much than the same program without it."""

from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from kernels import TARGETS, everywhere

from bench.declared.model import VARIANTS
from bench.made import build
from bench.made.sections import Sections
from bench.measured.choices import CALLED, CHOICES
from bench.measured.kernels import KERNELS, SLOTS
from bench.simulated.drive import Drive
from bench.simulated.simulators import open_simulator

CLOSE = 2  # bytes
CASES = [(target, kernel) for target in TARGETS.values() for kernel in everywhere(target)]
SAMPLE = ["hight_avr_compact", "hight_avr_flash_tiny", "lea_msp430", "aria_armv7m"]
PROGRAM = """
int main(void);
extern char {declared};
char *const volatile used[] = {{ {used} }};
volatile int value = 1, zero;
int main(void) {{ return used[0] == 0; }}
"""


def sizes(path: Path) -> tuple[int, int]:
    """Bytes of flash and of static RAM."""
    with path.open("rb") as file:
        sections = [s for s in ELFFile(file).iter_sections() if s["sh_flags"] & 2 and s["sh_size"]]
    ram = sum(s["sh_size"] for s in sections if s.name.startswith((".data", ".bss", ".noinit")))
    return sum(s["sh_size"] for s in sections if s["sh_type"] != "SHT_NOBITS"), ram


def program(target, objects: list[Path], folder: Path, text: str) -> tuple[int, int]:
    source = folder / "program.c"
    source.write_text(text)
    flags = [f"{target.chip_flag}{target.chip}", *target.flags]
    out = build.BUILD / target.name / "sizes.elf"
    return sizes(build.link_for(target, flags, [*objects, build.compile(target.compiler, source, flags)], [], out))


def grows_by(target, objects: list[Path], folder: Path, names: list[str]) -> tuple[int, int]:
    """By how many bytes a program is larger if it uses these names."""
    declared = ", ".join(f"{name}[]" for name in names)
    with_it = program(target, objects, folder, PROGRAM.format(declared=declared, used=", ".join(names)))
    mains = ", ".join(["(char *)main"] * len(names))
    without = program(target, objects, folder, PROGRAM.format(declared=declared, used=mains))
    return with_it[0] - without[0], with_it[1] - without[1]


def compare(target, kernel: str, folder: Path) -> None:
    """The rows of the shortest key: of the descriptors and, where routines have global names, as in assembly, of key
    schedule, encryption and both directions."""
    card = everywhere(target)[kernel]
    objects = build.objects(target, target.chip, card, kernel)
    harness = [path for path in objects if path.name.startswith("harness-")]
    library = [path for path in objects if path not in harness]
    variant, sections = VARIANTS[card.cipher][0], Sections(objects, target.constants_in_ram)
    both = [f"haechi_{kernel}{variant.suffix}{inverse}" for inverse in ("", "_inv")]
    program_image = build.elf(target, target.chip, card, kernel)
    with open_simulator(target, target.chip, program_image) as simulator:
        image, drives = simulator.image, [Drive(simulator, kernel, variant, inverse) for inverse in (False, True)]
        linked = sections.linked([sections.function(name) for name in both], image.constants_at)
        helpers = image.needs([image.address(name) for name in linked.elsewhere]).code
        assert abs(linked.flash + helpers - grows_by(target, library, folder, both)[0]) <= CLOSE
        if card.source(kernel).suffix != ".S":
            return
        names = {
            (slot, drive.inverse): image.at(getattr(drive.d, slot)).name for drive in drives for slot in SLOTS[:2]
        }
    rows = {
        row.operation: row for row in KERNELS.read(target.name)
        if (row.cipher, row.kernel, row.blocks) == (variant.cipher, kernel, 1)
    }  # fmt: skip
    for operation, wanted in {
        "eks": [("expand", False)], "enc": [("crypt", False)], "dec": [("crypt", True)], "both": list(names),
    }.items():  # fmt: skip
        places = [sections.slot(f"haechi_{drives[inverse].name}", SLOTS.index(slot), len(SLOTS)) for slot, inverse in wanted]
        flash, ram = grows_by(target, library, folder, list(dict.fromkeys(names[place] for place in wanted)))
        assert abs(rows[operation].linked_code_bytes - flash) <= CLOSE, operation
        assert abs(sections.linked(places).ram - ram) <= CLOSE, operation


@pytest.mark.parametrize("target, kernel", [pytest.param(*c, id=f"{c[1]}-{c[0].name}") for c in CASES if c[1] in SAMPLE])
def test_linked_sizes_of_a_sample(target, kernel, tmp_path):
    compare(target, kernel, tmp_path)


@pytest.mark.parametrize("mode", ["ctr", "cmac"])
@pytest.mark.parametrize("target, kernel", [pytest.param(*c, id=c[1]) for c in CASES if c[1] in ("lea_avr_small", "lea_armv6m")])
def test_flash_of_a_choice(target, kernel, mode, tmp_path):
    """docs/defaults.md counts what a linked program takes."""
    (row,) = [r for r in CHOICES.read(target.name) if (r.kernel, r.chip, r.mode) == (kernel, target.chip, mode)]
    card, variant = everywhere(target)[kernel], VARIANTS[everywhere(target)[kernel].cipher][0]
    objects = build.objects(target, target.chip, card, kernel, target.size_flags)
    library = [path for path in objects if not path.name.startswith("harness-")]
    names = [f"haechi_{name}" for name in (variant.constant, *CALLED[mode][0])]
    flash = grows_by(target, library, tmp_path, names)[0]
    assert abs(row.flash_bytes - flash) <= CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("target, kernel", [pytest.param(*c, id=f"{c[1]}-{c[0].name}") for c in CASES])
def test_linked_sizes(target, kernel, tmp_path):
    compare(target, kernel, tmp_path)
