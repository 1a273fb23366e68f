# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The checks that the kernel tests make of a kernel in any simulator. test_planted.py shows that each check finds the
code for which it is there.

All calls go through `clean`: in every test the calling convention must hold, and nothing outside the buffers may be
written.
"""

from collections.abc import Callable
from contextlib import contextmanager
from functools import cache
from random import Random

import library
from bench.declared import rsp
from bench.declared.model import VARIANTS, Card, Kernel, Target, kernels, load_targets
from bench.made import build
from bench.made.elf import RAM_SECTIONS
from bench.measured.kernels import KERNELS
from bench.simulated.cortexm3 import decode
from bench.simulated.drive import Drive
from bench.simulated.simulator import Call, Fault, Simulator
from bench.simulated.simulators import SIMULATORS, open_simulator

TARGETS = {name: target for name, target in load_targets().items() if target.machine in SIMULATORS}
XTENSA = load_targets()["xtensa"]  # has kernels in portable C alone, and no cycles
SINGLE = ["eks", "dks", "enc", "dec", "enc_flash"]
OPERATIONS = [*SINGLE, "enc_bulk", "dec_bulk", "ctr"]
SLOT = dict(zip(OPERATIONS, ["expand", "expand", "crypt", "crypt", "flash", "bulk", "bulk", "ctr"], strict=True))
INPUTS = 200  # for equal traces
PAIRS = 25  # of secrets, for residue
ALIGNED = 2 | 4  # flags of a descriptor: its value is the alignment that the kernel needs
FEW, MANY = 16, 150  # random cases beside the vectors; alone, as survivors must not depend on vectors
MASKED = 1500  # random cases on RISC-V, where some masks of HIGHT matter for one case in hundreds
SOON = 2  # random cases that most mutations fail
WIPED = 4  # pairs of secrets for each instruction that may be there to wipe
ARGUMENTS = 8  # bytes of arguments that the caller may have put on the stack
PAGE = 256  # bytes: in a page of this size pointer arithmetic carries somewhere


def everywhere(target: Target) -> dict[str, Card]:
    """The kernels that run on a target, including those in portable C."""
    return {kernel: card for card, kernel in kernels(target)}


def written_for(target: Target) -> dict[str, Card]:
    """The kernels in a folder of the target's own, most of which are assembly."""
    return {kernel: card for kernel, card in everywhere(target).items() if card.machine == target.machine}


def counting(target: Target) -> list[tuple[str, Card]]:
    """Those of them that have a slot ctr."""
    return [(kernel, card) for kernel, card in written_for(target).items() if "_ctr" in card.source(kernel).read_text()]


def compiled_as_measured(target: Target) -> bool:
    """Whether this compiler is the one that results/ name: another one makes other code of C, and other images."""
    return any(row.compiler.startswith(f"{build.version(target.compiler)} ") for row in KERNELS.read(target.name))


@contextmanager
def machine_for(target: Target, kernel: str, chip: str = "", extra=()):
    """A machine with a kernel in it."""
    chip = chip or target.chip
    card = everywhere(target)[kernel]
    with open_simulator(target, chip, build.elf(target, chip, card, kernel, extra)) as machine:
        yield machine


def drives(machine: Simulator, kernel: str, card: Card) -> list[Drive]:
    """All key sizes, both directions."""
    return [Drive(machine, kernel, v, inverse) for v in VARIANTS[card.cipher] for inverse in (False, True)]


def clean(call: Call) -> Call:
    assert call.violations == []
    return call


