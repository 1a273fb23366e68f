# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the programs that drive the simulators share: the struct of a call (call.h), and its results as exceptions."""

import ctypes
import random
from ctypes import c_int64, c_uint8, c_uint16, c_uint32, c_uint64
from functools import lru_cache

from bench.declared.model import BenchError
from bench.made.elf import Image
from bench.simulated.simulator import Access, Call, Fault

FAULTS = ["none", "limit", "opcode", "pc outside flash", "data outside RAM", "constant outside flash", "device",
          "cycles differ from the data sheet", "crashed", "access not aligned", "asleep",
          "the stack pointer is no multiple of 16"]  # fmt: skip
KINDS = {1: "load", 2: "store", 3: "constant"}
START_LIMIT, LIMIT = 1_000_000, 50_000_000  # instructions
TRACE_ROOM = 1 << 20


class RawCall(ctypes.Structure):
    """struct call of call.h."""

    _fields_ = [
        ("function", c_uint32), ("back", c_uint32), ("sp", c_uint32), ("sr", c_uint32), ("interrupt", c_int64),
        ("limit", c_uint64), ("pcs", ctypes.POINTER(c_uint32)), ("accesses", ctypes.POINTER(c_uint32)),
        ("room", c_uint64),
        ("cycles", c_uint64), ("instructions", c_uint64), ("n_accesses", c_uint64), ("interrupts", c_uint64),
        ("pc_hash", c_uint64), ("access_hash", c_uint64), ("sp_after", c_uint32), ("sp_low", c_uint32),
        ("sr_after", c_uint32), ("fault", c_uint8), ("fault_pc", c_uint32),
    ]  # fmt: skip


@lru_cache(maxsize=4096)
def noise(seed: int, size: int) -> bytes:
    """The content of registers before a call."""
    return random.Random(seed).randbytes(size)


def prepare(function: int, back: int, sp: int, sr: int, trace: bool, interrupt: int, limit: int) -> RawCall:
    c = RawCall(function=function, back=back, sp=sp, sr=sr, interrupt=interrupt, limit=limit or LIMIT)
    if trace:
        c.pcs, c.accesses, c.room = (c_uint32 * TRACE_ROOM)(), (c_uint32 * TRACE_ROOM)(), TRACE_ROOM
    return c


def check(image: Image, c: RawCall) -> None:
    """Raises Fault if the call did not return."""
    if c.fault:
        symbol = image.at(c.fault_pc)
        where = f"{symbol.name}+{c.fault_pc - symbol.address:#x}" if symbol else f"{c.fault_pc:#x}"
        raise Fault(FAULTS[c.fault], where)


def told(c: RawCall, result: int, return_bytes: int, violations: list[str]) -> Call:
    return Call(
        result=result,
        cycles=c.cycles,
        instructions=c.instructions,
        stack=c.sp - c.sp_low - return_bytes,
        return_bytes=return_bytes,
        interrupts=c.interrupts,
        pc_hash=c.pc_hash,
        access_hash=c.access_hash,
        violations=violations,
        pcs=_taken(c.pcs, c.instructions) if c.room else [],
        accesses=[Access(KINDS[a >> 24], a & 0xFFFFFF) for a in _taken(c.accesses, c.n_accesses)] if c.room else [],
    )


def _taken(buffer, count: int) -> list[int]:
    if count > TRACE_ROOM:
        raise BenchError(f"a trace of {count} entries is longer than {TRACE_ROOM}")
    return buffer[:count]
