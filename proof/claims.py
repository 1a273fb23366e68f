# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is claimed of each kernel, how a claim is proved, and which facts a proof establishes besides.

A kernel offers functions in the slots of its descriptors, one descriptor for each key size and direction. The kernel's
card says in which form it stores round keys (forms.py) and which slots it fills. The claims are:

    expand  for every key the function writes the standard's round keys of the descriptor's direction, in that form
    crypt   for all round keys in that form it encrypts the block, or decrypts it if that is the direction
    bulk    the same for every number of blocks (every_number.py), with input and output apart and in place
    flash   the same as crypt, with round keys in flash; no descriptor points to this function, and the card names it
    ctr     it XORs every number of blocks with the key stream, apart and in place, or writes the key stream alone; and it
            advances the counter

The claims of a descriptor compose: what `expand` is proved to write is what the other slots are proved to read. Two
descriptors share a claim only if it is the same statement about the same function.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import spec
from bench.declared.model import ROOT, VARIANTS, BenchError, Card, Gap, Kernel, Target, load_cards, load_gaps, load_targets
from bench.made import build
from bench.made.cache import kept
from bench.made.elf import Image
from bench.simulated.drive import Drive
from bench.simulated.simulator import Call, Fault
from bench.simulated.simulator import Simulator
from bench.simulated.simulators import open_simulator
from proof import parts
from proof.abi import ABI, Buffer, Frame
from proof.bits import ENGINE, FORMS, SOLVER, Bits, Engine, Graph, Model, Unproved, Word
from proof.engines import abc
from proof.every_number import EveryNumber
from proof.forms import DIRECTED, FROM_THE_KEY, Keys, form_of, state
from proof.loops import PUBLIC

SLOTS = {"expand": ("eks", "dks"), "crypt": ("enc", "dec"), "bulk": ("enc_bulk", "dec_bulk"), "ctr": ("ctr", "")}
ON_HOSTS = {**SLOTS, "ctr_bytes": ("ctr_bytes", ""), "cbc": ("", "cbc"), "xex": ("enc_xex", "dec_xex"), "lanes": ("lanes", "")}
FLASH = "flash"  # in the place of a slot: encryption with round keys in flash
OPERATIONS = [*(name for names in SLOTS.values() for name in names), "enc_flash"]  # those whose proofs are quick first
PROVED = list(ABI)  # targets; others of the same machines are for measuring
INVERSE, ALIGN2, ALIGN4 = 1, 2, 4  # flags of a descriptor: core/kernel.h


@cache
def gaps() -> list[Gap]:
    return load_gaps()


def gap(target: str, chip: str, cipher: str, kernel: str, operation: str) -> str:
    """Why a claim of this name, as in results/proofs.csv, has no proof; empty if it has one."""
    return next((g.why for g in gaps() if g.holds(target, chip, kernel, operation)), "")


def alignment(flags: int) -> int:
    """The power of two that divides the addresses of key, blocks and counter, by the flags of a descriptor."""
    return max(flags & ALIGN4, flags & ALIGN2, 1)


# ---- Round keys that need not come from a key.


def words(g: Graph, name: str, size: int, width: int) -> list[Word]:
    return Word(g, g.input(name, 8 * size)).split(width)


def any_rounds(g: Graph, cipher: str, size: int):
    """Round keys of the shape that spec/ gives them, with unknown bits."""
    if cipher == "HIGHT":
        return words(g, "round keys: whitening", 8, 8), words(g, "round keys", 128, 8)
    if cipher == "ARIA":
        return [words(g, f"round keys {i}", 16, 8) for i in range(spec.aria.ROUNDS[size] + 1)]
    order, n = ([0, 1, 2, 1, 3, 1], 16) if size == 16 else (range(6), 24)
    drawn = [words(g, f"round keys {i} of {n} bytes", n, 32) for i in range(spec.lea.ROUNDS[size])]
    return [[k[j] for j in order] for k in drawn]


def theorem(cipher: str, size: int, engine: Engine = abc) -> Model | None:
    """Proves of the specification itself that its two directions undo each other for all round keys, and of LEA that the
    two ways through its key schedule do. Returns None, or a counterexample."""
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

Runs = Iterator[tuple[Frame, Bits, Bits]]  # runs of a function, with what each leaves and what it should leave


@dataclass
class Fact:
    """What the proof of a claim found out."""

    kernel: str
    cipher: str
    operation: str
    digest: str  # of the code
    instructions: int = 0  # of the first run
    lookups: int = 0  # in the first run, the loads from addresses that depend on key or data
    tables: list[str] = field(default_factory=list)  # the regions that look-ups can reach
    reads: list[str] = field(default_factory=list)  # the regions that are read
    writes: list[str] = field(default_factory=list)  # the regions that are written
    stack: int = 0  # bytes
    left: bool = False  # whether something that depends on key or data stays below the stack pointer
    faults: list[str] = field(default_factory=list)  # rules that the code breaks, and reasons why a proof stopped
    found: Model | None = None  # inputs for which the code computes something else
    decided: str = ""  # normal forms, or besides these a solver for paths, or also an engine
    seconds: float = 0  # of all processes


