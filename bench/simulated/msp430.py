# SPDX-License-Identifier: Apache-2.0 OR MIT
"""MSP430F1611: a Simulator based on bench/simulated/msp430.c.

The calling convention is that of src/asm/msp430.h: arguments of two bytes in r12 to r15, and further ones on the stack.
A function must preserve r4 to r10. The arguments on the stack belong to the caller: they are above `ram`, at whose end
the stack pointer is before a call.
"""

import ctypes
from collections.abc import Iterator
from ctypes import c_uint8, c_uint16, c_uint32, c_uint64
from pathlib import Path

from bench.declared.model import ROOT, BenchError
from bench.made import build
from bench.made.cache import once
from bench.made.elf import Image
from bench.simulated.simulator import Call, Descriptor, Fault, read_descriptor
from bench.simulated.shim import FAULTS, START_LIMIT, RawCall, check, noise, prepare, told

SHIM = ROOT / "bench/simulated/msp430.c"
RAM, FLASH = range(0x1100, 0x3900), range(0x4000, 0xFFE0)
ARGUMENTS = 16  # bytes for those on the stack
FIRST_ARGUMENT, IN_REGISTERS = 12, 4
CALLEE_SAVED = range(4, 11)
PC, SP, SR, CG = range(4)
INTERRUPTS_ON, FLAGS = 0x0008, 0x0107  # in SR
NOP = bytes([0x03, 0x43])


@once
def _shim() -> ctypes.CDLL:
    lib = ctypes.CDLL(str(build.shared("msp430", [SHIM], ["-std=c99", "-O2", "-Wall", "-Wextra"])))
    for name in ("new", "memory", "registers"):
        getattr(lib, f"haechi_sim_{name}").restype = ctypes.c_void_p
    for name in ("memory", "registers", "free"):
        getattr(lib, f"haechi_sim_{name}").argtypes = [ctypes.c_void_p]
    lib.haechi_sim_start.argtypes = [ctypes.c_void_p, c_uint32, c_uint64]
    lib.haechi_sim_step.argtypes = [ctypes.c_void_p]
    lib.haechi_sim_call.argtypes = [ctypes.c_void_p, ctypes.POINTER(RawCall)]
    return lib


def length(words: bytes) -> int:
    """The bytes of the instruction that begins with this word: 2, 4 or 6."""
    op = int.from_bytes(words[:2], "little")
    if 0x2000 <= op < 0x4000:
        return 2
    mode = op >> 4 & 3
    register = (op >> 8 if op >= 0x4000 else op) & 15
    extended = (mode == 1 and register != CG) or (mode == 3 and register == PC)
    return 2 + 2 * extended + 2 * (op >= 0x4000 and op >> 7 & 1)


def leaves(address: int, code: bytes) -> Iterator[int]:
    """The addresses to which a function goes by jumps, and by passing its end."""
    at, goes_on = 0, True
    while at < len(code):
        op = int.from_bytes(code[at : at + 2], "little")
        at += length(code[at:])
        if 0x2000 <= op < 0x4000:
            target = at + 2 * ((op & 0x3FF ^ 0x200) - 0x200)
            if not 0 <= target < len(code):
                yield address + target
        goes_on = not (op >> 10 == 15 or op == 0x1300 or op & 0xF08F == 0x4000)  # JMP; RETI; MOV to PC: BR and RET
    if goes_on:
        yield address + len(code)


