# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every kernel of a microcontroller, in its simulator: the rows of results/<target>.csv.

What is counted.
Cycles: of one call, including the call and return instructions. Rows with blocks = 1 are `expand` (eks; dks is that of
the inverse) and `crypt` (enc, dec). Rows with blocks = 64, in place, are the slot `bulk` or haechi_ecb where there is
none; haechi_ctr; and keystream, the slot `ctr` without the XOR, where a kernel has it. Both kinds of counter mode start
from a counter whose last byte is 0, so that it does not wrap. wrap: the cycles that haechi_ctr takes more where the
last byte wraps, as it does once in 256 blocks.
cpb: cycles divided by the bytes of the key for eks and dks, else by the bytes of the blocks.
both: the needs of a program that encrypts and decrypts. In cycles and RAM, this is one key schedule where the two
directions share their round keys, else both. In code it is all four routines; what they share counts once.
Code: code_bytes is the routine and the constants that it needs, as papers count (bench/made/elf.py). linked_code_bytes
is what the linker takes for it: whole sections, aligned (bench/made/sections.py). Rows that go through the public API
add what the API needs besides the kernel.
RAM: round keys, plus the key (eks, dks) or one block, plus tables with their padding, plus stack. Through the API also
the key object's header and, for ctr, the stream. ram_bytes leaves out the return address of the measured call, as
published figures do; ram_with_return_bytes includes it; linked_ram_bytes includes it too, and counts tables as the
linker takes them.

