# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What each kernel is proved to do, and what the proof tells besides.

A kernel's slots say what there is to prove, and its card says in which form it stores round keys (forms.py). `expand` is proved to give that form for every key; the other slots compute the cipher from it for all round keys:

    crypt  the block enciphered, or deciphered
    bulk   the same for 0 to 3 blocks, in and out apart and the same
    ctr    the same numbers of blocks XORed with key stream, and the counter moved on; and key stream alone
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import spec
from bench.declared.model import VARIANTS, Card, Target, load_cards, load_targets
from bench.made import build
from bench.made.elf import Image
from bench.simulated.drive import Drive
from bench.simulated.machine import Call
from bench.simulated.machine import Machine as Simulator
from bench.simulated.simulators import open_machine
from proof.abi import ABI, Frame
from proof.bits import Bits, Engine, Graph, Model, Unproved, Word
from proof.engines import abc
from proof.forms import FROM_THE_KEY, Keys, form_of, state

SLOTS = {"expand": ("eks", "dks"), "crypt": ("enc", "dec"), "bulk": ("enc_bulk", "dec_bulk"), "ctr": ("ctr", "")}
BLOCKS = 3  # at the most
COUNTS = (*range(1, BLOCKS + 1), 0)
LAST_BYTE = "last byte"  # of the counter: where the card says so, branches tell whether it wraps within these blocks
LAST_BYTES = [range(256 - BLOCKS), *(range(i, i + 1) for i in range(256 - BLOCKS, 256))]


# ---- Round keys without a key.


def words(g: Graph, name: str, size: int, width: int) -> list[Word]:
    return Word(g, g.input(name, 8 * size)).split(width)


def any_rounds(g: Graph, cipher: str, size: int):
    """Round keys, any whatever."""
    if cipher == "HIGHT":
        return words(g, "round keys: whitening", 8, 8), words(g, "round keys", 128, 8)
    if cipher == "ARIA":
        return [words(g, f"round keys {i}", 16, 8) for i in range(spec.aria.ROUNDS[size] + 1)]
    order, n = ([0, 1, 2, 1, 3, 1], 16) if size == 16 else (range(6), 24)
    drawn = [words(g, f"round keys {i}", n, 32) for i in range(spec.lea.ROUNDS[size])]
    return [[k[j] for j in order] for k in drawn]


def theorem(cipher: str, size: int, engine: Engine = abc) -> Model | None:
    """The specification's own two directions undo each other for all round keys, and so do LEA's two ways through the
    key schedule; None, or a counterexample."""
    g = Graph(engine)
    block, rounds = Word(g, g.input("block", 8 * VARIANTS[cipher][0].block)), any_rounds(g, cipher, size)
    back = spec.aria.inverse_round_keys(rounds) if cipher == "ARIA" else rounds
    left, right = spec.crypt(cipher, back, spec.crypt(cipher, rounds, block), True).bits, block.bits
    if cipher == "LEA":
        last = words(g, "last", size, 32)
        left += spec.join(spec.lea.states(spec.lea.states_back(last)[0])[-1]).bits
        right += spec.join(last).bits
    return g.differ(left, right)


# ---- Claims.

Runs = Iterator[tuple[Frame, Bits, Bits]]  # each with what it leaves and what it should leave


@dataclass
class Fact:
    """What the proof of one slot tells."""

    kernel: str
    cipher: str
    operation: str
    digest: str  # of the code
    instructions: int = 0  # of the first run
    lookups: int = 0  # at addresses that depend on key or data, in that run
    tables: list[str] = field(default_factory=list)  # what they may reach
    reads: list[str] = field(default_factory=list)  # regions
    writes: list[str] = field(default_factory=list)
    stack: int = 0
    left: bool = False  # something that depends on key or data below the stack
    faults: list[str] = field(default_factory=list)
    found: Model | None = None  # inputs for which the code is wrong


