# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calling conventions: how a function is entered on each machine, and what must hold when it has returned."""

from dataclasses import dataclass, field, replace

from bench.made.elf import RAM_SECTIONS, Symbol
from bench.simulated.simulator import Simulator
from proof.bits import Bits, Graph, Unproved, constant
from proof.machine import POISON, STACK, Machine
from proof.places import Places

STACK_ROOM = 512


@dataclass(frozen=True)
class Abi:
    language: str  # SLEIGH's name
    data: str  # the address spaces, as SLEIGH names them
    flash: str
    registers: tuple[str, ...]  # those that may hold anything at the entry
    flags: tuple[str, ...]  # those of one bit
    arguments: tuple[str, ...]  # further arguments lie on the stack
    kept: tuple[str, ...]  # what a function must leave as it was
    pointer: str  # the stack pointer
    width: int  # bytes of a pointer
    result: str = ""  # the register that holds the result, where functions of the C library are called
    link: str = ""  # the register that holds the return address; if empty, the stack holds it
    thumb: bool = False  # bit 0 of a return address is set
    zero: tuple[str, ...] = ()  # registers that are 0 before and after
    poisoned: tuple[str, ...] = ()  # registers that SLEIGH computes wrongly
    unit: int = 1  # bytes that an address of code counts in
    skip: str = ""  # SLEIGH's register for instructions that are skipped
    post: int = 0  # by how many bytes the stack pointer is below the last byte pushed
    even: bool = False  # words must lie at multiples of their size
    strict: tuple[str, ...] = ()  # how the names of instructions begin that access multiples of four only
    alignment: int = 1  # of the stack pointer, in bytes
    beyond: int = 0  # how many bytes at the end of the address space are never RAM, so that no sum up to there wraps around
    wide: str = ""  # SLEIGH's name of the language where return addresses have a byte more than pointers
    free: dict[str, int] = field(default_factory=dict)  # of kept registers: the bits that may change all the same
    room: int = STACK_ROOM  # the bytes of stack that a function may take


def _numbered(letter: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"{letter}{i}" for i in range(first, last + 1))


ABI = {
    "avr": Abi(
        language="avr8:LE:16:default", wide="avr8:LE:16:atmega256", data="mem", flash="codebyte",
        registers=(*_numbered("R", 0, 25), "Xlo", "Xhi", "Ylo", "Yhi", "Zlo", "Zhi"),
        flags=tuple(f"{f}flg" for f in "CZNTI"),
        arguments=("R25R24", "R23R22", "R21R20", "R19R18", "R17R16", "R15R14", "R13R12", "R11R10", "R9R8"),
        kept=(*_numbered("R", 2, 17), "Ylo", "Yhi", "Iflg"),
        pointer="SP", width=2, zero=("R1",), poisoned=("Hflg", "Vflg", "Sflg"), unit=2, skip="SKIP", post=1,
    ),
    "msp430": Abi(
        language="TI_MSP430:LE:16:default", data="RAM", flash="",
        registers=("SR", *_numbered("R", 4, 15)), flags=(), arguments=_numbered("R", 12, 15),
        kept=("SR", *_numbered("R", 4, 10)), pointer="SP", width=2, free={"SR": 0x107}, even=True, alignment=2,  # SR: V, N, Z and C
        beyond=512,  # a segment of flash with the interrupt vectors
    ),
    "armv6m": Abi(
        language="ARM:LE:32:Cortex", data="ram", flash="",
        registers=_numbered("r", 0, 12), flags=("NG", "ZR", "CY", "OV"), arguments=_numbered("r", 0, 3),
        kept=_numbered("r", 4, 11), pointer="sp", width=4, link="lr", even=True, alignment=8,
    ),
    "armv7m": Abi(
        language="ARM:LE:32:Cortex", data="ram", flash="",
        registers=_numbered("r", 0, 12), flags=("NG", "ZR", "CY", "OV"), arguments=_numbered("r", 0, 3),
        kept=_numbered("r", 4, 11), pointer="sp", width=4, link="lr", thumb=True, alignment=8, beyond=1 << 29,  # from 0xE0000000 on
        strict=("ldm", "stm", "ldrd", "strd", "push", "pop"),
    ),
    "rv32": Abi(
        language="RISCV:LE:32:RV32GC", data="ram", flash="",
        registers=("gp", "tp", *_numbered("t", 0, 6), *_numbered("s", 0, 11), *_numbered("a", 0, 7)), flags=(),
        arguments=_numbered("a", 0, 7), kept=("gp", "tp", *_numbered("s", 0, 11)), pointer="sp", width=4, link="ra",
        alignment=16, zero=("zero",), even=True,
    ),
}  # fmt: skip
RETURN, ARGUMENTS = "return address", "arguments"  # the names of regions


@dataclass(frozen=True)
class Buffer:
    """An argument that points to memory."""

    name: str
    content: Bits | int  # its bits, or how many bytes it has if nobody wrote them
    write: bool = False
    flash: bool = False
    alignment: int = 1  # of the address, in bytes
    done: int = 0  # the bytes of the memory that lie before the argument

    def size(self) -> int:
        return self.content if isinstance(self.content, int) else len(self.content) // 8


