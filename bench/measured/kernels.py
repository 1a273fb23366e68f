# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures every kernel that runs on a simulated target: the rows of results/<target>.csv.

What is counted.
Cycles: one call, the call and return instructions included. blocks = 1: `expand` (eks; dks is that of the inverse)
and `crypt` (enc, dec). blocks = 64, in place: the slot `bulk` where there is one, else haechi_ecb; haechi_ctr; and keystream, the slot `ctr` without the XOR, where a kernel has it.
cpb: by key bytes for eks and dks, by block bytes otherwise.
both: what a program that goes both ways needs. One key schedule where the two directions share their round keys, else
both, in cycles and in RAM; the code of all four routines, what they share once.
Code: elf.py tells. Rows that go through the public API add what that needs besides the kernel.
RAM: round keys + key (eks, dks) or one block + tables, padding included + stack. Through the API also the key
object's head and, for ctr, the stream. ram_bytes leaves out the measured call's own return address, as published
figures do; ram_with_return_bytes has it and is the honest figure.

Before anything is measured the kernel answers the known vectors in the simulator, and afterwards bulk rows must
agree with single blocks. A breach of the calling convention, or cycles that vary though the card says they do not,
stops the bench.
"""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec

from bench.declared import rsp
from bench.declared.model import ROOT, VARIANTS, BenchError, Card, Target, Variant, kernels
from bench.made import build
from bench.simulated.drive import STREAM, Drive
from bench.simulated.machine import Call, Machine
from bench.simulated.simulators import open_machine

BLOCKS = 64  # of a bulk row
INPUTS = 4  # over which cycles must not vary


class Row(msgspec.Struct):
    """One measurement, with the columns of results/<target>.csv in their order."""

    cipher: str  # LEA-128 ... ARIA-256, HIGHT
    kernel: str
    operation: str  # eks, dks, enc, dec, both, keystream, ctr
    blocks: int
    cycles: int
    cpb: float  # rounded to two decimals
    code_bytes: int
    ram_bytes: int
    ram_with_return_bytes: int
    compiler: str
    counter: str
    note: str = ""


Progress = Callable[[int, int, str], None]  # done, of how many, what comes now


def measure(target: Target, ciphers: list[str] | None = None, progress: Progress | None = None) -> list[Row]:
    """All rows, of these ciphers or of all. Raises MissingTool where the target cannot run here, BenchError where a
    kernel fails. What an unchanged program, bench and set of vectors gave before is taken from build/measured."""
    build.check(target)
    todo, rows = kernels(target, ciphers), []
    for done, (card, kernel) in enumerate(todo):
        if progress:
            progress(done, len(todo), kernel)
        rows += _cached(target, card, kernel)
    if progress:
        progress(len(todo), len(todo), "")
    return rows


def _cached(target: Target, card: Card, kernel: str) -> list[Row]:
    elf = build.elf(target, target.chip, card, kernel)
    rooms = (ROOT / "bench" / room for room in ("declared", "made", "made/harness", "simulated"))
    bench = [Path(__file__), *(p for room in rooms for p in sorted(room.iterdir()) if p.suffix in (".py", ".c", ".h"))]
    declared = [ROOT / f"bench/declared/targets/{target.name}.toml", card.path]
    answers = sorted((ROOT / "vectors").glob("*.rsp"))
    key = build.digest(elf, *bench, *declared, *answers)
    path = build.BUILD / "measured" / f"{kernel}-{key}.json"
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=list[Row])
    with open_machine(target, target.chip, elf) as machine:
        rows = [
            row for variant in VARIANTS[card.cipher] for row in measure_kernel(target, machine, card, kernel, variant)
        ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(rows))
    return rows


def answers(variant: Variant) -> list[rsp.Answer]:
    """The project's known answers for single blocks."""
    found = [a for a in rsp.own() if a.cipher == variant.constant and a.mode == "ecb"]
    if not found:
        raise BenchError(f"vectors/: nothing for {variant.cipher}")
    return found


