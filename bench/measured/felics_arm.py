# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The published implementations of LEA, SPECK and Chaskey in our model of a Cortex-M3: the rows of results/felics-arm.csv.

FELICS measured its Arm code on a SAM3X8E, whose processor waits for its flash. Our model never waits, so that published
cycles must not be compared with ours. This measurement compiles the published code itself and counts it as ours is
counted: of each cipher and scenario the version that has the best published figure of merit, with the same option of a newer
compiler. The code is that of the repository cryptolu/FELICS, which is under the GPL: nothing of it is here. HAECHI_FELICS names
a folder with a clone; where it is missing, the rows stay as they are.
"""

import os
from pathlib import Path
from random import Random

import msgspec

from bench.declared.model import ROOT, BenchError, MissingTool, load_targets
from bench.made import build
from bench.made.cache import kept, write
from bench.measured.felics import DATA, MESSAGE, TARGET, PublishedRow, device, published
from bench.measured.measurement import Measurement
from bench.simulated.drive import Layout
from bench.simulated.simulators import open_simulator

CLONE = os.environ.get("HAECHI_FELICS", "")
CIPHERS = ["LEA", "Speck", "Chaskey", "Chaskey-LTS"]
FUNCTIONS = {
    "eks": "RunEncryptionKeySchedule", "enc": "EncryptScenario{}", "dks": "RunDecryptionKeySchedule",
    "dec": "DecryptScenario{}",
}  # fmt: skip
# What a C library and a program would give. The start-up code has the functions.
STRING = "#include <stddef.h>\nvoid *memcpy(void *, const void *, size_t);\nvoid *memset(void *, int, size_t);\n"
SUPPORT = """__attribute__((__noreturn__, __noinline__)) void haechi_bench_idle(void);
void haechi_bench_idle(void) { for (;;) __asm__ volatile(""); }
int main(void) { haechi_bench_idle(); }
"""


class ArmRow(msgspec.Struct):
    """A published implementation in a scenario, counted by our model."""

    scenario: int
    cipher: str
    block_bits: int
    key_bits: int
    version: str
    options: str
    eks_cycles: int
    enc_cycles: int
    dks_cycles: int
    dec_cycles: int
    cycles: int
    published_cycles: int
    ratio: float  # published / counted by our model
    compiler: str
    counter: str


def _program(folder: Path, scenario: int, option: str) -> Path:
    """One implementation with a scenario of FELICS, by its own sources."""
    target, common = device(load_targets()["armv7m"]), Path(CLONE) / "block_ciphers/source/common"
    includes = [folder, common, common / f"scenario{scenario}", Path(CLONE) / "common/source/rotations"]
    support = write(build.BUILD / "armv7m/felics/published/support.c", SUPPORT)
    write(support.parent / "string.h", STRING)
    own = [f"-mcpu={target.chip}", "-mthumb", "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-w"]
    theirs = ["-Wa,-mimplicit-it=thumb", "-DARM", f"-DSCENARIO={scenario}", *(f"-I{path}" for path in (*includes, support.parent))]
    sources = [path for path in sorted(folder.glob("*.c")) if path.stem != "test_vectors"]
    sources += sorted((common / f"scenario{scenario}").glob("*crypt_*.c"))
    objects = [build.compile(target.compiler, source, [*own, *theirs, option]) for source in sources]
    start = [build.compile(target.compiler, source, own) for source in (*(ROOT / s for s in target.sources), support)]
    keep = [name.format(scenario) for name in FUNCTIONS.values()]
    out = build.BUILD / "armv7m/felics" / f"{folder.parent.name}-{scenario}.elf"
    return build.link_for(target, [*own, option], [*start, *objects], keep, out)


def _cycles(elf: Path, scenario: int, block: int, key: int) -> dict[str, int]:
    """The cycles of each call. What decryption gives must be what encryption took."""
    target, random = device(load_targets()["armv7m"]), Random("published")
    with open_simulator(target, target.chip, elf) as simulator:
        layout, address = Layout(simulator), simulator.image.address
        text, first = random.randbytes(DATA if scenario == 1 else MESSAGE), random.randbytes(block - 1) + b"\0"
        rk, keys = layout.room(512), layout.place(random.randbytes(key), writable=True)
        data, iv = layout.place(text, writable=True), layout.place(first, writable=True)
        found = {}
        for phase, name in FUNCTIONS.items():
            if phase == "dec" and scenario == 2:
                simulator.write(iv, first)
            given = (keys, rk) if phase in ("eks", "dks") else (data, rk, iv)
            found[phase] = layout.call(address(name.format(scenario)), *given).cycles
            if phase == "enc" and simulator.read(data, len(text)) == text:
                raise BenchError(f"{elf.name}: encryption leaves the data as they were")
        if simulator.read(data, len(text)) != text:
            raise BenchError(f"{elf.name}: decryption does not give what was encrypted")
    return found


def parts(target, ciphers) -> dict[str, PublishedRow]:
    if lacks(target):
        return {}
    wanted = [row for row in published() if row.target == "armv7m" and row.cipher in CIPHERS]
    return {f"{r.cipher}-{r.block_bits}/{r.key_bits} as published, scenario {r.scenario}": r for r in wanted}


@kept
def counted(row: PublishedRow, clone: str) -> dict[str, int]:
    """The cycles of each call in our model."""
    name = f"{row.cipher}_{row.block_bits}_{row.key_bits}_v{row.version}"
    folder = Path(clone) / "block_ciphers/source/ciphers" / name / "source"
    return _cycles(_program(folder, row.scenario, row.options), row.scenario, row.block_bits // 8, row.key_bits // 8)


def rows(target, row: PublishedRow) -> list[ArmRow]:
    arm, cycles = device(load_targets()["armv7m"]), counted(row, CLONE)
    # Counted are the calls that FELICS counts.  It has no key schedule in scenario 2, and 0 where a routine is empty.
    theirs = {phase: getattr(row, f"{phase}_cycles") for phase in FUNCTIONS}
    cycles = {phase: count if theirs[phase] else 0 for phase, count in cycles.items()}
    total = sum(cycles.values())
    return [ArmRow(
        scenario=row.scenario, cipher=row.cipher, block_bits=row.block_bits, key_bits=row.key_bits, version=row.version,
        options=row.options, **{f"{phase}_cycles": count for phase, count in cycles.items()}, cycles=total,
        published_cycles=row.cycles, ratio=round(row.cycles / total, 2), compiler=build.version(arm.compiler),
        counter=arm.counter,
    )]  # fmt: skip


def lacks(target) -> list[str]:
    if not CLONE:
        return ["published code on Arm: HAECHI_FELICS does not name a clone of cryptolu/FELICS; its rows stay"]
    try:
        build.check(load_targets()["armv7m"])
    except MissingTool as error:
        return [f"published code on Arm: {error}"]
    return []


PUBLISHED_ON_ARM = Measurement(
    name="arm", row=ArmRow, machines=(TARGET.machine,), parts=parts, rows=rows, lacks=lacks,
    order={"scenario": [1, 2], "cipher": CIPHERS, "block_bits": [64, 128], "key_bits": [96, 128]},
)  # fmt: skip