Before it measures, the bench runs the known vectors on the kernel in the simulator. Afterwards rows of many blocks must
agree with single blocks. A breach of the calling convention, or cycles that vary although the card says that they do
not, stops the bench.
"""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from bench.declared.model import VARIANTS, BenchError, Card, Kernel, Target, Variant, kernels
from bench.declared.rsp import Answer, single_blocks
from bench.made import build
from bench.made.cache import kept
from bench.made.sections import Place, Sections
from bench.measured.measurement import Measurement
from bench.simulated.drive import STREAM, Drive
from bench.simulated.simulator import Call, Simulator
from bench.simulated.simulators import SIMULATORS, open_simulator

BLOCKS = 64  # of a row of many blocks
WRAPS = 256  # blocks from one wrap of a counter's last byte to the next
INPUTS = 4  # over which cycles must not vary
SLOTS = ("expand", "crypt", "bulk", "ctr")  # of a descriptor, in their order


class Row(msgspec.Struct):
    """One measurement."""

    cipher: str  # LEA-128 ... ARIA-256, HIGHT
    kernel: str
    operation: str  # eks, dks, enc, dec, both, keystream, ctr, wrap
    blocks: int
    cycles: int
    cpb: float  # rounded to two decimals
    code_bytes: int
    linked_code_bytes: int
    ram_bytes: int
    ram_with_return_bytes: int
    linked_ram_bytes: int
    compiler: str
    counter: str
    note: str = ""


def parts(target: Target, ciphers: list[str]) -> dict[str, tuple[Card, str]]:
    """The kernels that run on the target."""
    build.check(target)
    return {kernel: (card, kernel) for card, kernel in kernels(target, ciphers)}


def rows(target: Target, part: tuple[Card, str], measuring: bool = True) -> list[Row]:
    """The rows of all key sizes of one kernel. measuring: as open_simulator has it."""
    card, kernel = part
    objects = build.objects(target, target.chip, card, kernel)
    program = build.elf(target, target.chip, card, kernel)
    assembly = card.source(kernel).suffix == ".S"
    found = []
    for variant in VARIANTS[card.cipher]:
        answers = single_blocks(variant.constant)
        found += measured(target, variant, kernel, card.kernels[kernel], assembly, program, objects, answers, measuring)
    return found


KERNELS = Measurement(name="", row=Row, machines=tuple(SIMULATORS), parts=parts, rows=rows)


@kept
def measured(
    target: Target, variant: Variant, kernel: str, form: Kernel, assembly: bool, program: Path, objects: list[Path],
    answers: list[Answer], measuring: bool,
) -> list[Row]:  # fmt: skip
    """The rows of one kernel and key size. form is what its card says; assembly, whether it is written in that."""
    with open_simulator(target, target.chip, program) as simulator:
        check(simulator, kernel, variant, answers)
    with open_simulator(target, target.chip, program, measuring) as simulator:
        return Sheet(target, simulator, variant, kernel, form, assembly, Sections(objects, target.constants_in_ram), answers[0].key).rows()


# ---- Answers.


def check(simulator: Simulator, kernel: str, variant: Variant, answers: list[Answer]) -> None:
    """Raises BenchError unless the kernel gives every known answer in both directions."""
    for inverse in (False, True):
        drive = Drive(simulator, kernel, variant, inverse)
        for answer in answers:
            given, wanted = (answer.ct, answer.pt) if inverse else (answer.pt, answer.ct)
            rk, call = drive.expand(answer.key)
            _clean(drive, call)
            for at in range(0, len(given), variant.block):
                out, call = drive.crypt(rk, given[at : at + variant.block])
                _clean(drive, call)
                if out != wanted[at : at + variant.block]:
                    raise BenchError(f"haechi_{drive.name}: wrong answer to {answer.source}")


def _clean(drive: Drive, call: Call) -> None:
    if call.violations:
        raise BenchError(f"haechi_{drive.name}: {'; '.join(call.violations)}")


def _one_by_one(drive: Drive, key: bytes, data: bytes) -> bytes:
    rk, _ = drive.expand(key)
    block = drive.variant.block
    return b"".join(drive.crypt(rk, data[at : at + block])[0] for at in range(0, len(data), block))


def _stream(drive: Drive, key: bytes, counter: bytes, n: int) -> bytes:
    """n blocks of key stream, computed block by block."""
    size, first = len(counter), int.from_bytes(counter, "big")
    counters = ((first + i) % (1 << 8 * size) for i in range(n))
    return _one_by_one(drive, key, b"".join(c.to_bytes(size, "big") for c in counters))


# ---- Rows.


class Routines(NamedTuple):
    """The functions that a program calls: routines of the kernel, by direction and slot, and functions of the public
    API."""

    slots: list[tuple[Drive, str]]
    functions: tuple[str, ...] = ()


class Sheet:
    """The measurements of one kernel and key size. Each method gives the rows of its kind of call."""

    def __init__(
        self, target: Target, simulator: Simulator, variant: Variant, kernel: str, form: Kernel, assembly: bool,
        sections: Sections, key: bytes,
    ):  # fmt: skip
        self.target, self.simulator, self.variant, self.kernel = target, simulator, variant, kernel
        self.constant_time, self.sections = form.constant_time != "no", sections
        self.forward, self.inverse = (Drive(simulator, kernel, variant, i) for i in (False, True))
        compiled = f"{build.version(target.compiler)} {target.label}"
        self.compiler = "assembly" if assembly else compiled
        self.around = f"assembly + {compiled}" if assembly else compiled
        random = Random(variant.cipher)
        self.keys = [key, *(random.randbytes(variant.key) for _ in range(INPUTS - 1))]
        self.message = random.randbytes(BLOCKS * variant.block)
        self.random = random

    def rows(self) -> list[Row]:
        single, calls = self.single_blocks()
        return [*single, self.both(calls), *self.many_blocks(), *self.counter_mode()]

    def single_blocks(self) -> tuple[list[Row], dict[str, Call]]:
        """Key schedule and one block, each with several keys: the rows, and one call of each operation."""
        rows, first = [], {}
        for operation, drive in (("eks", self.forward), ("dks", self.inverse)):
            calls = [drive.expand(key)[1] for key in self.keys]
            first[operation] = calls[0]
            data = drive.d.rk + self.variant.key
            rows.append(self._row(operation, 1, calls, self.variant.key, Routines([(drive, "expand")]), data))
        for operation, drive in (("enc", self.forward), ("dec", self.inverse)):
            calls = [drive.crypt(drive.expand(k)[0], self.random.randbytes(self.variant.block))[1] for k in self.keys]
            first[operation] = calls[0]
            data = drive.d.rk + self.variant.block
            rows.append(self._row(operation, 1, calls, self.variant.block, Routines([(drive, "crypt")]), data))
        return rows, first

    def both(self, calls: dict[str, Call]) -> Row:
        """The needs of a program that encrypts and decrypts."""
        forward, inverse = self.forward, self.inverse
        shared = forward.d.expand == inverse.d.expand
        schedules = ["eks"] if shared else ["eks", "dks"]
        whole = replace(
            calls["eks"],
            cycles=sum(calls[operation].cycles for operation in schedules),
            stack=max(call.stack for call in calls.values()),
        )
        routines = Routines([(drive, slot) for drive in (forward, inverse) for slot in ("expand", "crypt")])
        data = forward.d.rk + (0 if shared else inverse.d.rk) + max(self.variant.key, self.variant.block)
        return self._row("both", 1, [whole], self.variant.key, routines, data, note="cycles of " + " + ".join(schedules))

    def many_blocks(self) -> list[Row]:
        """Encryption and decryption of many blocks: by the slot bulk, or by haechi_ecb if there is none."""
        rows, enciphered = [], b""
        for operation, drive in (("enc", self.forward), ("dec", self.inverse)):
            given = enciphered if drive.inverse else self.message
            if drive.d.bulk:
                out, call = drive.bulk(drive.expand(self.keys[0])[0], given)
                routines, how = Routines([(drive, "bulk")]), {}
                data = drive.d.rk + self.variant.block
            else:
                out, _, call = drive.ecb(self.keys[0], given)
                routines = Routines([(drive, "crypt")], ("haechi_ecb",))
                data = self.simulator.pointer + drive.d.rk + self.variant.block
                how = {"compiler": self.around, "note": "through haechi_ecb"}
            rows.append(self._row(operation, BLOCKS, [call], len(given), routines, data, **how))
            enciphered = enciphered or out
            if drive.inverse and out != self.message:
                raise BenchError(f"haechi_{drive.name}: {BLOCKS} blocks do not come back")
        if enciphered != _one_by_one(self.forward, self.keys[0], self.message):
            raise BenchError(f"haechi_{self.forward.name}: {BLOCKS} blocks are not what single blocks give")
        return rows

    def counter_mode(self) -> list[Row]:
        """Key stream, counter mode, and what a wrap of the counter's last byte costs."""
        drive, key, message, rows = self.forward, self.keys[0], self.message, []
        counter = self.random.randbytes(self.variant.block - 1) + b"\0"
        stream = _stream(drive, key, counter, BLOCKS)
        if drive.d.ctr:
            out, _, call = drive.keystream(drive.expand(key)[0], counter, BLOCKS)
            data = drive.d.rk + 2 * self.variant.block
            rows.append(self._row("keystream", BLOCKS, [call], len(out), Routines([(drive, "ctr")]), data))
            if out != stream:
                raise BenchError(f"haechi_{drive.name}: the key stream is not what single blocks give")
        routines = Routines([(drive, slot) for slot in ("crypt", "bulk", "ctr")], ("haechi_ctr",))
        data = self.simulator.pointer + drive.d.rk + STREAM + self.variant.block
        straight = self._through_ctr(counter, stream)
        rows.append(
            self._row("ctr", BLOCKS, [straight], len(message), routines, data, self.around, "through haechi_ctr")
        )
        wrapping = counter[:-1] + bytes([WRAPS - BLOCKS // 2])
        wrapped = self._through_ctr(wrapping, _stream(drive, key, wrapping, BLOCKS))
        more = wrapped.cycles - straight.cycles
        if more:
            note = f"through haechi_ctr; beyond a call without a wrap, once in {WRAPS} blocks"
            call, per = replace(wrapped, cycles=more), WRAPS * self.variant.block
            rows.append(self._row("wrap", WRAPS, [call], per, routines, data, self.around, note))
        return rows

    def _through_ctr(self, counter: bytes, stream: bytes) -> Call:
        out, _, call = self.forward.ctr(self.keys[0], counter, self.message)
        if out != bytes(a ^ b for a, b in zip(self.message, stream, strict=True)):
            raise BenchError(f"haechi_{self.forward.name}: counter mode is not what single blocks give")
        return call

    def _row(
        self, operation: str, blocks: int, calls: list[Call], per: int, routines: Routines, data: int,
        compiler: str = "", note: str = "",
    ) -> Row:  # fmt: skip
        """calls are the same operation with several inputs, per is the number of bytes by which cpb divides, and data
        is the number of bytes of RAM that the caller provides."""
        drive, call = routines.slots[0][0], calls[0]
        for each in calls:
            _clean(drive, each)
        notes = [note] * bool(note)
        cycles = {each.cycles for each in calls}
        if len(cycles) > 1:
            if self.constant_time:
                seen = sorted(cycles)
                raise BenchError(f"haechi_{drive.name}: {operation} takes {seen} cycles, the card says otherwise")
            notes.append(f"cycles vary, seen {min(cycles)} to {max(cycles)}")
        image = self.simulator.image
        addresses = [address for drive, slot in routines.slots if (address := getattr(drive.d, slot))]
        needs = image.needs([image.address(name) for name in routines.functions] + addresses)
        if needs.tables:
            notes.append(f"code includes the {needs.image} bytes that fill tables in RAM")
        if needs.tables and needs.alignment > 1:
            notes.append(f"tables aligned to {needs.alignment}")
        flash, tables = self._linked(routines)
        working = data + max(each.stack for each in calls)
        return Row(
            cipher=self.variant.cipher, kernel=self.kernel, operation=operation, blocks=blocks, cycles=call.cycles,
            cpb=round(call.cycles / per, 2), code_bytes=needs.code, linked_code_bytes=flash,
            ram_bytes=working + needs.tables, ram_with_return_bytes=working + needs.tables + self.simulator.return_bytes,
            linked_ram_bytes=working + tables + self.simulator.return_bytes, compiler=compiler or self.compiler,
            counter=self.target.counter, note="; ".join(notes),
        )  # fmt: skip

    def _linked(self, routines: Routines) -> tuple[int, int]:
        """Bytes of flash and of static RAM, with the compiler's helpers."""
        places: list[Place | None] = [self.sections.function(name) for name in routines.functions]
        places += [self.sections.slot(f"haechi_{d.name}", SLOTS.index(slot), len(SLOTS)) for d, slot in routines.slots]
        image = self.simulator.image
        linked = self.sections.linked(places, image.constants_at)
        helpers = image.needs([image.address(name) for name in linked.elsewhere]).code
        return linked.flash + helpers, linked.ram
