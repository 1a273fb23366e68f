# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scenarios 1 and 2 of FELICS in the simulators of the microcontrollers: the rows of results/felics.csv; and their rank
among the published implementations: the rows of results/felics-triathlon.csv.

Scenario 1 expands a key, encrypts 128 bytes in CBC, expands the key for decryption where that differs, and decrypts.
Scenario 2 encrypts 16 bytes in counter mode with round keys that are in flash and count as code. Keys have 128 bits.

    code    the routines of the scenario with their constants, and in scenario 2 the round keys. As FELICS adds up
            object files, code_bytes leaves out what the linker adds to align tables; linked_code_bytes has it
    RAM     message, key, IV or counter, round keys (scenario 1) and tables, and the deepest stack of the calls, without
            the return address, as FELICS has it
    cycles  of all calls together

The figure of merit of a device is code / least + RAM / least + cycles / least; smaller is better. The least of each is
that of the published implementations (papers/felics.csv, rows `minima`). The figure of a cipher is the mean over the
three devices of its best implementation.

A row whose wrapper is `C` has CBC and CTR in C around the kernel's routine for one block (bench/made/harness/felics.c), as
the published implementations have. It is compiled in every way that FELICS tries, by bytes and by words, and the best
figure of merit counts. Assembly is called by name; kernels in C, whose functions have no names outside their file,
through their descriptor, which then links all of its routines. On AVR, where flash is read by an instruction of its
own, scenario 2 calls haechi_<kernel>_128_enc_flash where a kernel has it, and copies the round keys to the stack where
it does not.

A row whose wrapper is `assembly` has CBC and CTR in assembly around the rounds of the kernel, with the block in registers
(bench/made/harness/felics_<kernel>.S, which includes the kernel or its headers). It may have key schedules of its own,
where those of the kernel would link its routines for a block too.

Constants stay in flash. On Arm this is a linker script of its own, because the other measurements have them in SRAM.