@dataclass
class Claim:
    """What is claimed of one slot of one descriptor."""

    target: Target
    card: Card
    kernel: str
    operation: str
    slot: str
    drive: Drive

    def __post_init__(self):
        self.form = form_of(self.card, self.kernel, 8 * self.drive.variant.key, self.drive.inverse)
        self.rk, _ = self.drive.expand(bytes(self.drive.variant.key))  # round keys for the calls in the simulator

    @property
    def cipher(self) -> str:
        return self.drive.variant.cipher

    @property
    def image(self) -> Image:
        return self.drive.simulator.image

    @property
    def function(self) -> int:
        return self.drive.function(self.slot)

    @property
    def alignment(self) -> int:
        """The power of two that divides the addresses of key, blocks and counter."""
        return alignment(self.drive.d.flags)

    @property
    def stated(self) -> Kernel:
        """What the card says of the kernel."""
        return self.card.kernels[self.kernel]

    @property
    def statement(self) -> tuple:
        """What is claimed, and of which function: equal for two claims that are the same. The direction matters where
        the round keys or what is made of them depend on it. ARIA decrypts as it encrypts, with other round keys."""
        d, aria, expand = self.drive.d, self.card.cipher == "ARIA", self.slot == "expand"
        directed = self.form in DIRECTED or aria == expand
        return self.slot, d.key, d.rk, self.alignment, self.form, directed and self.drive.inverse, self.function

    def symbols(self) -> set[str]:
        """The names of all functions and tables that the slot's function reaches."""
        return {s.name for s in self.image.needs([self.function]).symbols}

    def digest(self) -> str:
        """A hash of all bytes that the slot's function reaches, and of their addresses."""
        h = hashlib.sha256()
        for s in self.image.needs([self.function]).symbols:
            h.update(s.address.to_bytes(4, "little") + self.image.read(s.address, s.size))
        return h.hexdigest()[:16]

    def keys(self, g: Graph) -> tuple[Keys, Bits]:
        """All round keys for which the claim must hold, and their bits as the kernel stores them."""
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
        form = spec.join(self.form(keys)).bits
        if len(form) != 8 * self.drive.d.rk:
            raise Unproved(f"the descriptor has {self.drive.d.rk} bytes of round keys, the form {len(form) // 8}")
        return keys, form

    def crypted(self, keys: Keys, block: Word) -> Word:
        """What the specification makes of a block."""
        return spec.crypt(self.card.cipher, keys.rounds, block, self.drive.inverse)

    def runs(self, engine: Engine, graph=Graph) -> Iterator[Runs]:
        """The cases of the claim, each with the runs of the function that cover it."""
        if self.slot in ("bulk", "ctr"):
            yield from EveryNumber(self, engine, graph).runs()
        else:
            yield getattr(self, f"_{self.slot}")(graph(engine))

    def prove(self, engine: Engine = abc, graph=Graph) -> Fact:
        """Proves the claim, or finds out what is wrong with it."""
        fact = Fact(self.kernel, self.cipher, self.operation, self.digest())
        started, graphs, cases = sum(os.times()[:4]), [], self.runs(engine, graph)
        while True:
            left, right = (), ()
            try:
                if (runs := next(cases, None)) is None:
                    break
                for frame, got, wanted in runs:
                    self.learn(fact, frame)
                    left, right, g = left + got, right + wanted, frame.g
                    graphs.append(g)
                if left and not fact.found:
                    fact.found = g.differ(left, right)
            except (Unproved, Fault) as error:
                fact.faults.append(str(error))
        fact.decided = next((who for who in (ENGINE, SOLVER) if any(who in g.decided for g in graphs)), FORMS)
        fact.seconds = sum(os.times()[:4]) - started
        return fact

    def learn(self, fact: Fact, frame: Frame) -> None:
        """Adds the facts that a run shows."""
        fact.stack = max(fact.stack, frame.stack())
        if frame.returned:
            fact.faults += frame.faults()
            inputs = {frame.g.names[n][0] for n in frame.g.support(frame.left())}
            fact.left |= any(not name.startswith(PUBLIC) for name in inputs)
        for facts, found in (
            (fact.tables, frozenset().union(*frame.lookups)), (fact.reads, frame.read),
            (fact.writes, {frame.writable[at] for at in frame.written}),
        ):  # fmt: skip
            facts[:] = sorted({*facts, *found})
        if not fact.instructions:
            fact.instructions, fact.lookups = frame.one or (len(frame.trace), len(frame.lookups))

    # Each of the following runs the function for all inputs, and yields what it leaves and what it should leave.

    def frame(self, g: Graph, *arguments: Buffer | Bits | int) -> Frame:
        """A machine at the entry of the function."""
        simulator = self.drive.simulator
        aligned = {"rk": simulator.alignment}
        given = [
            replace(a, alignment=aligned.get(a.name, self.alignment)) if isinstance(a, Buffer) else a
            for a in arguments
        ]  # fmt: skip
        return Frame(g, self.target.name, simulator, self.function, given)

    def _run(self, g: Graph, call: Call, *arguments: Buffer | int) -> Frame:
        """Runs the function on symbolic bits. The simulator has just called it and must have executed the same
        instructions."""
        frame = self.frame(g, *arguments)
        frame.run(self.function)
        self.compare(call, frame.trace, frame.faults())
        return frame

    @staticmethod
    def compare(call: Call, trace: list[int], faults: list[str]) -> None:
        """Raises Unproved where the simulator saw a violation or executed other instructions."""
        if call.violations:
            raise Unproved("; ".join([*faults, *(f"the simulator sees: {v}" for v in call.violations)]))
        if trace != call.pcs:
            raise Unproved("the simulator took another way through the code")

    def _expand(self, g: Graph):
        keys, form = self.keys(g)
        call = self.drive.expand(bytes(self.drive.variant.key), trace=True)[-1]
        frame = self._run(g, call, Buffer("rk", spec.join(keys.before).bits, True), Buffer("key", spec.join(keys.master).bits))
        yield frame, frame.content("rk"), form

    def _crypt(self, g: Graph):
        keys, form = self.keys(g)
        block = Word(g, g.input("block", 8 * self.drive.d.block))
        flash = self.slot == FLASH
        crypt = self.drive.crypt_from_flash if flash else self.drive.crypt
        call = crypt(self.rk, bytes(self.drive.d.block), trace=True)[-1]
        frame = self._run(g, call, Buffer("rk", form, flash=flash), Buffer("buf", block.bits, True))
        yield frame, frame.content("buf"), self.crypted(keys, block).bits

    _flash = _crypt