@dataclass
class Claim:
    """One slot of one descriptor."""

    target: Target
    card: Card
    kernel: str
    operation: str
    slot: str
    drive: Drive

    def __post_init__(self):
        self.form = form_of(self.card, self.kernel, 8 * self.drive.variant.key, self.drive.inverse)
        self.rk, _ = self.drive.expand(bytes(self.drive.variant.key))  # for the simulator's calls

    @property
    def cipher(self) -> str:
        return self.drive.variant.cipher

    @property
    def image(self) -> Image:
        return self.drive.machine.image

    @property
    def function(self) -> int:
        return getattr(self.drive.d, self.slot)

    def digest(self) -> str:
        """Of all bytes that the slot's function reaches, and where they lie."""
        h = hashlib.sha256()
        for s in self.image.needs([self.function]).symbols:
            h.update(s.address.to_bytes(4, "little") + self.image.read(s.address, s.size))
        return h.hexdigest()[:16]

    def keys(self, g: Graph) -> tuple[Keys, Bits]:
        """All round keys, and how the kernel stores them."""
        family, v = self.card.cipher, self.drive.variant
        keys = Keys((), inverse=self.drive.inverse, image=self.image)
        keys.before = words(g, "before", self.drive.d.rk, 8)
        if self.form is state and keys.inverse and self.slot != "expand":
            keys.last = words(g, "last", v.key, 32)
            keys.rounds = spec.lea.rounds_of(spec.lea.states_back(keys.last))
        elif self.form in FROM_THE_KEY or self.slot == "expand":
            keys.master = words(g, "key", v.key, spec.FAMILIES[family].WORD)
            keys.rounds = spec.round_keys(family, spec.join(keys.master), keys.inverse)
            keys.last = spec.lea.states(keys.master)[-1] if family == "LEA" else []
        else:
            keys.rounds = any_rounds(g, family, v.key)
        return keys, spec.join(self.form(keys)).bits

    def runs(self, engine: Engine, graph=Graph) -> Iterator[Runs]:
        """The runs of the slot for all inputs; where the card says so, for each of LAST_BYTES by itself."""
        by_last_byte = self.slot == "ctr" and self.card.kernels[self.kernel].counter == LAST_BYTE
        for last in LAST_BYTES if by_last_byte else [None]:
            yield getattr(self, f"_{self.slot}")(graph(engine), last)

    def prove(self, engine: Engine = abc, graph=Graph) -> Fact:
        fact = Fact(self.kernel, self.cipher, self.operation, self.digest())
        for runs in self.runs(engine, graph):
            left, right = (), ()
            try:
                for frame, got, wanted in runs:
                    self.learn(fact, frame)
                    left, right, g = left + got, right + wanted, frame.g
                fact.found = fact.found or g.differ(left, right)
            except Unproved as error:
                fact.faults.append(str(error))
        return fact

    def learn(self, fact: Fact, frame: Frame) -> None:
        fact.faults += frame.faults()
        fact.stack = max(fact.stack, frame.stack())
        inputs = {frame.g.names[n][0] for n in frame.g.support(frame.left())}
        fact.left |= any(not name.startswith(("register", "poison")) for name in inputs)
        for facts, found in (
            (fact.tables, frozenset().union(*frame.lookups)), (fact.reads, frame.read),
            (fact.writes, {frame.writable[at] for at in frame.written}),
        ):  # fmt: skip
            facts[:] = sorted({*facts, *found})
        if not fact.instructions:
            fact.instructions, fact.lookups = len(frame.trace), len(frame.lookups)

    # Each of these runs a slot for every input, and yields what it leaves and what it should leave.

    def _run(self, g: Graph, call: Call, *arguments: "Buffer | int") -> Frame:
        """The simulator makes the call first: it says where the buffers are, and must have taken the same way."""
        places = {a.name: a for a in arguments if isinstance(a, Buffer)}
        at = {name: first for name, (first, _) in zip(places, self.drive.layout.readable, strict=True)}
        numbers = [at[a.name] if isinstance(a, Buffer) else a for a in arguments]
        frame = Frame(g, self.target.name, self.drive.machine, self.function, numbers)
        for name, buffer in places.items():
            frame.region(name, at[name], buffer.content, buffer.write)
        frame.run(self.function)
        if frame.trace != call.pcs:
            raise Unproved("the simulator took another way through the code")
        return frame

    def _expand(self, g: Graph, _):
        keys, form = self.keys(g)
        call = self.drive.expand(bytes(self.drive.variant.key), trace=True)[-1]
        frame = self._run(g, call, Buffer("rk", spec.join(keys.before).bits, True), Buffer("key", spec.join(keys.master).bits))
        yield frame, frame.content("rk"), form

    def _crypt(self, g: Graph, _):
        keys, form = self.keys(g)
        block = Word(g, g.input("block", 8 * self.drive.d.block))
        call = self.drive.crypt(self.rk, bytes(self.drive.d.block), trace=True)[-1]
        frame = self._run(g, call, Buffer("rk", form), Buffer("buf", block.bits, True))
        yield frame, frame.content("buf"), spec.crypt(self.card.cipher, keys.rounds, block, self.drive.inverse).bits

    def _bulk(self, g: Graph, _):
        keys, form = self.keys(g)
        cipher, size, inverse = self.card.cipher, self.drive.d.block, self.drive.inverse
        blocks = [g.input(f"block {i}", 8 * size) for i in range(BLOCKS)]
        wanted = [spec.crypt(cipher, keys.rounds, Word(g, block), inverse).bits for block in blocks]
        for n in COUNTS:
            for how in ("apart", "in place"):
                call = self.drive.bulk(self.rk, bytes(n * size), how == "apart", trace=True)[-1]
                out, into = self._buffers(how, n * size, sum(blocks[:n], ()))
                frame = self._run(g, call, Buffer("rk", form), out, into, n)
                yield frame, frame.content("out"), sum(wanted[:n], ())

    def _ctr(self, g: Graph, last: range | None):
        keys, form = self.keys(g)
        cipher, size, first = self.card.cipher, self.drive.d.block, bytes(self.drive.d.block)
        blocks = [g.input(f"block {i}", 8 * size) for i in range(BLOCKS)]
        counter = g.input("counter", 8 * size)
        if last:
            first = first[1:] + bytes(last[:1])
            counter = counter[:-8] + g.among(LAST_BYTE, last)
        keystream = ()
        for n in COUNTS:
            data = sum(blocks[:n], ())
            for how in ("apart", "in place", "stream"):
                if how == "stream":
                    call = self.drive.keystream(self.rk, first, n, trace=True)[-1]
                    out, into = Buffer("out", n * size, True), 0
                else:
                    call = self.drive.ctr_slot(self.rk, first, bytes(n * size), how == "apart", trace=True)[-1]
                    out, into = self._buffers(how, n * size, data)
                frame = self._run(g, call, Buffer("rk", form), Buffer("ctr", counter, True), out, into, n)
                if n and how == "apart":
                    g.settle(frame.content("out"))
                    keystream += spec.crypt(cipher, keys.rounds, spec.counter_plus(Word(g, counter), n - 1)).bits
                wanted = keystream[: len(data)] if how == "stream" else tuple(map(g.xor, keystream, data))
                wanted += spec.counter_plus(Word(g, counter), n).bits
                yield frame, frame.content("out") + frame.content("ctr"), wanted

    @staticmethod
    def _buffers(how: str, size: int, data: Bits) -> "tuple[Buffer, Buffer]":
        if how == "apart":
            return Buffer("out", size, True), Buffer("in", data)
        return Buffer("out", data, True), Buffer("out", data, True)


