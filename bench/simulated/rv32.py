# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RISC-V: a Simulator based on bench/simulated/rv32.c, and the same on a core's RTL.

The calling convention is that of src/asm/rv32.h: arguments of four bytes in a0 to a7. A function must preserve s0 to s11
and must not touch gp and tp. The return address is in a register, so that a call puts nothing on the stack.

Rv32 executes instructions fast and predicts the cycles of Ibex. Ibex also runs every call on the RTL (rtl.py): its cycles
are those of the RTL, and it raises BenchError where the RTL leaves other registers or another memory than Rv32, or takes
other cycles than Rv32 predicts.
"""

import ctypes
from ctypes import c_uint8, c_uint32, c_uint64
from dataclasses import replace
from pathlib import Path

from bench.declared.model import ROOT, BenchError
from bench.made import build
from bench.made.cache import once
from bench.made.elf import Image
from bench.simulated.rtl import IBEX, Processor, Rtl
from bench.simulated.shim import FAULTS, LIMIT, START_LIMIT, RawCall, check, noise, prepare, told
from bench.simulated.simulator import Call, Descriptor, Fault, read_descriptor

SHIM = ROOT / "bench/simulated/rv32.c"
FLASH, RAM = range(0x080000, 0x0C0000), range(0x100000, 0x108000)
RA, SP, GP, TP, FIRST_ARGUMENT = 1, 2, 3, 4, 10
IN_REGISTERS = 8
RETURN = 0x104  # where core.cc calls from, so that return addresses on the stack are equal
KEPT = {3: "gp", 4: "tp", 8: "s0", 9: "s1"} | {i: f"s{i - 16}" for i in range(18, 28)}
NOP, NOP2 = bytes.fromhex("13000000"), bytes.fromhex("0100")


@once
def _shim() -> ctypes.CDLL:
    lib = ctypes.CDLL(str(build.shared("rv32", [SHIM], ["-std=c99", "-O2", "-Wall", "-Wextra"])))
    for name in ("new", "flash", "ram", "registers"):
        getattr(lib, f"haechi_sim_{name}").restype = ctypes.c_void_p
    for name in ("flash", "ram", "registers", "free"):
        getattr(lib, f"haechi_sim_{name}").argtypes = [ctypes.c_void_p]
    lib.haechi_sim_start.argtypes = [ctypes.c_void_p, c_uint32, c_uint32, c_uint64]
    lib.haechi_sim_step.argtypes = [ctypes.c_void_p, c_uint32, ctypes.POINTER(c_uint32)]
    lib.haechi_sim_call.argtypes = [ctypes.c_void_p, ctypes.POINTER(RawCall)]
    return lib


class Rv32:
    """A microcontroller with a RISC-V core. `chip` is the instruction set, for which the program was compiled."""

    pointer, alignment, return_bytes = 4, 4, 0

    def __init__(self, elf: Path, chip: str):
        self.image, self.chip = Image(elf), chip
        self._cpu = None

    def __enter__(self) -> "Rv32":
        lib = _shim()
        self._cpu = lib.haechi_sim_new()
        self._flash = (c_uint8 * len(FLASH)).from_address(lib.haechi_sim_flash(self._cpu))
        self._ram = (c_uint8 * len(RAM)).from_address(lib.haechi_sim_ram(self._cpu))
        self.registers = (c_uint32 * 32).from_address(lib.haechi_sim_registers(self._cpu))
        for at, _, data in self.image.segments:  # also the initial values of .data, where start-up code expects them
            self._flash[at - FLASH.start : at - FLASH.start + len(data)] = data
        fault = lib.haechi_sim_start(self._cpu, self.image.address("_start"), self.image.address("main"), START_LIMIT)
        if fault:
            raise Fault(FAULTS[fault], "start-up")
        self._started = bytes(self._ram)
        self._patched: dict[int, bytes] = {}
        self.ram = range(self.image.address("_end"), RAM.stop)
        return self

    def __exit__(self, *exception) -> None:
        del self._flash, self._ram, self.registers
        _shim().haechi_sim_free(self._cpu)
        self._cpu = None

    def reset(self) -> None:
        ctypes.memmove(self._ram, self._started, len(self._started))
        for address, code in self._patched.items():
            self._flash[address - FLASH.start : address - FLASH.start + len(code)] = code
        self._patched.clear()

    def read(self, address: int, size: int) -> bytes:
        self._check(address, size)
        return bytes(self._ram[address - RAM.start : address - RAM.start + size])

    def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        ctypes.memmove(ctypes.addressof(self._ram) + address - RAM.start, data, len(data))

    @staticmethod
    def _check(address: int, size: int) -> None:
        if address < RAM.start or address + size > RAM.stop:
            raise BenchError(f"no data memory at {address:#x}, {size} bytes")

    def memory(self) -> tuple[int, bytes]:
        return RAM.start, bytes(self._ram)

    def code(self, address: int, size: int) -> bytes:
        return bytes(self._flash[address - FLASH.start : address - FLASH.start + size])

    def patch(self, address: int, code: bytes) -> None:
        self._patched.setdefault(address, self.code(address, len(code)))
        self._flash[address - FLASH.start : address - FLASH.start + len(code)] = code

    def descriptor(self, name: str) -> Descriptor:
        return read_descriptor(self.image, name, "<HHBBBxIIII")

    def instructions(self, first: int, size: int) -> list[tuple[int, int]]:
        """An instruction whose first two bits are 1 has four bytes, any other one two."""
        found, at = [], first
        while at < first + size:
            found.append((at, 4 if self.code(at, 1)[0] & 3 == 3 else 2))
            at += found[-1][1]
        return found

    def nop(self, size: int) -> bytes:
        return NOP if size == 4 else NOP2

    def call(
        self, function: int, *arguments: int, seed: int = 0, trace: bool = False, interrupt: int = -1,
        limit: int = 0,
    ) -> Call:  # fmt: skip
        self.load_registers(arguments, seed)
        before = list(self.registers)
        c = prepare(function, RETURN, before[SP], 0, trace, interrupt, limit)
        _shim().haechi_sim_call(self._cpu, c)
        check(self.image, c)
        result = ctypes.c_int32(self.registers[FIRST_ARGUMENT]).value
        return told(c, result, self.return_bytes, self._violations(before, c))

    def step(self, pc: int) -> tuple[int, int]:
        """Executes one instruction with the present registers; returns its cycles and the next program counter."""
        after = c_uint32()
        cycles = _shim().haechi_sim_step(self._cpu, pc, after)
        if cycles < 0:
            raise Fault(FAULTS[-cycles], f"{pc:#x}")
        return cycles, after.value

    def load_registers(self, arguments: tuple[int, ...], seed: int) -> None:
        """Sets registers as a caller does: arguments, an empty stack, and noise elsewhere."""
        if len(arguments) > IN_REGISTERS:
            raise BenchError("more arguments than registers")
        bits = noise(seed, 128)
        self.registers[:] = [int.from_bytes(bits[i : i + 4], "little") for i in range(0, 128, 4)]
        self.registers[0] = 0
        self.registers[SP] = self.ram.stop
        for number, value in enumerate(arguments):
            self.registers[FIRST_ARGUMENT + number] = value & 0xFFFFFFFF

    def _violations(self, before: list[int], c: RawCall) -> list[str]:
        found = [f"{name} is not as it was" for i, name in KEPT.items() if before[i] != self.registers[i]]
        if c.sp_after != c.sp:
            found.append(f"the stack pointer is off by {c.sp_after - c.sp}")
        return found


class OnRtl(Rv32):
    """Rv32 whose cycles are those of a processor's RTL, which must leave the same registers and memory."""

    def __init__(self, elf: Path, processor: Processor):
        super().__init__(elf, processor.isa)
        self._processor = processor

    def __enter__(self) -> "OnRtl":
        super().__enter__()
        self._rtl = Rtl(self._processor.core, (FLASH, self._flash), RAM)
        return self

    def __exit__(self, *exception) -> None:
        self._rtl.close()
        super().__exit__(*exception)

    def call(self, function: int, *arguments: int, seed: int = 0, **how) -> Call:
        self.load_registers(arguments, seed)
        self._rtl.load(bytes(self._ram), list(self.registers))
        call = super().call(function, *arguments, seed=seed, **how)
        cycles = self._rtl.call(function, LIMIT)
        name = symbol.name if (symbol := self.image.at(function)) else f"{function:#x}"
        if self._rtl.memory() != bytes(self._ram):
            raise BenchError(f"{name}: the RTL leaves another memory than the simulator")
        wrong = [i for i in range(1, 32) if self._rtl.registers[i] != self.registers[i]]
        if wrong:
            raise BenchError(f"{name}: the RTL leaves another x{wrong[0]} than the simulator")
        if self._processor.core == IBEX and cycles != call.cycles:
            raise BenchError(f"{name}: {cycles} cycles of the RTL, {call.cycles} predicted")
        return replace(call, cycles=cycles)


class Ibex(OnRtl):
    """Rv32 whose cycles are those of Ibex's RTL."""

    def __init__(self, elf: Path, chip: str):
        super().__init__(elf, Processor(IBEX, "Ibex", chip))
