# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AVR by libsimavr (1.6): a Simulator based on bench/simulated/simavr.c.

The calling convention is avr-gcc's: arguments of two bytes in r25:r24, r23:r22 ... down to r17:r16. A function must
preserve r2 to r17, r28 and r29, and r1 is zero. A difference between simavr's cycles and the data sheet's is a Fault.
"""

import ctypes
from ctypes import c_uint8, c_uint32, c_uint64
from pathlib import Path

from bench.declared.model import ROOT, BenchError
from bench.made import build
from bench.made.cache import once
from bench.made.elf import Image
from bench.simulated.simulator import Call, Descriptor, Fault, read_descriptor
from bench.simulated.shim import FAULTS, START_LIMIT, RawCall, check, noise, prepare, told

SHIM = ROOT / "bench/simulated/simavr.c"
CALLEE_SAVED = [*range(2, 18), 28, 29]
SPL, SPH, SREG = 0x5D, 0x5E, 0x5F  # data addresses
INTERRUPTS_ON = 0x80  # in SREG
RAM_AT = 0x800000  # where the linker has data memory


@once
def _shim() -> ctypes.CDLL:
    path = build.shared("simavr", [SHIM], ["-std=c99", "-O2", "-Wall", "-Wextra"], ["-lsimavr"])
    lib = ctypes.CDLL(str(path))
    lib.haechi_sim_new.restype = ctypes.c_void_p
    for name in ("flash", "data"):
        getattr(lib, f"haechi_sim_{name}").restype = ctypes.c_void_p
    for name in ("flash", "data", "flash_end", "ram_start", "ram_end", "return_bytes", "rampz", "free"):
        getattr(lib, f"haechi_sim_{name}").argtypes = [ctypes.c_void_p]
    lib.haechi_sim_start.argtypes = [ctypes.c_void_p, c_uint32, c_uint64]
    lib.haechi_sim_call.argtypes = [ctypes.c_void_p, ctypes.POINTER(RawCall)]
    return lib


class Simavr:
    """One ATmega. Its registers r0 to r31 are data addresses 0 to 31, where no buffer is placed."""

    pointer, alignment = 2, 1

    def __init__(self, elf: Path, chip: str):
        self.image, self.chip = Image(elf), chip
        self._avr = None

    def __enter__(self) -> "Simavr":
        lib = _shim()
        self._avr = lib.haechi_sim_new(self.chip.encode())
        if not self._avr:
            raise BenchError(f"simavr knows no {self.chip}")
        self._flash_size = lib.haechi_sim_flash_end(self._avr) + 1
        ram_end = lib.haechi_sim_ram_end(self._avr)
        self._flash = (c_uint8 * self._flash_size).from_address(lib.haechi_sim_flash(self._avr))
        self._data = (c_uint8 * (ram_end + 1)).from_address(lib.haechi_sim_data(self._avr))
        self.return_bytes = lib.haechi_sim_return_bytes(self._avr)
        self._rampz = lib.haechi_sim_rampz(self._avr)
        for at, _, data in self.image.segments:  # also the initial values of .data, where start-up code expects them
            if at + len(data) <= self._flash_size:
                self._flash[at : at + len(data)] = data
        fault = lib.haechi_sim_start(self._avr, self.image.address("main"), START_LIMIT)
        if fault:
            raise Fault(FAULTS[fault], "start-up")
        self._started = bytes(self._data)
        self._patched: dict[int, bytes] = {}
        self._idle = self.image.address("haechi_bench_idle")
        self.ram = range(self.image.address("_end") - RAM_AT, ram_end + 1)
        return self

    def __exit__(self, *exception) -> None:
        del self._flash, self._data
        _shim().haechi_sim_free(self._avr)
        self._avr = None

    def reset(self) -> None:
        ctypes.memmove(self._data, self._started, len(self._started))
        for address, code in self._patched.items():
            self._flash[address : address + len(code)] = code
        self._patched.clear()

    def read(self, address: int, size: int) -> bytes:
        self._check(address, size)
        return bytes(self._data[address : address + size])

    def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        ctypes.memmove(ctypes.addressof(self._data) + address, data, len(data))

    def _check(self, address: int, size: int) -> None:
        if address < 32 or address + size > self.ram.stop:
            raise BenchError(f"no data memory at {address:#x}, {size} bytes")

    def memory(self) -> tuple[int, bytes]:
        data = bytearray(self._data)
        for address in (SPL, SPH, SREG, self._rampz):  # RAMPZ: avr-gcc's ELPM sets it and leaves it
            data[address] = 0
        return 32, bytes(data[32:])

    def code(self, address: int, size: int) -> bytes:
        return bytes(self._flash[address : address + size])

    def patch(self, address: int, code: bytes) -> None:
        self._patched.setdefault(address, self.code(address, len(code)))
        self._flash[address : address + len(code)] = code

    def descriptor(self, name: str) -> Descriptor:
        return read_descriptor(self.image, name, "<HHBBBHHHH", scale=2)

    def instructions(self, first: int, size: int) -> list[tuple[int, int]]:
        """All instructions have one word, but LDS, STS, JMP and CALL have two."""
        found, at = [], first
        while at < first + size:
            op = int.from_bytes(self.code(at, 2), "little")
            long = op & 0xFC0F == 0x9000 or op & 0xFE0C == 0x940C
            found.append((at, 4 if long else 2))
            at += found[-1][1]
        return found

    def nop(self, size: int) -> bytes:
        return bytes(size)

    def call(
        self, function: int, *arguments: int, seed: int = 0, trace: bool = False, interrupt: int = -1,
        limit: int = 0,
    ) -> Call:  # fmt: skip
        registers = bytearray(noise(seed, 32))
        registers[1] = 0
        for number, value in enumerate(arguments):
            if number > 8:
                raise BenchError("more arguments than registers")
            registers[24 - 2 * number : 26 - 2 * number] = (value & 0xFFFF).to_bytes(2, "little")
        ctypes.memmove(self._data, bytes(registers), 32)
        sr = INTERRUPTS_ON | registers[0] & 0x7F
        c = prepare(function, self._idle, self.ram.stop - 1, sr, trace, interrupt, limit)
        _shim().haechi_sim_call(self._avr, c)
        check(self.image, c)
        after = bytes(self._data[:32])
        result = int.from_bytes(after[24:26], "little", signed=True)
        return told(c, result, self.return_bytes, self._violations(registers, after, c))

    @staticmethod
    def _violations(before: bytes, after: bytes, c: RawCall) -> list[str]:
        found = [f"r{i} is not as it was" for i in CALLEE_SAVED if before[i] != after[i]]
        if after[1] != 0:
            found.append("r1 is not zero")
        if c.sp_after != c.sp:
            found.append(f"the stack pointer is off by {c.sp_after - c.sp}")
        if not c.sr_after & INTERRUPTS_ON:
            found.append("interrupts are off")
        return found