@dataclass(frozen=True)
class Buffer:
    """An argument."""

    name: str
    content: Bits | int  # or how many bytes there are, which nobody wrote
    write: bool = False


def breaches(claim: Claim, fact: Fact) -> list[str]:
    """Where a fact belies the kernel's card, or the claim itself is false."""
    card = claim.card.kernels[claim.kernel]
    found = list(fact.faults)
    if fact.found:
        found.append("differs from the specification")
    if fact.lookups and card.constant_time == "addresses":
        found.append(f"{fact.lookups} look-ups by secrets, where the card says addresses")
    if fact.left and card.wipes:
        found.append("leaves secrets on the stack, where the card says that it wipes")
    said = card.stack.get(fact.operation, card.stack.get("eks") if fact.operation == "dks" else None)
    if said is not None and fact.stack > said:  # the card's figure is that of the key size that needs most
        found.append(f"{fact.stack} bytes of stack, where the card says {said}")
    return found


# ---- Where claims come from.


def kernels(targets: list[str] | None = None) -> list[tuple[Target, Card, str]]:
    """Every assembly kernel of the microcontrollers."""
    known = load_targets()
    return [
        (known[card.machine], card, kernel)
        for card in load_cards()
        for kernel in card.kernels
        if card.machine in ABI and card.source(kernel).suffix == ".S"
        and (not targets or card.machine in targets)
    ]  # fmt: skip


def simulator(target: Target, card: Card, kernel: str, extra=()) -> Simulator:
    """With a kernel in it; a context manager."""
    return open_machine(target, target.chip, build.elf(target, target.chip, card, kernel, extra))


def claims(machine: Simulator, target: Target, card: Card, kernel: str) -> list[Claim]:
    """One for each slot and key size; what two descriptors share only once."""
    found, seen = [], set()
    for variant in VARIANTS[card.cipher]:
        for inverse in (False, True):
            drive = Drive(machine, kernel, variant, inverse)
            for slot, names in SLOTS.items():
                function = getattr(drive.d, slot)
                same = (function, slot, variant.key, inverse and not _shared(card, slot, drive))
                if function and same not in seen:
                    seen.add(same)
                    found.append(Claim(target, card, kernel, names[inverse], slot, drive))
    return found


def _shared(card: Card, slot: str, drive: Drive) -> bool:
    """Whether the inverse's slot does what the other direction's does if they are one function."""
    return slot == "expand" or card.cipher == "ARIA"
