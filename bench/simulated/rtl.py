# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RISC-V cores as their RTL, which Verilator (bench/made/verilated.py) makes programs of: calls of functions, with exact
cycles. Memory answers in the cycle after the request, also flash: there are no wait states."""

import ctypes
from ctypes import c_uint8, c_uint32, c_uint64

import msgspec

from bench.declared.model import BenchError
from bench.made.cache import once
from bench.made.verilated import Core, verilated

IBEX = Core("ibex", "ibex")
# RV32B = 3 is RV32BFull of ibex_pkg.sv: rotations take two cycles, as with RV32BBalanced. The third has the parameters of
# the configuration "maxperf" of ibex_configs.yaml in Ibex's repository. PicoRV32 has no Zbb.
IBEX_FULL = Core("ibex-full", "ibex", {"RV32B": 3})
IBEX_FAST = Core("ibex-maxperf", "ibex", {"RV32M": 3, "BranchTargetALU": 1, "WritebackStage": 1})
PICORV32 = Core("picorv32", "picorv32")


class Processor(msgspec.Struct, frozen=True):
    """A core, its name and configuration in words, and the instruction set for which programs are compiled."""

    core: Core
    title: str
    isa: str


PROCESSORS = [
    Processor(IBEX, "Ibex", "rv32imc"),
    Processor(IBEX, "Ibex, RV32B = RV32BBalanced", "rv32imc_zbb"),
    Processor(IBEX_FULL, "Ibex, RV32B = RV32BFull", "rv32imc_zbb"),
    Processor(IBEX_FAST, "Ibex, maxperf: WritebackStage, BranchTargetALU", "rv32imc"),
    Processor(IBEX_FAST, "Ibex, maxperf: WritebackStage, BranchTargetALU, RV32B = RV32BBalanced", "rv32imc_zbb"),
    Processor(PICORV32, "PicoRV32 with a barrel shifter", "rv32imc"),
]


@once
def _library(core: Core) -> ctypes.CDLL:
    lib = ctypes.CDLL(str(verilated(core)))
    lib.haechi_rtl_new.restype = ctypes.c_void_p
    lib.haechi_rtl_new.argtypes = [ctypes.c_void_p, c_uint32, c_uint32] * 2
    lib.haechi_rtl_free.argtypes = [ctypes.c_void_p]
    lib.haechi_rtl_call.restype = c_uint64
    lib.haechi_rtl_call.argtypes = [ctypes.c_void_p, c_uint32, ctypes.POINTER(c_uint32), c_uint64]
    return lib


class Rtl:
    """A core with memory. flash is a range of addresses and the array with its content, which remains the caller's."""

    def __init__(self, core: Core, flash: tuple[range, ctypes.Array], ram: range):
        self._lib, self._name = _library(core), core.name
        self._ram = (c_uint8 * len(ram))()
        self.registers = (c_uint32 * 32)()
        at, content = flash
        self._core = self._lib.haechi_rtl_new(
            ctypes.addressof(content), at.start, len(at), ctypes.addressof(self._ram), ram.start, len(ram)
        )

    def close(self) -> None:
        self._lib.haechi_rtl_free(self._core)

    def load(self, ram: bytes, registers: list[int]) -> None:
        """Sets the memory and the registers before a call."""
        ctypes.memmove(self._ram, ram, len(ram))
        self.registers[:] = registers

    def memory(self) -> bytes:
        return bytes(self._ram)

    def call(self, function: int, limit: int) -> int:
        """Calls a function by JAL and returns its cycles, with those of JAL and of the return."""
        cycles = self._lib.haechi_rtl_call(self._core, function, self.registers, limit)
        if not cycles:
            raise BenchError(f"{self._name}: no return from {function:#x} within {limit} cycles")
        return cycles