@cache
def expected(cipher: str, mode: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    """The output of the library on this host, which test_vectors.py compares with the standards."""
    return library.crypt(cipher, mode, key, iv, data)


def after(counter: bytes, n: int) -> bytes:
    """The counter block n blocks later."""
    size = len(counter)
    return ((int.from_bytes(counter, "big") + n) % (1 << 8 * size)).to_bytes(size, "big")


@cache
def answers(
    drive_name: str, constant: str, inverse: bool, size: int, block: int, drawn: int
) -> list[tuple[bytes, bytes, bytes]]:
    """Key, input block and output block: the standards' vectors, then so many random cases, or more vectors if those
    are few."""
    found = []
    for a in rsp.own() + (rsp.more() if drawn <= FEW else []):
        if (a.cipher, a.mode) == (constant, "ecb"):
            given, wanted = (a.ct, a.pt) if inverse else (a.pt, a.ct)
            found += [(a.key, given[i : i + block], wanted[i : i + block]) for i in range(0, len(given), block)]
    assert found, f"no vector for {constant}"
    random = Random(drive_name)
    for _ in range(drawn):
        key, given = random.randbytes(size), random.randbytes(block)
        found.append((key, given, expected(constant + "_inv" * inverse, "ecb", key, b"", given)))
    return found


def answers_of(drive: Drive, drawn: int = FEW) -> list[tuple[bytes, bytes, bytes]]:
    v = drive.variant
    return answers(drive.name, v.constant, drive.inverse, v.key, v.block, drawn)


def run(drive: Drive, operation: str, key: bytes, block: bytes, **how) -> tuple[bytes, Call]:
    """One operation alone: the call does not include the key expansion. Bulk takes the block three times, and ctr takes
    it as its counter."""
    if SLOT[operation] == "expand":
        return drive.expand(key, **how)
    rk, _ = drive.expand(key)
    if SLOT[operation] == "crypt":
        return drive.crypt(rk, block, **how)
    if SLOT[operation] == "flash":
        return drive.crypt_from_flash(rk, block, **how)
    if SLOT[operation] == "bulk":
        return drive.bulk(rk, block * 3, **how)
    out, counter, call = drive.ctr_slot(rk, block, bytes(3 * len(block)), **how)
    return out + counter, call


def operations(machine: Simulator, kernel: str, card: Card) -> list[tuple[str, Drive]]:
    """The operations that the kernel has, for each key size."""
    return [
        (operation, drive)
        for drive in drives(machine, kernel, card)
        for operation in operations_of(drive)
        if drive.function(SLOT[operation])
    ]


def operations_of(drive: Drive) -> tuple[str, ...]:
    """The operations of a direction."""
    return ("dks", "dec", "dec_bulk") if drive.inverse else ("eks", "enc", "enc_flash", "enc_bulk", "ctr")


def every_place(drive: Drive, **how) -> bool:
    """Whether one block is right, and the calling convention holds, wherever the buffers are."""
    key, given, wanted = answers_of(drive)[0]
    unit = drive.simulator.alignment
    try:
        for drive.shift in range(0, PAGE, unit):
            odd = drive.shift // unit % max(2, unit) * (not drive.d.flags & ALIGNED)
            rk, call = drive.expand(key, odd if unit == 1 else 0, odd, **how)
            out, then = drive.crypt(rk, given, odd, odd if unit == 1 else 0, **how)
            if call.violations or then.violations or out != wanted:
                return False
        return True
    finally:
        drive.shift = 0


def stray_reads(drive: Drive, call: Call, routine: int) -> list[str]:
    """Loads outside the buffers, the routine's own tables and the stack, and loads of constants of other routines."""
    machine = drive.simulator
    stack = (machine.ram.stop - call.stack - call.return_bytes, machine.ram.stop + ARGUMENTS)
    tables, constants = [], []
    for symbol in machine.image.needs([routine]).symbols:
        address = symbol.address % (1 << 8 * machine.pointer)  # AVR's linker has data above 0x800000
        own = tables if symbol.section in RAM_SECTIONS else constants
        own.append((address, address + symbol.size))
    allowed = {"load": [*drive.layout.readable, *tables, stack], "constant": [*constants, *drive.layout.in_flash]}
    return [
        f"{a.kind} from {a.address:#06x}"
        for a in call.accesses
        if a.kind in allowed and not any(first <= a.address < last for first, last in allowed[a.kind])
    ]


def traces(drive: Drive, operation: str, count: int = INPUTS, last: bytes = b"") -> tuple[set, set, set]:
    """Hashes of program counters, hashes of addresses, and cycles, for random keys and blocks, the last of which is
    `last`."""
    random, pcs, addresses, cycles = Random(operation), set(), set(), set()
    for seed in range(count):
        key, block = random.randbytes(drive.variant.key), random.randbytes(drive.variant.block - len(last)) + last
        call = clean(run(drive, operation, key, block, seed=seed)[1])
        pcs.add(call.pc_hash)
        addresses.add(call.access_hash)
        cycles.add(call.cycles)
    return pcs, addresses, cycles


def bothered(drive: Drive, operation: str, key: bytes, block: bytes, interrupt: int) -> Call:
    """Repeats a call with interrupts, which must take and give what it does without them."""
    wanted, quiet = run(drive, operation, key, block)
    out, call = run(drive, operation, key, block, interrupt=interrupt)
    clean(call)
    assert out == wanted and call.cycles == quiet.cycles
    return call


def residue(drive: Drive, operation: str, pairs: int = PAIRS) -> set[int]:
    """How far below the stack pointer there are bytes after the call that depend on key or block."""
    random, found = Random(operation), set()
    key, block = random.randbytes(drive.variant.key), random.randbytes(drive.variant.block)
    _, first = run(drive, operation, key, block)
    size = first.stack + first.return_bytes
    bottom = drive.simulator.ram.stop - size
    left = drive.simulator.read(bottom, size)
    for _ in range(pairs):
        key, block = random.randbytes(drive.variant.key), random.randbytes(drive.variant.block)
        run(drive, operation, key, block)
        now = drive.simulator.read(bottom, size)
        found |= {size - i for i in range(size) if left[i] != now[i]}
    return found


# ---- Mutation.


def survivors(machine: Simulator, symbol, notices: Callable[[], bool], masks: bool = False) -> list[int]:
    """Offsets of the instructions of a function that can be NOPs without `notices` noticing. masks: ANDs are left to
    test_lanes_cortexm.py, because random inputs hardly ever need them."""
    assert not notices(), "fails unchanged"
    found = []
    for address, size in machine.instructions(symbol.address, symbol.size):
        if masks and decode(machine.code(address, size), address).text.startswith("and"):
            continue
        machine.patch(address, machine.nop(size))
        if not notices():
            found.append(address - symbol.address)
        machine.reset()
    return found


def noticed(drive: Drive, slots: set[str], limit: int, form: Kernel, answers: list) -> bool:
    """Whether a kernel whose code in these slots was changed gives a wrong result, breaks the calling convention, does
    not return within limit instructions or leaves what it should wipe."""
    try:
        if any(wrong(drive, slots, limit, form.lanes, *numbered) for numbered in enumerate(answers)):
            return True
        return len(answers) > SOON and (
            not every_place(drive, limit=limit)
            or form.wipes
            and any(residue(drive, operation, WIPED) for operation in operations_of(drive) if SLOT[operation] in slots)
        )
    except Fault:
        return True
    finally:
        drive.shift = 0


def wrong(drive: Drive, slots: set[str], limit: int, lanes: int, number: int, answer: tuple[bytes, bytes, bytes]) -> bool:
    key, given, wanted = answer
    rk, call = drive.expand(key, limit=limit, seed=number)
    out, then = drive.crypt(rk, given, limit=limit, seed=number)
    if call.violations or then.violations or out != wanted:
        return True
    drive.shift = 16 * number % PAGE
    if "flash" in slots:
        out, call = drive.crypt_from_flash(rk, given, limit=limit, seed=number)
        if call.violations or out != wanted:
            return True
    sizes, stream_blocks = ((0, 1, 3), 2) if lanes == 1 else ((0, 2 * lanes, 3 * lanes - 1), 3 * lanes - 1)
    blocks = b"".join(bytes(b ^ i for b in given) for i in range(sizes[-1])) if slots & {"bulk", "ctr"} else b""
    if "bulk" in slots:
        direction = drive.variant.constant + "_inv" * drive.inverse
        many = expected(direction, "ecb", key, b"", blocks)
        for n in sizes:
            size = n * len(given)
            out, call = drive.bulk(rk, blocks[:size], apart=number % 2 == 1, limit=limit, seed=number)
            if call.violations or out != many[:size]:
                return True
    if "ctr" in slots:
        size, ones = len(given), number % (len(given) + 1)
        iv = after(given[: size - ones] + b"\xff" * ones, -(number % lanes))
        for n in sizes:
            out, counter, call = drive.ctr_slot(rk, iv, blocks[: n * size], apart=number % 2 == 1, limit=limit, seed=number)
            stream = expected(drive.variant.constant, "ctr", key, iv, blocks[: n * size])
            if call.violations or out != stream or counter != after(iv, n):
                return True
        out, counter, call = drive.keystream(rk, iv, stream_blocks, limit=limit, seed=number)
        stream = expected(drive.variant.constant, "ctr", key, iv, bytes(stream_blocks * size))
        if call.violations or out != stream or counter != after(iv, stream_blocks):
            return True
    drive.shift = 0
    return False


def routines(machine: Simulator, kernel: str, card: Card) -> dict:
    """Every function of the kernel, with the drives and slots that call it."""
    found = {}
    for drive in drives(machine, kernel, card):
        for slot in dict.fromkeys(SLOT.values()):
            if address := drive.function(slot):
                for symbol in machine.image.needs([address]).symbols:
                    if symbol.function:
                        found.setdefault(symbol, {}).setdefault(drive, set()).add(slot)
    return found


def longest(drive: Drive) -> int:
    """The approximate number of instructions of the longest call that `wrong` makes."""
    key, given, _ = answers_of(drive)[0]
    rk, call = drive.expand(key)
    return max(call.instructions, 4 * drive.crypt(rk, given)[1].instructions)


def mutated(target: Target, kernel: str, card: Card) -> list[str]:
    """The survivors of a kernel in the form of cards: enc+0x12."""
    found, form = [], card.kernels[kernel]
    drawn = MASKED if target.machine == "rv32" else MANY
    with machine_for(target, kernel) as machine:
        for symbol, reached in routines(machine, kernel, card).items():
            label = symbol.name.removeprefix(f"haechi_{kernel}_")
            limits = {drive: 4 * longest(drive) for drive in reached}

            def notices(reached=reached, limits=limits) -> bool:
                """Tries a few cases with every key size and direction first, and then all cases."""
                return any(
                    noticed(d, slots, limits[d], form, answers_of(d, drawn)[:most])
                    for most in (SOON, None)
                    for d, slots in reached.items()
                )

            found += [f"{label}+{offset:#x}" for offset in survivors(machine, symbol, notices, form.lane_masks)]
    return found