Arm: published cycles are those of a SAM3X8E, whose flash makes the processor wait; ours are those of a model without
waiting. No rank is given there.
"""

from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from bench.declared.model import (
    ROOT, VARIANTS, BenchError, Card, MissingTool, Target, Variant, from_flash, kernels, load_targets,
)  # fmt: skip
from bench.declared.rsp import Answer, single_blocks
from bench.made import build
from bench.made.cache import digest, kept, write
from bench.made.elf import Image
from bench.made.sections import Sections
from bench.measured.kernels import SLOTS, check
from bench.measured.measurement import RESULTS, Measurement, read_rows
from bench.simulated.drive import Drive, Layout
from bench.simulated.simulator import Call, Simulator
from bench.simulated.simulators import open_simulator

HARNESS = ROOT / "bench/made/harness/felics.c"
PUBLISHED = ROOT / "papers/felics.csv"
OPTIONS = ["-Os", "-O1", "-O2", "-O3"]  # those that FELICS tries
DEVICES = ["avr", "msp430", "armv7m"]  # those of the published sets
CIPHERS = [sizes[0].cipher for sizes in VARIANTS.values()]  # those with 128 bits of key
DATA, MESSAGE = 128, 16  # bytes of the scenarios
NAMES = ("cbc_encrypt", "cbc_decrypt", "ctr")
OWN = {"eks": "felics_128_eks", "dks": "felics_128_dks"}  # key schedules, where the scenarios in assembly have their own


def fused(kernel: str) -> Path:
    """The file that has the scenarios in assembly, for kernels that have one."""
    return HARNESS.with_name(f"felics_{kernel}.S")


class FelicsRow(msgspec.Struct):
    """A kernel in a scenario on a device."""

    scenario: int
    target: str
    cipher: str
    kernel: str
    wrapper: str  # C, or assembly around the rounds
    code_bytes: int
    linked_code_bytes: int
    ram_data_bytes: int
    stack_bytes: int
    ram_bytes: int
    eks_cycles: int
    enc_cycles: int
    dks_cycles: int
    dec_cycles: int
    cycles: int
    code_ratio: float
    ram_ratio: float
    cycles_ratio: float
    fom: float
    compiler: str
    counter: str

    @property
    def place(self) -> str:
        return f"{self.target} {self.cipher}"


class PublishedRow(msgspec.Struct):
    """A published implementation: the one of its cipher with the least figure of merit on a device; and the `minima`
    over all implementations."""

    scenario: int
    target: str
    cipher: str
    block_bits: int | None
    key_bits: int | None
    version: str
    language: str
    options: str
    code_bytes: int
    ram_data_bytes: int
    stack_bytes: int | None
    ram_bytes: int
    eks_cycles: int | None
    enc_cycles: int | None
    dks_cycles: int | None
    dec_cycles: int | None
    cycles: int


def published() -> list[PublishedRow]:
    return read_rows(PUBLISHED, PublishedRow)


def least(scenario: int, target: str) -> PublishedRow:
    return next(r for r in published() if (r.scenario, r.target, r.cipher) == (scenario, target, "minima"))


def ratios(scenario: int, target: str, code: int, ram: int, cycles: int) -> tuple[float, float, float]:
    """Code, RAM and cycles, each divided by the least published one."""
    best = least(scenario, target)
    return code / best.code_bytes, ram / best.ram_bytes, cycles / best.cycles


# ---- Programs.


class Program(NamedTuple):
    elf: Path
    objects: list[Path]


def _called(card: Card, kernel: str, variant: Variant, inverse: bool, name: str) -> tuple[str, str]:
    """How C calls the routine for one block, and what it must declare before."""
    descriptor = f"haechi_{kernel}{variant.suffix}{'_inv' if inverse else ''}"
    if card.source(kernel).suffix == ".c":
        call = f"((void (*)(const void *, void *))HAECHI_READ({descriptor}.crypt))(rk, block)"
        return call, f"extern const struct haechi_kernel {descriptor};"
    return f"{name}(rk, block)", f"void {name}(const void *rk, void *block);"


def _source(
    target: Target, card: Card, kernel: str, variant: Variant, routines: tuple[str, str, str], keys: bytes
) -> Path:
    """The file for one kernel: routines are those for encryption, for decryption and for encryption with round keys in
    flash, which is empty if there is none. keys are the round keys of scenario 2."""
    lines = ['#include "../../../src/core/kernel.h"', f"#define BLOCK {variant.block}"]
    for macro, inverse, name in (("ENCRYPT", False, routines[0]), ("DECRYPT", True, routines[1])):
        call, declared = _called(card, kernel, variant, inverse, name)
        lines += [declared, f"#define {macro}(rk, block) {call}"]
    if routines[2]:
        lines += [f"void {routines[2]}(const void *rk, void *block);"]
        lines += [f"#define ENCRYPT_BY_FLASH(rk, block) {routines[2]}(rk, block)"]
    else:
        lines += ["#define ENCRYPT_BY_FLASH ENCRYPT"]
        lines += [f"#define COPIES {len(keys)}"] if target.machine == "avr" else []
    return _written(target, kernel, [*lines, *_keys(keys), f'#include "{HARNESS}"', ""])


def _keys(keys: bytes) -> list[str]:
    """The round keys in C. The linker's script for Cortex-M keeps constants of this name in flash."""
    return [
        f"extern const uint8_t haechi_felics_keys[{len(keys)}] HAECHI_FLASH;",
        f"const uint8_t haechi_felics_keys[{len(keys)}] __attribute__((__aligned__(4))) HAECHI_FLASH = {{",
        f"    {', '.join(map(str, keys))}",
        "};",
    ]


def _written(target: Target, kernel: str, lines: list[str]) -> Path:
    """The name begins unlike that of the kernel's object: the order of their names is the order in which they are laid
    out."""
    text = "\n".join(lines)
    return write(build.BUILD / target.name / "felics" / f"felics-{kernel}-{digest(text)}.c", text)


