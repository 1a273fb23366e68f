# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cortex-M by Unicorn: a Simulator whose cycles are those of the model in cortexm3.py.

bench/simulated/armv7m.c records runs of instructions, and accesses, through Unicorn's hooks. Unicorn itself stops at an
access to unmapped memory and at a write to flash. It does not check alignment, which this module does afterwards.

The calling convention is AAPCS: arguments in r0 to r3, and a fifth at the stack pointer. A function must preserve r4 to
r11. The stack pointer is a multiple of eight. bl pushes nothing, so that return_bytes is 0; a function that saves lr
does so in its own stack.

Chips other than the Cortex-M3 only run test vectors: cycles are always a Cortex-M3's.
"""

import ctypes
import random
from ctypes import c_int32, c_int64, c_uint32, c_uint64, c_void_p
from functools import lru_cache
from pathlib import Path

import unicorn
from unicorn import arm_const as uc_arm
from unicorn.unicorn_py3.unicorn import uclib

from bench.declared.model import ROOT, BenchError
from bench.made import build
from bench.made.cache import once
from bench.made.elf import Image
from bench.simulated.cortexm3 import FETCH, IMMEDIATE, MULTIPLE, Instruction, Step, cycles, decode, unaligned
from bench.simulated.simulator import Access, Call, Descriptor, Fault, read_descriptor

SHIM = ROOT / "bench/simulated/armv7m.c"
CHIPS = {
    "cortex-m3": uc_arm.UC_CPU_ARM_CORTEX_M3,
    "cortex-m4": uc_arm.UC_CPU_ARM_CORTEX_M4,
    "cortex-m33": uc_arm.UC_CPU_ARM_CORTEX_M33,
}
KINDS = {1: "load", 2: "store", 3: "constant"}
STOPPED = [None, "limit", "interrupt outside RAM", "memory"]
FAULTS = {
    unicorn.UC_ERR_READ_UNMAPPED: "data outside RAM",
    unicorn.UC_ERR_WRITE_UNMAPPED: "data outside RAM",
    unicorn.UC_ERR_WRITE_PROT: "write to flash",
    unicorn.UC_ERR_FETCH_UNMAPPED: "pc outside flash",
    unicorn.UC_ERR_FETCH_PROT: "pc outside flash",
    unicorn.UC_ERR_INSN_INVALID: "opcode",
    unicorn.UC_ERR_EXCEPTION: "opcode",
}
FLASH, FLASH_SIZE = 0x08000000, 256 << 10  # as armv7m.ld has them
RAM, RAM_SIZE = 0x20000000, 20 << 10
PAGE = 4096  # Unicorn's
ARGUMENTS = 8  # bytes at the end of RAM above the stack pointer, for the fifth argument
START_LIMIT, LIMIT = 1_000_000, 50_000_000  # instructions
TRACE_ROOM = 1 << 20
R = [getattr(uc_arm, f"UC_ARM_REG_R{i}") for i in range(13)]
SP, LR, PC = uc_arm.UC_ARM_REG_SP, uc_arm.UC_ARM_REG_LR, uc_arm.UC_ARM_REG_PC
APSR, PRIMASK = uc_arm.UC_ARM_REG_APSR, uc_arm.UC_ARM_REG_PRIMASK
FRAME = [*R[:4], R[12], LR, PC, uc_arm.UC_ARM_REG_XPSR]  # the registers that an exception pushes
CALLEE_SAVED = range(4, 12)


class _Run(ctypes.Structure):
    _fields_ = [("first", c_uint32), ("last", c_uint32), ("access", c_uint32), ("odd", c_uint32)]


class _Access(ctypes.Structure):
    _fields_ = [("pc", c_uint32), ("address", c_uint32), ("size", c_uint32), ("kind", c_uint32)]


class _Call(ctypes.Structure):
    """struct call of armv7m.c."""

    _fields_ = [
        ("reg_read", c_void_p), ("emu_stop", c_void_p), ("registers", c_int32 * 10), ("ram", c_uint32),
        ("ram_size", c_uint32), ("flash", c_uint32), ("flash_size", c_uint32), ("data", c_void_p), ("code", c_void_p),
        ("interrupt", c_int64), ("limit", c_uint64),
        ("pcs", ctypes.POINTER(c_uint32)), ("room", c_uint64),
        ("instructions", c_uint64), ("interrupts", c_uint64), ("n_runs", c_uint64), ("n_accesses", c_uint64),
        ("pc_hash", c_uint64), ("access_hash", c_uint64), ("sp_low", c_uint32), ("pc", c_uint32), ("fault", c_uint32),
        ("runs", ctypes.POINTER(_Run)), ("accesses", ctypes.POINTER(_Access)),
        ("room_runs", c_uint64), ("room_accesses", c_uint64), ("next", c_uint32), ("it_end", c_uint32),
    ]  # fmt: skip


@once
def _shim() -> ctypes.CDLL:
    lib = ctypes.CDLL(str(build.shared("armv7m", [SHIM], ["-std=c99", "-O2", "-Wall", "-Wextra"])))
    lib.haechi_cm_begin.argtypes = lib.haechi_cm_end.argtypes = [ctypes.POINTER(_Call)]
    return lib


def _address(function) -> int:
    return ctypes.cast(function, c_void_p).value


@lru_cache(maxsize=4096)
def _noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


class CortexM:
    """One microcontroller. wait_states are those of its flash, to show a trend."""

    pointer, return_bytes, alignment = 4, 0, 4
    chips = CHIPS

    def __init__(self, elf: Path, chip: str, wait_states: int = 0):
        if chip not in self.chips:
            raise BenchError(f"no {chip} here: {', '.join(self.chips)}")
        self.image, self.chip, self.wait_states = Image(elf), chip, wait_states

    def __enter__(self) -> "CortexM":
        self._uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        self._uc.ctl_set_cpu_model(self.chips[self.chip])
        # the memory is a buffer of ours, so that reading and writing it needs no call of Unicorn; it has whole pages
        self._memory = ctypes.create_string_buffer(FLASH_SIZE + RAM_SIZE + PAGE)
        self._code = -(-ctypes.addressof(self._memory) // PAGE) * PAGE
        self._data = self._code + FLASH_SIZE
        self._uc.mem_map_ptr(FLASH, FLASH_SIZE, unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC, self._code)
        self._uc.mem_map_ptr(RAM, RAM_SIZE, unicorn.UC_PROT_READ | unicorn.UC_PROT_WRITE, self._data)
        for at, _, data in self.image.segments:  # also the initial values of .data, where start-up code expects them
            ctypes.memmove(self._code + at - FLASH, data, len(data))
        self._patched: dict[int, bytes] = {}
        self._forget()
        self._hook()
        self.ram = range(self.image.address("_end"), RAM + RAM_SIZE - ARGUMENTS)
        self._idle = self.image.address("haechi_bench_idle")
        stack, start = (int.from_bytes(self.code(FLASH + i, 4), "little") for i in (0, 4))
        self._uc.reg_write(SP, stack)
        self._run(start, self.image.address("main"), START_LIMIT, -1)
        self._started = self.read(RAM, RAM_SIZE)
        return self

    def __exit__(self, *exception) -> None:
        _shim().haechi_cm_end(self._call)
        del self._uc, self._memory

    def _hook(self) -> None:
        self._call = c = _Call()
        c.reg_read, c.emu_stop = _address(uclib.uc_reg_read), _address(uclib.uc_emu_stop)
        c.registers[:] = [*FRAME, SP, PRIMASK]
        c.ram, c.ram_size, c.data = RAM, RAM_SIZE, self._data
        c.flash, c.flash_size, c.code = FLASH, FLASH_SIZE, self._code
        hooks = [
            (unicorn.UC_HOOK_CODE, _shim().haechi_cm_on_code),
            (unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE, _shim().haechi_cm_on_access),
        ]
        for kind, function in hooks:  # without Unicorn's Python, which only accepts functions of Python
            error = uclib.uc_hook_add(
                self._uc._uch, ctypes.byref(ctypes.c_size_t()), kind, ctypes.cast(function, c_void_p),
                ctypes.cast(ctypes.pointer(c), c_void_p), c_uint64(1), c_uint64(0),
            )  # fmt: skip
            if error:
                raise BenchError(f"Unicorn takes no hook: error {error}")

    def _run(self, function: int, until: int, limit: int, interrupt: int) -> None:
        c = self._call
        c.limit, c.interrupt = limit, interrupt
        _shim().haechi_cm_begin(c)
        try:
            self._uc.emu_start(function | 1, until)
        except unicorn.UcError as error:
            if error.errno not in FAULTS:
                raise
            raise self._fault(FAULTS[error.errno], c.pc) from None
        if c.fault:
            raise self._fault(STOPPED[c.fault], c.pc)
        if self._uc.reg_read(PC) & ~1 != until:
            raise self._fault("crashed", c.pc)

    def _fault(self, kind: str, pc: int) -> Fault:
        symbol = self.image.at(pc)
        return Fault(kind, f"{symbol.name}+{pc - symbol.address:#x}" if symbol else f"{pc:#x}")

    # ---- Memory.

    def reset(self) -> None:
        self.write(RAM, self._started)
        for address, code in self._patched.items():
            self._change(address, code)
        self._patched.clear()

    def read(self, address: int, size: int) -> bytes:
        self._check(address, size)
        return ctypes.string_at(self._data + address - RAM, size)

    def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        ctypes.memmove(self._data + address - RAM, data, len(data))

    @staticmethod
    def _check(address: int, size: int) -> None:
        if address < RAM or address + size > RAM + RAM_SIZE:
            raise BenchError(f"no data memory at {address:#x}, {size} bytes")

    def memory(self) -> tuple[int, bytes]:
        return RAM, self.read(RAM, self.ram.stop - RAM)

    def code(self, address: int, size: int) -> bytes:
        if address < FLASH or address + size > FLASH + FLASH_SIZE:
            raise BenchError(f"no flash at {address:#x}, {size} bytes")
        return ctypes.string_at(self._code + address - FLASH, size)

    def patch(self, address: int, code: bytes) -> None:
        self._patched.setdefault(address, self.code(address, len(code)))
        self._change(address, code)

    def _change(self, address: int, code: bytes) -> None:
        ctypes.memmove(self._code + address - FLASH, code, len(code))
        self._uc.ctl_remove_cache(address, address + len(code))
        self._forget()

    def descriptor(self, name: str) -> Descriptor:
        d = read_descriptor(self.image, name, "<HHBBBxIIII")
        return Descriptor(*(d.rk, d.needs, d.block, d.key, d.flags), *(x & ~1 for x in (d.expand, d.crypt, d.bulk, d.ctr)))

    def instructions(self, first: int, size: int) -> list[tuple[int, int]]:
        """Leaves out the literals that are in the code and after it."""
        end, found = first + size, []
        data = [r for r in self.image.literals if r.start < end and first < r.stop]
        for r in [*data, range(end, end)]:
            found += [(i.address, i.size) for i in self._decode(first, min(r.start, end))]
            first = r.stop
        return found

    def nop(self, size: int) -> bytes:
        return bytes.fromhex("00bf" if size == 2 else "aff30080")

    # ---- Calls.

    def call(
        self, function: int, *arguments: int, seed: int = 0, trace: bool = False, interrupt: int = -1,
        limit: int = 0,
    ) -> Call:  # fmt: skip
        noise = _noise(seed, 56)
        before = [int.from_bytes(noise[i : i + 4], "little") for i in range(0, 56, 4)]
        before[: len(arguments[:4])] = (value & 0xFFFFFFFF for value in arguments[:4])
        if len(arguments) > 4 + ARGUMENTS // 4:
            raise BenchError("more arguments than places")
        for number, value in enumerate(arguments[4:]):
            self.write(self.ram.stop + 4 * number, (value & 0xFFFFFFFF).to_bytes(4, "little"))
        special = [(SP, self.ram.stop), (LR, self._idle | 1), (APSR, before[13] & 0xF8000000), (PRIMASK, 0)]
        self._uc.reg_write_batch([*zip(R, before, strict=False), *special])
        c = self._call
        pcs = (c_uint32 * TRACE_ROOM)() if trace else None
        c.pcs, c.room = pcs, TRACE_ROOM if trace else 0
        self._run(function, self._idle, limit or LIMIT, interrupt)
        c.pcs = None
        if trace and max(c.instructions, c.n_accesses) > TRACE_ROOM:
            raise BenchError(f"a trace of {c.instructions} instructions is longer than {TRACE_ROOM}")
        after = self._uc.reg_read_batch(R)
        return Call(
            result=after[0] - (after[0] >> 31 << 32),
            cycles=self._cycles(),
            instructions=c.instructions,
            stack=self.ram.stop - min(c.sp_low, self.ram.stop),
            return_bytes=0,
            interrupts=c.interrupts,
            pc_hash=c.pc_hash,
            access_hash=c.access_hash,
            violations=self._violations(before, after),
            pcs=pcs[: c.instructions] if trace else [],
            accesses=[Access(KINDS[a.kind], a.address) for a in c.accesses[: c.n_accesses] if a.kind] if trace else [],
        )

    def _violations(self, before: list[int], after: list[int]) -> list[str]:
        found = [f"r{i} is not as it was" for i in CALLEE_SAVED if before[i] != after[i]]
        if (sp := self._uc.reg_read(SP)) != self.ram.stop:
            found.append(f"the stack pointer is off by {sp - self.ram.stop}")
        if self._uc.reg_read(PRIMASK):
            found.append("interrupts are off")
        return found

    # ---- Cycles.

    def _forget(self) -> None:
        self._decoded: dict[tuple[int, int], list[Instruction]] = {}
        self._known: dict[tuple[int, int, int], tuple[int, int]] = {}

    def _decode(self, first: int, end: int) -> list[Instruction]:
        """The instructions from first, where no IT block is active, to end."""
        if (first, end) not in self._decoded:
            found, at, block = [], first, 0
            while at < end:
                found.append(decode(self.code(at, 4), at, block > 0))
                block = found[-1].block or max(0, block - 1)
                at = found[-1].end
            self._decoded[first, end] = found
        return self._decoded[first, end]

    def _cycles(self) -> int:
        """The cycles of the last call: one for the branch that calls and its refill; those of its runs; and the refill
        after the return, assuming that the return address is an aligned word."""
        c, known = self._call, self._known
        total, asked = 1, IMMEDIATE
        for number, run in enumerate(c.runs[: c.n_runs]):
            key = run.first, run.last, asked
            if run.odd or key not in known:
                found = self._run_cycles(number, asked)
                if not run.odd:
                    known[key] = found
            else:
                found = known[key]
            total, asked = total + found[0], found[1]
        return total + asked + FETCH + 1

    def _run_cycles(self, number: int, asked: int) -> tuple[int, int]:
        """The cycles of that run, and when its last instruction asks for its target."""
        c = self._call
        run = c.runs[number]
        skipped, extra = set(), {}
        if run.odd:
            end = c.runs[number + 1].access if number + 1 < c.n_runs else c.n_accesses
            for a in c.accesses[run.access : end]:
                if not a.kind:
                    skipped.add(a.pc)
                elif a.address % a.size:
                    extra[a.pc] = unaligned(a.address, a.size)
        instructions = self._decode(run.first, run.last + 1)
        total, steps = 0, []
        for i in instructions:
            if i.address in extra and i.kind == MULTIPLE:
                raise self._fault("unaligned", i.address)
            steps.append(Step(i, i.address in skipped, extra.get(i.address, 0)))
            if i.always and i.address not in skipped:  # if it is not the last instruction, it branches to the next one
                total, steps, asked = total + cycles(steps, asked, self.wait_states), [], i.asked
        if steps:
            total, asked = total + cycles(steps, asked, self.wait_states), instructions[-1].asked
        return total, asked