def breaches(card: Kernel, fact: Fact) -> list[str]:
    """What is wrong with a fact: faults, a claim that is false, and what contradicts the card."""
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
    """Every kernel of the targets that are microcontrollers, in assembly and in C, but for the baseline of others' code."""
    return [
        (target, card, kernel)
        for target in load_targets().values()
        for card in load_cards()
        for kernel in card.kernels
        if target.machine in ABI and card.runs_on(kernel, target.machine) and target.name in (targets or PROVED)
        and card.path.is_relative_to(ROOT / "src")
    ]  # fmt: skip


def simulator(target: Target, card: Card, kernel: str, extra=(), chip: str = "") -> Simulator:
    """A simulator with a program that holds the kernel, for the target's chip or another one; a context manager."""
    chip = chip or target.chip
    return open_simulator(target, chip, build.elf(target, chip, card, kernel, extra))


def claims(machine: Simulator, target: Target, card: Card, kernel: str) -> list[Claim]:
    """The claims of all slots of all descriptors; where the machine has another chip than the target, of those functions
    whose text is another one there. Raises BenchError where a descriptor is not as the card says: then a
    claim would be missing, or would claim too little."""
    found: dict[tuple, Claim] = {}
    for variant in VARIANTS[card.cipher]:
        for inverse in (False, True):
            drive = Drive(machine, kernel, variant, inverse)
            filled = {slot for slot in SLOTS if getattr(drive.d, slot)}
            wanted = {"expand", "crypt", *card.kernels[kernel].slots} - ({"ctr"} if inverse else set())
            if filled != wanted:
                raise BenchError(
                    f"{card.path}: kernels.{kernel}.slots: haechi_{drive.name} has {' '.join(sorted(filled))}, where the "
                    f"card says {' '.join(sorted(wanted))}"
                )
            if drive.d.needs or drive.d.flags & ~(INVERSE | ALIGN2 | ALIGN4):
                raise BenchError(f"{card.path}: haechi_{drive.name} has flags or needs that no microcontroller knows")
            for slot in filled:
                operation = SLOTS[slot][inverse]
                if not gap(target.name, machine.chip, variant.cipher, kernel, operation):
                    claim = Claim(target, card, kernel, operation, slot, drive)
                    found.setdefault(claim.statement, claim)
            if card.kernels[kernel].flash_keys and not inverse:
                if not drive.function(FLASH):
                    raise BenchError(f"{card.path}: kernels.{kernel}.flash_keys: haechi_{drive.name}_enc_flash is missing")
                claim = Claim(target, card, kernel, "enc_flash", FLASH, drive)
                found.setdefault(claim.statement, claim)
    changed = parts.changed(target, machine.chip, card) if machine.chip != target.chip else None
    about = [c for c in found.values() if changed is None or changed & c.symbols()]
    return sorted(about, key=lambda c: (c.drive.variant.key, c.drive.inverse, OPERATIONS.index(c.operation)))


@kept
def proved(target: Target, chip: str, card: Card, kernel: str, cipher: str, operation: str, program: Path) -> Fact:
    """The proof of one claim about a program for a chip. The cache gives it again as long as the program, the simulators,
    the engines and all code that took part are the same."""
    with open_simulator(target, chip, program) as machine:
        named = ((c.cipher, c.operation) == (cipher, operation) and c for c in claims(machine, target, card, kernel))
        return next(filter(None, named)).prove()