def _program(target: Target, card: Card, kernel: str, source: Path, option: str) -> Program:
    """The kernel with the scenarios. A kernel in C is compiled as they are."""
    flags = [f"{target.chip_flag}{target.chip}", *target.flags, option, f"-I{ROOT}/bench/made/harness"]
    objects = build.objects(target, target.chip, card, kernel)
    if card.source(kernel).suffix == ".c":
        objects = [path for path in objects if not path.name.startswith(f"{kernel}-")]
        objects.append(build.compile(target.compiler, card.source(kernel), flags))
    units = ["uint8_t"] if target.machine == "avr" else ["uint8_t", "word"]
    keep = ["haechi_felics_keys", *(f"felics_{name}_{unit}" for unit in units for name in NAMES)]
    objects.append(build.compile(target.compiler, source, flags))
    out = build.BUILD / target.name / "felics" / f"{kernel}.elf"
    return Program(build.link_for(target, flags, objects, keep, out), objects)


def _fused_program(target: Target, card: Card, kernel: str, keys: bytes) -> Program:
    """The scenarios in assembly. Where their file includes that of the kernel, it takes its place."""
    flags = [f"{target.chip_flag}{target.chip}", *target.flags]
    source = _written(target, kernel, ['#include "../../../src/core/kernel.h"', *_keys(keys), ""])
    made = [build.compile(target.compiler, path, flags) for path in (fused(kernel), source)]
    names = {name for path in made for name in build.names(path)}
    objects = [o for o in build.objects(target, target.chip, card, kernel) if names.isdisjoint(build.names(o))]
    keep = ["haechi_felics_keys", *(f"felics_{name}" for name in NAMES), *sorted(names & set(OWN.values()))]
    out = build.BUILD / target.name / "felics" / f"{kernel}-assembly.elf"
    return Program(build.link_for(target, flags, objects + made, keep, out), objects + made)


class Found(NamedTuple):
    """A row whose linked code is not counted yet: its program, the functions and slots that it calls, and the bytes of
    round keys that count as code."""

    row: FelicsRow
    program: Program
    functions: tuple[str, ...]
    slots: list[tuple[str, str]]  # descriptor, slot
    in_flash: int


# ---- Measuring.


def _cbc(one, iv: bytes, data: bytes) -> bytes:
    """CBC encryption with `one` for a block."""
    out = b""
    for at in range(0, len(data), len(iv)):
        iv = one(bytes(a ^ b for a, b in zip(iv, data[at : at + len(iv)], strict=True)))
        out += iv
    return out