def check(machine: Machine, kernel: str, variant: Variant) -> None:
    """Raises BenchError unless the kernel answers every known vector, in both directions."""
    for inverse in (False, True):
        drive = Drive(machine, kernel, variant, inverse)
        for answer in answers(variant):
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


def measure_kernel(target: Target, machine: Machine, card: Card, kernel: str, variant: Variant) -> list[Row]:
    """The rows of one kernel and key size."""
    check(machine, kernel, variant)
    claims = card.kernels[kernel].constant_time != "no"
    forward, inverse = (Drive(machine, kernel, variant, i) for i in (False, True))
    compiled = f"{build.version(target.compiler)} {target.label}"
    assembly = card.source(kernel).suffix == ".S"
    own = "assembly" if assembly else compiled
    around = f"assembly + {compiled}" if assembly else compiled
    random = Random(variant.cipher)
    keys = [answers(variant)[0].key, *(random.randbytes(variant.key) for _ in range(INPUTS - 1))]
    message = random.randbytes(BLOCKS * variant.block)
    pointer = machine.pointer
    rows = []

    def row(drive: Drive, operation: str, blocks: int, calls: list[Call], per: int, routines: list[int], data: int,
            compiler: str, notes: list[str]) -> None:  # fmt: skip
        for call in calls:
            _clean(drive, call)
        cycles = {call.cycles for call in calls}
        if len(cycles) > 1:
            if claims:
                raise BenchError(
                    f"haechi_{drive.name}: {operation} takes {sorted(cycles)} cycles, the card says otherwise"
                )
            notes = [*notes, f"cycles vary, seen {min(cycles)} to {max(cycles)}"]
        needs = machine.image.needs([routine for routine in routines if routine])
        if needs.tables:
            notes = [*notes, f"code includes the {needs.image} bytes that fill tables in RAM"]
        if needs.tables and needs.alignment > 1:
            notes = [*notes, f"tables aligned to {needs.alignment}"]
        ram = data + needs.tables + max(call.stack for call in calls)
        first = calls[0]
        rows.append(
            Row(
                cipher=variant.cipher, kernel=kernel, operation=operation, blocks=blocks, cycles=first.cycles,
                cpb=round(first.cycles / per, 2), code_bytes=needs.code, ram_bytes=ram,
                ram_with_return_bytes=ram + machine.return_bytes, compiler=compiler, counter=target.counter,
                note="; ".join(notes),
            )
        )  # fmt: skip

    single: dict[str, Call] = {}
    for drive, operation in ((forward, "eks"), (inverse, "dks")):
        calls = [drive.expand(key)[1] for key in keys]
        single[operation] = calls[0]
        row(drive, operation, 1, calls, variant.key, [drive.d.expand], drive.d.rk + variant.key, own, [])

    for drive, operation in ((forward, "enc"), (inverse, "dec")):
        calls = [drive.crypt(drive.expand(key)[0], random.randbytes(variant.block))[1] for key in keys]
        single[operation] = calls[0]
        row(drive, operation, 1, calls, variant.block, [drive.d.crypt], drive.d.rk + variant.block, own, [])

    shared = forward.d.expand == inverse.d.expand
    schedules = ["eks"] if shared else ["eks", "dks"]
    whole = replace(
        single["eks"],
        cycles=sum(single[operation].cycles for operation in schedules),
        stack=max(call.stack for call in single.values()),
    )
    routines = [routine for drive in (forward, inverse) for routine in (drive.d.expand, drive.d.crypt)]
    data = forward.d.rk + (0 if shared else inverse.d.rk) + max(variant.key, variant.block)
    row(forward, "both", 1, [whole], variant.key, routines, data, own, ["cycles of " + " + ".join(schedules)])

    enciphered = b""
    api = {name: machine.image.address(f"haechi_{name}") for name in ("ecb", "ctr")}
    for drive, operation in ((forward, "enc"), (inverse, "dec")):
        given = enciphered if drive.inverse else message
        if drive.d.bulk:
            rk, _ = drive.expand(keys[0])
            out, call = drive.bulk(rk, given)
            routines, data, compiler, notes = [drive.d.bulk], drive.d.rk + variant.block, own, []
        else:
            out, _, call = drive.ecb(keys[0], given)
            routines, compiler, notes = [api["ecb"], drive.d.crypt], around, ["through haechi_ecb"]
            data = pointer + drive.d.rk + variant.block
        row(drive, operation, BLOCKS, [call], len(given), routines, data, compiler, notes)
        if not drive.inverse:
            enciphered = out
            if out != _one_by_one(drive, keys[0], given):
                raise BenchError(f"haechi_{drive.name}: {BLOCKS} blocks are not what single blocks give")
        elif out != message:
            raise BenchError(f"haechi_{drive.name}: {BLOCKS} blocks do not come back")

    iv = random.randbytes(variant.block)
    stream = _counter_mode(forward, keys[0], iv, bytes(len(message)))
    if forward.d.ctr:
        rk, _ = forward.expand(keys[0])
        out, _, call = forward.keystream(rk, iv, BLOCKS)
        row(forward, "keystream", BLOCKS, [call], len(out), [forward.d.ctr], forward.d.rk + 2 * variant.block, own, [])
        if out != stream:
            raise BenchError(f"haechi_{forward.name}: the key stream is not what single blocks give")
    out, _, call = forward.ctr(keys[0], iv, message)
    routines = [api["ctr"], forward.d.crypt, forward.d.bulk, forward.d.ctr]
    data = pointer + forward.d.rk + STREAM + variant.block
    row(forward, "ctr", BLOCKS, [call], len(message), routines, data, around, ["through haechi_ctr"])
    if out != bytes(a ^ b for a, b in zip(message, stream, strict=True)):
        raise BenchError(f"haechi_{forward.name}: counter mode is not what single blocks give")
    return rows


