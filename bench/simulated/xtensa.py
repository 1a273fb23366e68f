# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Xtensa, the core of an ESP8266: a Simulator based on qemu-user. It has what the modes need; nothing is patched and no call
is traced or interrupted.

qemu-xtensa runs the program, whose start-up code (bench/made/harness/xtensa_start.S) reads and writes memory and calls
functions as it is told. A load or store of a word at an address that is no multiple of four raises Fault: the core traps there.
The calling convention is call0: arguments of four bytes in a2 to a7; a function must preserve a12 to a15. The return address is
in a register.

qemu has no timing, so that `cycles` of a call is 0. A simulator that measures counts the instructions: qemu executes them one by
one and logs each. The stack is that from the lowest byte that the call changed, and a multiple of 16 as the stack pointer is.
"""

import os
import struct
import subprocess
from pathlib import Path
from threading import Thread
from time import monotonic

from bench.declared.model import BenchError
from bench.made.elf import Image
from bench.simulated.shim import noise
from bench.simulated.simulator import Call, Descriptor, Fault, read_descriptor

RAM_SIZE = 0x8000  # of haechi_sim_ram
REGISTERS, SP, FIRST_ARGUMENT, IN_REGISTERS = 16, 1, 2, 6
KEPT = range(12, 16)
READ, WRITE, CALL = range(3)
SECONDS = 60  # in which qemu's log must have a call
ONE_BY_ONE = {"QEMU_SINGLESTEP": "1", "QEMU_ONE_INSN_PER_TB": "1"}  # of qemu 7 and of later ones


class Xtensa:
    """`chip` is the name of the core, for which the program was compiled."""

    pointer, alignment, return_bytes = 4, 4, 0

    def __init__(self, elf: Path, chip: str):
        self.image, self.chip = Image(elf), chip

    def __enter__(self) -> "Xtensa":
        start = self.image.address("haechi_sim_ram")
        self.ram = range(start, start + RAM_SIZE)
        self._qemu = self._start()
        self._buffers_end = start
        return self

    def __exit__(self, *exception) -> None:
        self._qemu.stdin.close()
        self._qemu.stdout.close()
        self._qemu.wait()

    def _start(self) -> subprocess.Popen:
        return self._run([])

    def _run(self, options: list[str], **more) -> subprocess.Popen:
        command, pipe = ["qemu-xtensa", "-cpu", self.chip, *options, str(self.image.path)], subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0, **more)

    def _ask(self, kind: int, address: int, size: int, data: bytes = b"", answer: int = 0) -> bytes:
        """Sends a request and returns what the program answers."""
        try:
            rest = memoryview(struct.pack("<III", kind, address, size) + data)
            while rest:
                rest = rest[self._qemu.stdin.write(rest) :]
        except BrokenPipeError:
            pass
        found = b""
        while len(found) < answer and (more := self._qemu.stdout.read(answer - len(found))):
            found += more
        if len(found) < answer:
            symbol = self.image.at(address)
            raise Fault(f"signal {-self._qemu.wait()}", symbol.name if symbol else f"{address:#x}")
        return found

    def reset(self) -> None:
        self.__exit__()
        self.__enter__()

    def read(self, address: int, size: int) -> bytes:
        self._check(address, size)
        return self._ask(READ, address, size, answer=size)

    def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        self._ask(WRITE, address, len(data), data)
        end = address + len(data)
        self._buffers_end = self.ram.start if end == self.ram.stop else max(self._buffers_end, end)

    def _check(self, address: int, size: int) -> None:
        if address < self.ram.start or address + size > self.ram.stop:
            raise BenchError(f"no data memory at {address:#x}, {size} bytes")

    def memory(self) -> tuple[int, bytes]:
        return self.ram.start, self.read(self.ram.start, len(self.ram))

    def descriptor(self, name: str) -> Descriptor:
        return read_descriptor(self.image, name, "<HHBBBxIIII")

    def call(self, function: int, *arguments: int, seed: int = 0) -> Call:
        """Simulator.call."""
        if len(arguments) > IN_REGISTERS:
            raise BenchError("more arguments than registers")
        before = list(struct.unpack(f"<{REGISTERS}I", noise(seed, 4 * REGISTERS)))
        before[SP] = self.ram.stop
        for number, value in enumerate(arguments):
            before[FIRST_ARGUMENT + number] = value & 0xFFFFFFFF
        self._ask(WRITE, self.image.address("haechi_sim_registers"), 4 * REGISTERS, struct.pack(f"<{REGISTERS}I", *before))
        at, memory = self._buffers_end, self.read(self._buffers_end, self.ram.stop - self._buffers_end)
        raw = self._ask(CALL, function, 0, answer=4 * REGISTERS)
        after, left = struct.unpack(f"<{REGISTERS}I", raw), self.read(at, self.ram.stop - at)
        changed = next((n for n, (a, b) in enumerate(zip(memory, left, strict=True)) if a != b), len(left))
        found = [f"a{i} is not as it was" for i in KEPT if before[i] != after[i]]
        if after[SP] != before[SP]:
            found.append(f"the stack pointer is off by {after[SP] - before[SP]}")
        (result,) = struct.unpack("<i", raw[4 * FIRST_ARGUMENT : 4 * FIRST_ARGUMENT + 4])
        return Call(
            result=result, cycles=0, instructions=self._counted(), stack=-(-(len(left) - changed) // 16) * 16,
            return_bytes=0, interrupts=0, pc_hash=0, access_hash=0, violations=found,
        )  # fmt: skip

    def _counted(self) -> int:
        return 0


class Counted(Xtensa):
    """Xtensa that counts the instructions of a call, from the one that calls to the one that returns."""

    def __enter__(self) -> "Counted":
        self._counts: list[int] = []
        log, self._qemus_end = os.pipe()
        try:
            super().__enter__()
        finally:
            os.close(self._qemus_end)
        self._reader = Thread(target=self._count, args=(log,))
        self._reader.start()
        return self

    def __exit__(self, *exception) -> None:
        super().__exit__(*exception)
        self._reader.join()

    def _start(self) -> subprocess.Popen:
        return self._run(["-d", "exec,nochain", "-D", f"/dev/fd/{self._qemus_end}"], pass_fds=[self._qemus_end], env=os.environ | ONE_BY_ONE)

    def _count(self, descriptor: int) -> None:
        """Reads the log, a line for each instruction, and counts the lines between the two places around a call."""
        first, last = (b"%08x/" % self.image.address(f"haechi_sim_{name}") for name in ("before", "after"))
        inside, count, rest = False, 0, b""
        with os.fdopen(descriptor, "rb") as log:
            while chunk := log.read1(1 << 20):
                lines, newline, rest = (rest + chunk).rpartition(b"\n")
                lines += newline
                while lines:
                    head, found, lines = lines.partition(last if inside else first)
                    count += head.count(b"\n") * inside
                    if found and inside:
                        self._counts.append(count)
                    if found:
                        inside, count = not inside, 0

    def _counted(self) -> int:
        """The count of the last call. The program has answered, so that qemu has logged all instructions of the call."""
        end = monotonic() + SECONDS
        while not self._counts:
            if not self._reader.is_alive() or monotonic() > end:
                raise BenchError("qemu's log does not have the call")
            self._reader.join(0.0005)
        return self._counts.pop(0)