class Frame(Machine):
    """A machine at the entry of a function: registers hold anything, and the stack and the buffers may be anywhere."""

    def __init__(
        self, g: Graph, target: str | Abi, simulator: Simulator, function: int, arguments: list[Buffer | Bits | int]
    ):
        a, self.back = target if isinstance(target, Abi) else ABI[target], simulator.return_bytes
        self.abi = a = replace(a, language=a.wide) if self.back > a.width else a
        self.one: tuple[int, int] | None = None  # where a call takes several runs, the instructions and look-ups of a call for one block
        code = {at + i: b for at, _, data in simulator.image.segments for i, b in enumerate(data)}
        super().__init__(
            g, a.language, code, a.data, a.flash, a.poisoned, a.unit, a.skip, a.pointer, a.post, a.even, a.strict,
            str(simulator.image.path),
        )
        for name in a.registers:
            self.set_register(name, g.input(f"register {name}", 8 * self.registers[name].size))
        for name in a.flags:
            self.set_register(name, g.input(f"register {name}", 1))
        for name in a.poisoned:
            self.memory[self._place(name)[:2]] = POISON
        for name in a.zero:
            self.set_register(name, 0)
        g.places = g.places or Places(g, 8 * a.width, a.beyond)
        self._constants(simulator, function)
        stacked = max(0, len(arguments) - len(a.arguments)) * a.width
        room = range(-a.room, self.back + stacked)
        self.top = g.places.base(STACK, a.alignment, room)
        g.places.apart = STACK
        self._return_address()
        self.set_register(a.pointer, g.places.word(self.top - a.post))
        self.region(STACK, self.top - a.room, a.room, write=True, alignment=a.alignment)
        self.memory.update({(self.data, self.top - 1 - i): POISON for i in range(a.room)})
        words = [self._argument(argument) for argument in arguments]
        passed = "".join(a.arguments[: len(words)])
        self.given = [name for name in a.kept if f"{name}R" in f"{passed}R"]  # of the kept registers, those with arguments
        for name, word in zip(a.arguments, words):
            self.set_register(name, word)
        content = sum(words[len(a.arguments) :], ())
        self.region(ARGUMENTS, self.top + self.back, content, alignment=a.alignment)
        self.kept = {name: self.register(name) for name in a.kept}  # what these must hold after the return

    def _argument(self, argument: Buffer | Bits | int) -> Bits:
        if not isinstance(argument, Buffer):
            return constant(argument, 8 * self.abi.width) if isinstance(argument, int) else argument
        b = argument
        at = self.g.places.base(b.name, b.alignment, range(b.size()))
        self.region(b.name, at, b.content, b.write, self.abi.flash if b.flash else "", b.alignment)
        return self.g.places.word(at + b.done)

    def _argument_at(self, i: int) -> tuple[str, int, int]:
        """Where an argument is, at the entry."""
        if i < len(self.abi.arguments):
            return self._place(self.abi.arguments[i])
        return self.data, self.top + self.back + (i - len(self.abi.arguments)) * self.abi.width, self.abi.width

    def argument(self, i: int) -> Bits:
        return self.get(*self._argument_at(i))

    def set_argument(self, i: int, word: Bits) -> None:
        space, at, _ = self._argument_at(i)
        self.put(space, at, word)

    def _return_address(self) -> None:
        bits = self.g.input("register return", 8 * (self.back or self.abi.width))
        if self.abi.link:
            self.set_register(self.abi.link, (int(self.abi.thumb), *bits[1:]))
            self._back = (0, *bits[1:])
        else:
            self._back = bits if self.abi.unit > 1 else (0, *bits[1:])
            self.region(RETURN, self.top, self._back, alignment=self.abi.alignment)

    def _constants(self, simulator: Simulator, function: int) -> None:
        """Declares what the function reaches, as the only constants that it may read: code and tables."""
        for symbol in self._reached(simulator, function):
            at = symbol.address % (1 << 8 * self.abi.width)  # AVR's linker counts data from 0x800000
            space = self.abi.flash if symbol.section not in RAM_SECTIONS else self.abi.data
            self.region(symbol.name, at, simulator.image.read(symbol.address, symbol.size), space=space)
            self.tables.add(symbol.name)
            if (space or self.data) == self.data:
                self.g.places.constants.append(range(at, at + symbol.size))

    def _reached(self, simulator: Simulator, function: int) -> tuple[Symbol, ...]:
        return simulator.image.needs([function]).symbols

    def step(self) -> int | Bits:
        """Nothing but the return may read the return address. A function that calls nothing therefore does the same
        whatever the size of return addresses is (parts.py)."""
        self.read.discard(RETURN)
        then = super().step()
        if RETURN in self.read and isinstance(then, int):
            raise Unproved("reads its return address and does not return")
        return then

    def faults(self) -> list[str]:
        """The breaches of the calling convention, in words."""
        a = self.abi
        found = []
        for name in a.kept:
            bits = zip(self.register(name), self.kept[name], strict=True)
            if any(now != before and not a.free.get(name, 0) >> i & 1 for i, (now, before) in enumerate(bits)):
                found.append(f"{name} is not as it was")
        found += [f"{name} is not zero" for name in a.zero if set(self.register(name)) != {0}]
        if self.returned != self._back:
            found.append("returns elsewhere")
        after = self.top + self.back - a.post
        if self.register(a.pointer) != self.g.places.word(after):
            found.append("the stack pointer is off")
        return found

    def _stacked(self) -> list[int]:
        return [at for at in self.written if self.writable[at] == STACK]

    def stack(self) -> int:
        """The depth of the stack in bytes below the caller's stack pointer, without the return address."""
        return self.top - min(self._stacked(), default=self.top)

    def left(self) -> Bits:
        """The bits that stay on the stack."""
        return sum((self.memory[self.data, at] for at in self._stacked()), ())