class Msp430:
    """One MSP430F1611, for which the program was linked; no other chip is simulated."""

    pointer, alignment, return_bytes = 2, 2, 2

    def __init__(self, elf: Path, chip: str):
        if chip != "msp430f1611":
            raise BenchError(f"no simulator for {chip}")
        self.chip = chip
        self.image = Image(elf, leaves)
        self._cpu = None

    def __enter__(self) -> "Msp430":
        lib = _shim()
        self._cpu = lib.haechi_sim_new()
        self._memory = (c_uint8 * 0x10000).from_address(lib.haechi_sim_memory(self._cpu))
        self.registers = (c_uint16 * 16).from_address(lib.haechi_sim_registers(self._cpu))
        for at, _, data in self.image.segments:  # also the initial values of .data, where start-up code expects them
            self._memory[at : at + len(data)] = data
        fault = lib.haechi_sim_start(self._cpu, self.image.address("main"), START_LIMIT)
        if fault:
            raise Fault(FAULTS[fault], "start-up")
        self._started = bytes(self._memory)
        self._idle = self.image.address("haechi_bench_idle")
        self.ram = range(self.image.address("_end"), RAM.stop - ARGUMENTS)
        return self

    def __exit__(self, *exception) -> None:
        del self._memory, self.registers
        _shim().haechi_sim_free(self._cpu)
        self._cpu = None

    def reset(self) -> None:
        ctypes.memmove(self._memory, self._started, len(self._started))

    def read(self, address: int, size: int) -> bytes:
        self._check(address, size)
        return bytes(self._memory[address : address + size])

    def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        ctypes.memmove(ctypes.addressof(self._memory) + address, data, len(data))

    @staticmethod
    def _check(address: int, size: int) -> None:
        if address < RAM.start or address + size > RAM.stop:
            raise BenchError(f"no data memory at {address:#x}, {size} bytes")

    def memory(self) -> tuple[int, bytes]:
        return RAM.start, bytes(self._memory[RAM.start : RAM.stop])

    def code(self, address: int, size: int) -> bytes:
        return bytes(self._memory[address : address + size])

    def patch(self, address: int, code: bytes) -> None:
        self._memory[address : address + len(code)] = code

    def descriptor(self, name: str) -> Descriptor:
        return read_descriptor(self.image, name, "<HHBBBxHHHH")

    def instructions(self, first: int, size: int) -> list[tuple[int, int]]:
        found, at = [], first
        while at < first + size:
            found.append((at, length(self.code(at, 2))))
            at += found[-1][1]
        return found

    def nop(self, size: int) -> bytes:
        return NOP * (size // 2)

    def call(
        self, function: int, *arguments: int, seed: int = 0, trace: bool = False, interrupt: int = -1,
        limit: int = 0,
    ) -> Call:  # fmt: skip
        self.load_registers(arguments, seed)
        before = list(self.registers)
        c = prepare(function, self._idle, before[SP], before[SR], trace, interrupt, limit)
        _shim().haechi_sim_call(self._cpu, c)
        check(self.image, c)
        result = ctypes.c_int16(self.registers[FIRST_ARGUMENT]).value
        return told(c, result, self.return_bytes, self._violations(before, c))

    def step(self) -> int:
        """Executes one instruction with the present registers; returns its cycles."""
        cycles = _shim().haechi_sim_step(self._cpu)
        if cycles < 0:
            raise Fault(FAULTS[-cycles], f"{self.registers[PC]:#x}")
        return cycles

    def load_registers(self, arguments: tuple[int, ...], seed: int) -> None:
        """Sets registers as a caller does: arguments, an empty stack, enabled interrupts, and noise elsewhere."""
        bits = noise(seed, 32)
        self.registers[:] = [int.from_bytes(bits[i : i + 2], "little") for i in range(0, 32, 2)]
        self.registers[SP] = self.ram.stop
        self.registers[SR] = INTERRUPTS_ON | self.registers[SR] & FLAGS
        stacked = b"".join((value & 0xFFFF).to_bytes(2, "little") for value in arguments[IN_REGISTERS:])
        if len(stacked) > ARGUMENTS:
            raise BenchError("more arguments than there is room for")
        self.write(self.ram.stop, stacked)
        for number, value in enumerate(arguments[:IN_REGISTERS]):
            self.registers[FIRST_ARGUMENT + number] = value & 0xFFFF

    def _violations(self, before: list[int], c: RawCall) -> list[str]:
        found = [f"r{i} is not as it was" for i in CALLEE_SAVED if before[i] != self.registers[i]]
        if c.sp_after != c.sp:
            found.append(f"the stack pointer is off by {c.sp_after - c.sp}")
        if not c.sr_after & INTERRUPTS_ON:
            found.append("interrupts are off")
        return found
