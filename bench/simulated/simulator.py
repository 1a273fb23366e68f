# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What every simulator of a microcontroller offers, and what a call in it reports.

A simulator (simavr.py has one) loads a program made by build.elf, runs its start-up code and then calls functions by
address, each as if by the machine's call instruction. Addresses of functions are byte addresses in flash as the ELF
has them; addresses of data are as a program sees them.
"""

import struct
from dataclasses import dataclass, field
from typing import Protocol

from bench.declared.model import BenchError
from bench.made.elf import Image

EVERY = -2  # an interrupt at every instruction boundary


class Fault(BenchError):
    """A call that did not return. `kind` says why: limit, opcode, crashed ..."""

    def __init__(self, kind: str, where: str):
        super().__init__(f"{kind} at {where}")
        self.kind, self.where = kind, where

    def __reduce__(self) -> tuple:
        """As processes pass it on."""
        return Fault, (self.kind, self.where)


@dataclass(frozen=True)
class Access:
    """One access to memory: kind load, store or constant (flash), and the lowest address."""

    kind: str
    address: int


@dataclass
class Call:
    """A call that returned.

    cycles: from the call instruction through the return, both included. stack: bytes below the caller's stack
    pointer at the deepest, without the return address; return_bytes more with it. violations: breaches of the
    calling convention, in words. pc_hash and access_hash stand for the traces of program counters and of addresses
    read or written; the traces themselves are there when asked for.
    """

    result: int
    cycles: int
    instructions: int
    stack: int
    return_bytes: int
    interrupts: int
    pc_hash: int
    access_hash: int
    violations: list[str] = field(default_factory=list)
    pcs: list[int] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)


@dataclass(frozen=True)
class Descriptor:
    """struct haechi_kernel of src/core/kernel.h; slots are function addresses, 0 for none."""

    rk: int
    needs: int
    block: int
    key: int
    flags: int
    expand: int
    crypt: int
    bulk: int
    ctr: int


class Simulator(Protocol):
    """A simulated microcontroller that holds a program. It is a context manager."""

    image: Image
    ram: range  # what buffers and the stack may have; the stack grows down from its end
    pointer: int  # bytes
    return_bytes: int  # of the return address that a call pushes
    alignment: int  # of round keys, bytes: where a haechi_key puts them

    def __enter__(self) -> "Simulator": ...
    def __exit__(self, *exception) -> None: ...

    def reset(self) -> None:
        """As after start-up; code that was patched is whole again."""

    def read(self, address: int, size: int) -> bytes: ...
    def write(self, address: int, data: bytes) -> None: ...

    def memory(self) -> tuple[int, bytes]:
        """The first address and all bytes of data memory that a function must leave alone unless told otherwise:
        not registers, status or stack pointer."""

    def code(self, address: int, size: int) -> bytes: ...
    def patch(self, address: int, code: bytes) -> None: ...

    def descriptor(self, name: str) -> Descriptor:
        """Of haechi_<name>."""

    def instructions(self, first: int, size: int) -> list[tuple[int, int]]:
        """Address and bytes of each instruction of a function."""

    def nop(self, size: int) -> bytes:
        """NOPs in place of an instruction of this size."""

    def call(
        self, function: int, *arguments: int, seed: int = 0, trace: bool = False, interrupt: int = -1,
        limit: int = 0,
    ) -> Call:  # fmt: skip
        """Calls a function with arguments of pointer size; registers hold noise from seed before. interrupt: the
        number of the instruction before which one comes, or EVERY. limit: instructions, 0: plenty. Raises Fault."""


def read_descriptor(image: Image, name: str, layout: str, scale: int = 1) -> Descriptor:
    """From the program's flash; layout is the struct's for this machine, scale a function pointer's unit in bytes."""
    values = struct.unpack(layout, image.read(image.address(f"haechi_{name}"), struct.calcsize(layout)))
    return Descriptor(*values[:5], *(slot * scale for slot in values[5:]))