class Scenarios:
    """One kernel in one program, whose functions for the scenarios have the names of `functions`: CBC encryption, CBC
    decryption, counter mode."""

    def __init__(
        self, target: Target, simulator: Simulator, program: Program, kernel: str, variant: Variant, compiler: str,
        wrapper: str,
    ):  # fmt: skip
        self.target, self.simulator, self.kernel, self.variant = target, simulator, kernel, variant
        self.program, self.compiler, self.wrapper = program, compiler, wrapper
        self.forward, self.inverse = (Drive(simulator, kernel, variant, inverse) for inverse in (False, True))
        random = Random(f"FELICS {variant.cipher}")
        self.key, self.iv, self.data = random.randbytes(16), random.randbytes(variant.block - 1) + b"\0", random.randbytes(DATA)

    def one(self, functions: tuple[str, str]) -> Found:
        """Scenario 1."""
        layout, forward, inverse = Layout(self.simulator), self.forward.d, self.inverse.d
        rk = layout.room(max(forward.rk, inverse.rk))
        key, data, iv = layout.place(self.key), layout.place(self.data, writable=True), layout.place(self.iv)
        address = self.simulator.image.address
        own = {what for what, name in OWN.items() if name in self.simulator.image.symbols}
        calls = {"eks": layout.call(address(OWN["eks"]) if "eks" in own else forward.expand, rk, key)}
        calls["enc"] = layout.call(address(functions[0]), data, rk, iv)
        self._right("enc", self.simulator.read(data, DATA), self.enciphered)
        if inverse.expand != forward.expand:
            calls["dks"] = layout.call(address(OWN["dks"]) if "dks" in own else inverse.expand, rk, key)
        calls["dec"] = layout.call(address(functions[1]), data, rk, iv)
        self._right("dec", self.simulator.read(data, DATA), self.data)
        held = DATA + len(self.iv) + len(self.key) + max(forward.rk, inverse.rk)
        drives = {"eks": self.forward, "dks": self.inverse}
        slots = [(drive, "expand") for what, drive in drives.items() if what in calls.keys() - own]
        return self._row(1, calls, slots, (*functions, *(OWN[what] for what in sorted(own))), held, 0)

    def two(self, function: str) -> Found:
        """Scenario 2."""
        layout = Layout(self.simulator)
        data, counter = layout.place(self.data[:MESSAGE], writable=True), layout.place(self.iv, writable=True)
        image = self.simulator.image
        keys = image.address("haechi_felics_keys")
        calls = {"enc": layout.call(image.address(function), data, keys, counter)}
        stream = zip(self.data, self.stream, strict=False)
        self._right("ctr", self.simulator.read(data, MESSAGE), bytes(a ^ b for a, b in stream)[:MESSAGE])
        moved = self._counter(MESSAGE // self.variant.block)
        self._right("counter", self.simulator.read(counter, len(moved)), moved)
        return self._row(2, calls, [], (function,), MESSAGE + len(self.iv), self.forward.d.rk)

    def _right(self, what: str, found: bytes, wanted: bytes) -> None:
        if found != wanted:
            raise BenchError(f"FELICS, {self.kernel}, {self.compiler}: {what} is not what single blocks give")

    def expect(self) -> None:
        """Computes what the scenarios must give, from single blocks, which `check` has compared with known answers."""
        rk, _ = self.forward.expand(self.key)
        one = lambda block: self.forward.crypt(rk, block)[0]  # noqa: E731
        self.enciphered = _cbc(one, self.iv, self.data)
        counters = (self._counter(i) for i in range(MESSAGE // self.variant.block))
        self.stream = b"".join(one(counter) for counter in counters)

    def _counter(self, i: int) -> bytes:
        """The i-th counter. FELICS counts in the last byte alone."""
        return self.iv[:-1] + bytes([(self.iv[-1] + i) % 256])

    def _row(
        self, scenario: int, calls: dict[str, Call], slots: list[tuple[Drive, str]], functions: tuple[str, ...],
        held: int, in_flash: int,
    ) -> Found:  # fmt: skip
        """held: bytes of RAM besides tables and stack; in_flash: bytes of round keys that count as code."""
        for call in calls.values():
            if call.violations:
                raise BenchError(f"FELICS, {self.kernel}, {self.compiler}: {'; '.join(call.violations)}")
        image = self.simulator.image
        needs = image.needs([image.address(name) for name in functions] + [getattr(d.d, slot) for d, slot in slots])
        code = needs.code + in_flash
        data, stack = held + needs.tables, max(call.stack for call in calls.values())
        cycles = {name: calls[name].cycles if name in calls else 0 for name in ("eks", "enc", "dks", "dec")}
        total = sum(cycles.values())
        parts = ratios(scenario, self.target.name, code, data + stack, total)
        row = FelicsRow(
            scenario=scenario, target=self.target.name, cipher=self.variant.cipher, kernel=self.kernel,
            wrapper=self.wrapper, code_bytes=code, linked_code_bytes=0, ram_data_bytes=data,
            stack_bytes=stack, ram_bytes=data + stack, eks_cycles=cycles["eks"], enc_cycles=cycles["enc"],
            dks_cycles=cycles["dks"], dec_cycles=cycles["dec"], cycles=total, code_ratio=round(parts[0], 3),
            ram_ratio=round(parts[1], 3), cycles_ratio=round(parts[2], 3), fom=round(sum(parts), 3),
            compiler=self.compiler, counter=self.target.counter,
        )  # fmt: skip
        return Found(row, self.program, functions, [(f"haechi_{drive.name}", slot) for drive, slot in slots], in_flash)


def _linked(target: Target, found: Found) -> FelicsRow:
    """The row with the bytes that the linker takes."""
    image, sections = Image(found.program.elf), Sections(found.program.objects, target.constants_in_ram)
    places = [sections.function(name) for name in found.functions]
    places += [sections.slot(name, SLOTS.index(slot), len(SLOTS)) for name, slot in found.slots]
    linked = sections.linked(places, image.constants_at)
    helpers = image.needs([image.address(name) for name in linked.elsewhere]).code
    return msgspec.structs.replace(found.row, linked_code_bytes=linked.flash + helpers + found.in_flash)


def _keys_and_names(
    target: Target, card: Card, kernel: str, variant: Variant, answers: list[Answer]
) -> tuple[bytes, tuple[str, str, str]]:
    """The round keys of scenario 2, and the names of the routines for one block."""
    with open_simulator(target, target.chip, build.elf(target, target.chip, card, kernel)) as simulator:
        check(simulator, kernel, variant, answers)
        forward, inverse = (Drive(simulator, kernel, variant, inverse) for inverse in (False, True))
        keys, _ = forward.expand(Random(f"FELICS {variant.cipher}").randbytes(16))
        names = [simulator.image.at(drive.d.crypt).name for drive in (forward, inverse)]
    return keys, (*names, from_flash(kernel, variant) if card.kernels[kernel].flash_keys else "")


@kept
def measured(target: Target, card: Card, kernel: str, variant: Variant, answers: list[Answer]) -> list[FelicsRow]:
    """The best rows of one kernel: by scenario and wrapper."""
    keys, routines = _keys_and_names(target, card, kernel, variant, answers)
    source = _source(target, card, kernel, variant, routines, keys)
    version, found, expected = build.version(target.compiler), [], None
    assembly = "assembly + " if card.source(kernel).suffix == ".S" else ""
    for option in OPTIONS:
        program = _program(target, card, kernel, source, option)
        with open_simulator(target, target.chip, program.elf) as simulator:
            for unit in ("uint8_t", "word"):
                names = [f"felics_{name}_{unit}" for name in NAMES]
                if names[0] not in simulator.image.symbols:
                    continue
                compiler = f"{assembly}{version} {option}{', by words' if unit == 'word' else ''}"
                scenarios = Scenarios(target, simulator, program, kernel, variant, compiler, "C")
                if expected is None:
                    scenarios.expect()
                    expected = scenarios.enciphered, scenarios.stream
                scenarios.enciphered, scenarios.stream = expected
                found += [scenarios.one((names[0], names[1])), scenarios.two(names[2])]
    if fused(kernel).exists():
        program = _fused_program(target, card, kernel, keys)
        with open_simulator(target, target.chip, program.elf) as simulator:
            names = [f"felics_{name}" for name in NAMES]
            scenarios = Scenarios(target, simulator, program, kernel, variant, "assembly", "assembly")
            scenarios.enciphered, scenarios.stream = expected
            found += [scenarios.one((names[0], names[1])), scenarios.two(names[2])]
    kinds = dict.fromkeys((f.row.scenario, f.row.wrapper) for f in found)
    best = [min((f for f in found if (f.row.scenario, f.row.wrapper) == k), key=lambda f: f.row.fom) for k in kinds]
    return [_linked(target, f) for f in best]


# ---- The measurements.

TARGET = Target(name="felics", title="FELICS", chip="", machine="felics", compiler="", flags=[], counter="", packages=[], needs=[])


def device(target: Target) -> Target:
    """The target with constants in flash."""
    if not target.constants_in_ram:
        return target
    return msgspec.structs.replace(target, constants_in_ram=False, script="bench/made/harness/armv7m_flash.ld")


def _devices() -> tuple[list[Target], list[str]]:
    """The targets that can be built here, and what is missing for others."""
    here, missing = [], []
    for target in load_targets().values():
        if target.name in DEVICES:
            try:
                build.check(target)
                here.append(device(target))
            except MissingTool as error:
                missing.append(f"FELICS on {error}")
    return here, missing


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Target, Card, str]]:
    """The kernels on the three devices."""
    return {
        f"{kernel} on {device.title}": (device, card, kernel)
        for device in _devices()[0]
        for card, kernel in kernels(device, ciphers)
    }


def rows(target: Target, part: tuple[Target, Card, str]) -> list[FelicsRow]:
    device, card, kernel = part
    variant = VARIANTS[card.cipher][0]
    return measured(device, card, kernel, variant, single_blocks(variant.constant))


SCENARIOS = Measurement(
    name="", row=FelicsRow, machines=("felics",), parts=parts, rows=rows, lacks=lambda target: _devices()[1],
    scope=("place",), order={"scenario": [1, 2], "target": DEVICES, "cipher": CIPHERS},
)  # fmt: skip


class Rank(msgspec.Struct):
    """A cipher in a scenario: the mean of its best figures of merit, and these. A rank is among the published ciphers
    and one row of ours at a time."""

    scenario: int
    cipher: str
    side: str  # FELICS or Haechi
    wrapper: str
    fom: float
    avr: float
    msp430: float
    armv7m: float
    avr_rank: int
    msp430_rank: int
    two_devices: float  # the mean over AVR and MSP430
    two_devices_rank: int
    kernels: str  # ours, by device


def triathlon(ours: list[FelicsRow], theirs: list[PublishedRow]) -> list[Rank]:
    """The table of all ciphers that have figures on all devices."""
    found = []
    for scenario in (1, 2):
        best: dict[tuple[str, str, str], dict[str, tuple[float, str]]] = {}
        for row in theirs:
            if row.scenario == scenario and row.cipher != "minima":
                fom = sum(ratios(scenario, row.target, row.code_bytes, row.ram_bytes, row.cycles))
                name = f"{row.cipher}-{row.block_bits}/{row.key_bits}"
                best.setdefault((name, "FELICS", "C"), {})[row.target] = (fom, "")
        for row in ours:
            if row.scenario == scenario:
                devices = best.setdefault((row.cipher, "Haechi", row.wrapper), {})
                devices[row.target] = min(devices.get(row.target, (row.fom, row.kernel)), (row.fom, row.kernel))
        best = {name: devices for name, devices in best.items() if set(devices) == set(DEVICES)}
        others = [devices for (_, side, _), devices in best.items() if side == "FELICS"]
        two = lambda devices: (devices["avr"][0] + devices["msp430"][0]) / 2  # noqa: E731
        for (cipher, side, wrapper), devices in best.items():
            rank = lambda of: 1 + sum(of(other) < of(devices) for other in others)  # noqa: B023, E731
            found.append(
                Rank(
                    scenario=scenario, cipher=cipher, side=side, wrapper=wrapper,
                    fom=round(sum(fom for fom, _ in devices.values()) / len(DEVICES), 2),
                    **{device: round(devices[device][0], 2) for device in DEVICES},
                    avr_rank=rank(lambda x: x["avr"][0]), msp430_rank=rank(lambda x: x["msp430"][0]),
                    two_devices=round(two(devices), 2), two_devices_rank=rank(two),
                    kernels=", ".join(devices[device][1] for device in DEVICES) if side == "Haechi" else "",
                )
            )  # fmt: skip
    return sorted(found, key=lambda row: (row.scenario, row.two_devices))


def ranked(target: Target, part: str) -> list[Rank]:
    return triathlon(SCENARIOS.read(TARGET.name), published())


TRIATHLON = Measurement(
    name="triathlon", row=Rank, machines=("felics",), parts=lambda target, ciphers: {"triathlon": ""}, rows=ranked,
    scope=("scenario",), order={"scenario": [1, 2]},
)  # fmt: skip