def _one_by_one(drive: Drive, key: bytes, data: bytes) -> bytes:
    rk, _ = drive.expand(key)
    block = drive.variant.block
    return b"".join(drive.crypt(rk, data[at : at + block])[0] for at in range(0, len(data), block))


def _counter_mode(drive: Drive, key: bytes, iv: bytes, data: bytes) -> bytes:
    size, first = len(iv), int.from_bytes(iv, "big")
    counters = b"".join(((first + i) % (1 << 8 * size)).to_bytes(size, "big") for i in range(len(data) // size))
    return bytes(a ^ b for a, b in zip(data, _one_by_one(drive, key, counters), strict=True))


# ---- Files.


def read_csv(path: Path) -> list[Row]:
    """The rows of results/<target>.csv; none where there is no such file. BenchError names file and line."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != list(Row.__struct_fields__):
            raise BenchError(f"{path}: columns are not {','.join(Row.__struct_fields__)}")
        rows = []
        for record in reader:
            try:
                rows.append(msgspec.convert(record, Row, strict=False))
            except msgspec.ValidationError as error:
                raise BenchError(f"{path}: line {reader.line_num}: {error}") from None
        return rows


def write_csv(rows: list[Row], path: Path, ciphers: list[str] | None = None) -> None:
    """Writes rows to path. After a measurement of these ciphers only, rows of others in the file stay."""
    if ciphers:
        family = lambda row: row.cipher.partition("-")[0]  # noqa: E731
        rows = sorted(
            [*rows, *(row for row in read_csv(path) if family(row) not in ciphers)],
            key=lambda row: list(VARIANTS).index(family(row)),
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row.__struct_fields__)
        for row in rows:
            values = msgspec.structs.asdict(row)
            values["cpb"] = f"{row.cpb:.2f}"
            writer.writerow(values.values())
