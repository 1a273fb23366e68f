# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The interface of every simulator of a microcontroller, and the report of a call in it.

A simulator, such as simavr.py, loads a program that build.elf made, runs its start-up code and then calls functions by
address, as if by the machine's call instruction. Addresses of functions are byte addresses in flash as in the ELF file;
addresses of data are those that a program uses.
"""

import struct
from dataclasses import dataclass, field
from typing import Protocol

from bench.declared.model import BenchError
from bench.made.elf import Image

EVERY = -2  # an interrupt at every instruction boundary


class Fault(BenchError):
    """A call that did not return. `kind` gives the reason: limit, opcode, crashed ..."""

    def __init__(self, kind: str, where: str):
        super().__init__(f"{kind} at {where}")
        self.kind, self.where = kind, where

    def __reduce__(self) -> tuple:
        """Lets processes pass it on."""
        return Fault, (self.kind, self.where)


@dataclass(frozen=True)
class Access:
    """One access to memory: kind load, store or constant (flash), and the lowest address."""

    kind: str
    address: int


@dataclass
class Call:
    """A call that returned.

    cycles: from the call instruction to the return instruction, both included. stack: the bytes below the caller's
    stack pointer at the deepest point, without the return address, which takes return_bytes more. violations: breaches
    of the calling convention, in words. pc_hash and access_hash stand for the traces of program counters and of
    addresses that were read or written; the traces themselves are recorded on request.
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
    """struct haechi_kernel of src/core/kernel.h. Slots are addresses of functions, or 0."""

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
    ram: range  # memory for buffers and the stack, which grows down from its end
    pointer: int  # bytes of a pointer
    return_bytes: int  # bytes of the return address that a call pushes
    alignment: int  # alignment of round keys in a haechi_key, in bytes

    def __enter__(self) -> "Simulator": ...
    def __exit__(self, *exception) -> None: ...

    def reset(self) -> None:
        """Returns to the state after start-up and undoes patches of the code."""

    def read(self, address: int, size: int) -> bytes: ...
    def write(self, address: int, data: bytes) -> None: ...

    def memory(self) -> tuple[int, bytes]:
        """The first address and all bytes of the data memory that a function must leave unchanged unless told
        otherwise. Registers, status and stack pointer are not included."""

    def code(self, address: int, size: int) -> bytes: ...
    def patch(self, address: int, code: bytes) -> None: ...

    def descriptor(self, name: str) -> Descriptor:
        """The descriptor haechi_<name>."""

    def instructions(self, first: int, size: int) -> list[tuple[int, int]]:
        """Address and bytes of each instruction of a function."""

    def nop(self, size: int) -> bytes:
        """NOPs that replace an instruction of this size."""

    def call(
        self, function: int, *arguments: int, seed: int = 0, trace: bool = False, interrupt: int = -1,
        limit: int = 0,
    ) -> Call:  # fmt: skip
        """Calls a function with arguments of the size of a pointer. Registers hold noise made from seed. interrupt is
        the number of the instruction before which an interrupt comes, or EVERY. limit is a number of instructions; 0
        stands for many. Raises Fault."""


def read_descriptor(image: Image, name: str, layout: str, scale: int = 1) -> Descriptor:
    """Reads a descriptor from the program's flash. layout describes the struct on this machine, and scale is the unit
    of function pointers in bytes."""
    values = struct.unpack(layout, image.read(image.address(f"haechi_{name}"), struct.calcsize(layout)))
    return Descriptor(*values[:5], *(slot * scale for slot in values[5:]))
