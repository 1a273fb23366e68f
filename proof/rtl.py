# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves the cores in Verilog against the same specification.

yosys makes an and-inverter graph of one clock cycle. The proof runs this graph cycle by cycle on symbolic bits, from any
state of the registers through the reset to the result. On the way the bits of the control become known."""

import re
import subprocess
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import spec
from spec import aria
from bench.declared.cores import CORES, Core
from bench.made import synth
from bench.made.cache import digest, kept, note
from bench.measured.fpga import files as verilog
from proof.bits import Bits, Engine, Graph, Model, Unproved, Word
from proof.engines import abc

FLUSH = 5  # clock cycles of reset before the key


BOXES = {"ARIA": "aria_sbox"}  # modules that a proof looks up in the specification's tables, and proves by themselves


def _looked_up(g: Graph, two_i: Bits, inverse_i: Bits, x_i: Bits) -> Bits:
    """What aria_sbox gives; while it is unknown which S-box is meant, it may give anything."""
    if max(two_i + inverse_i) > 1:
        return g.input("poison", 8)
    return Word(g, x_i).looked_up(aria.SB[two_i[0] + 2 * inverse_i[0]]).bits


class Circuit:
    """One clock cycle of a core, in the version that has enables in place of gated clocks. Each instance of the module
    `box` is cut out."""

    def __init__(self, top: str, parameters: dict[str, int], sources: tuple[Path, ...], box: str = ""):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "core.aag"
            values = "".join(f"-set {name} {value} " for name, value in parameters.items())
            includes = " ".join(f"-I{folder}" for folder in {file.parent for file in sources})
            flatten = f"setattr -mod -set keep_hierarchy 1 {box}; flatten; expose -evert t:{box}" if box else "flatten"
            script = (
                f"read_verilog -DHAECHI_FPGA {includes} {' '.join(map(str, sources))}; chparam {values} {top}; "
                f"hierarchy -top {top}; proc; {flatten}; opt_clean; dffunmap; techmap; opt -nodffe -nosdff; aigmap; "
                f"opt_clean; write_aiger -ascii -symbols {path}"
            )
            subprocess.run(["yosys", "-q", "-p", script], check=True, capture_output=True, text=True)
            head, *lines = path.read_text().split("\n")
        self.top, ins, latches, outs, ands = map(int, head.split()[1:])
        numbers = [tuple(map(int, line.split())) for line in lines[: ins + latches + outs + ands]]
        self.latches = numbers[ins : ins + latches]  # literal, next one
        self.gates = _gates(numbers[ins + latches + outs :])
        self.ins, self.outs = {}, {}  # literals by name and bit
        self.names: list[dict[str, int]] = [{}] * latches  # of each register: its names in all modules, and its bit in them
        for line in lines[len(numbers) :]:
            kind, _, name = line.partition(" ")
            if kind[:1] == "l":
                self.names[int(kind[1:])] = {said: int(bit or 0) for said, bit in re.findall(r"(\S+?)(?:\[(\d+)\])?(?= |$)", name)}
            if kind[:1] in ("i", "o"):
                port, bit = re.fullmatch(r"(.+?)(?:\[(\d+)\])?", name).groups()
                at = int(kind[1:])
                ports, row = (self.ins, at) if kind[0] == "i" else (self.outs, ins + latches + at)
                ports[port, int(bit or 0)] = numbers[row][0]
        self.boxes = self._boxes()
        behind = {literal >> 1 for _, outs in self.boxes for literal in outs}
        for _, literal, operands in self.gates:
            if any(operand >> 1 in behind for operand in operands):
                behind.add(literal >> 1)
        if any(literal >> 1 in behind for ins, _ in self.boxes for word in ins.values() for literal in word):
            raise Unproved(f"a {box} feeds another one in the same clock")
        self.before = [gate for gate in self.gates if gate[1] >> 1 not in behind]
        self.behind = [gate for gate in self.gates if gate[1] >> 1 in behind]

    def _boxes(self) -> list[tuple[dict[str, Bits], Bits]]:
        """What goes into each module that is cut out, by port, and what comes from it, as literals. Both leave the ports
        of the core."""
        found: dict[str, dict[str, dict[int, int]]] = {}
        for ports in (self.ins, self.outs):
            for name, bit in [key for key in ports if "." in key[0]]:
                box, _, port = name.rpartition(".")
                found.setdefault(box, {}).setdefault(port, {})[bit] = ports.pop((name, bit))
        words = [{port: tuple(bits[n] for n in sorted(bits)) for port, bits in box.items()} for box in found.values()]
        return [(box, box.pop("y_o")) for box in words]

    def clock(
        self, g: Graph, state: Bits, same: dict[int, int] | None = None, **words: Bits
    ) -> tuple[Bits, dict[str, Bits]]:
        """The next state of the registers, and the outputs in this cycle. Inputs that are not given may be anything.
        A node of `same` becomes the literal there, which was proved equal."""
        same = same or {}
        value = [0] * (self.top + 1)
        for (port, bit), literal in self.ins.items():
            value[literal >> 1] = words[port][bit] if port in words else g.input("poison", 1)[0]
        for (literal, *_), x in zip(self.latches, state, strict=True):
            value[literal >> 1] = x
        look = lambda literal: value[literal >> 1] ^ (literal & 1)  # noqa: E731
        for kind, literal, operands in self.before:
            x = getattr(g, kind)(*map(look, operands))
            value[literal >> 1] = same.get(x >> 1, x & ~1) ^ (x & 1)
        for ins, outs in self.boxes:
            given = _looked_up(g, **{port: tuple(map(look, word)) for port, word in ins.items()})
            for literal, x in zip(outs, given, strict=True):
                value[literal >> 1] = x
        for kind, literal, operands in self.behind:
            value[literal >> 1] = getattr(g, kind)(*map(look, operands))
        outs = {}
        for (port, bit), literal in sorted(self.outs.items()):
            outs[port] = (*outs.get(port, ()), look(literal))
        return tuple(look(latch[1]) for latch in self.latches), outs


def _gates(ands: list[tuple[int, ...]]) -> list[tuple[str, int, tuple[int, ...]]]:
    """The AND gates, but with exclusive ors and majorities where several of them are one: the graph has one form for
    each of these, which the specification's additions have too."""
    pair = {literal: (a, b) for literal, a, b in ands}
    sums: dict[int, tuple[int, int]] = {}  # a literal that is the exclusive or of two
    made = []
    for literal, x, y in ands:
        made.append(("and_", literal, (x, y)))
        if not (x & 1 and y & 1 and x ^ 1 in pair and y ^ 1 in pair):
            continue
        one, two = pair[x ^ 1], pair[y ^ 1]
        if {*two} == {one[0] ^ 1, one[1] ^ 1}:
            sums[literal] = one
            made[-1] = "xor", literal, one
            continue
        for (a, b), (c, d) in ((one, two), (two, one)):
            for c, x in ((c, d), (d, c)):  # is x the exclusive or of a and b, so that a & b | c & x is a majority?
                of = sums.get(x & ~1)
                if of and {of[0] & ~1, of[1] & ~1} == {a & ~1, b & ~1} and (of[0] ^ of[1] ^ a ^ b ^ x) & 1 == 0:
                    made[-1] = "majority", literal, (a ^ 1, b ^ 1, c ^ 1)
    return made


def placed(word: Bits, place: Callable[[int], int]) -> Bits:
    """The word with its bits in the places to which `place` moves the bits of a number."""
    return tuple(word[source] for _, source in sorted((place(1 << i).bit_length() - 1, i) for i in range(len(word))))


class Run:
    """A core after a reset, during which it took a symbolic key."""

    def __init__(self, core: Core, circuit: Circuit, g: Graph, dec: bool):
        self.core, self.circuit, self.g, self.dec = core, circuit, g, dec
        self.forwards: list[Bits] = []  # the registers at each clock in which the key ran forwards
        self.backwards = 0  # clocks that it then ran backwards, or 0 while it runs forwards
        self.state = g.input("any state", len(circuit.latches))
        self.take("key")
        self.taken = self.given = 0  # how many digits of blocks went in and came out
        for _ in range(FLUSH):
            self.clock(rst_ni=(0,))
        while self.keys and not core.late and not core.keyed:
            self.clock(rst_ni=(0,), key_i=self.keys.pop(0))

    def take(self, name: str) -> None:
        """A new key, whose digits are then to come."""
        core, bits = self.core, self.core.key_bits
        self.key = self.g.input(name, bits)
        stream = placed(self.key, lambda k: core.key_stream(k.to_bytes(bits // 8, "little"), self.dec))
        self.keys = [stream[i : i + core.key_width] for i in range(0, bits, core.key_width)]

    def clock(self, **words: Bits) -> dict[str, Bits]:
        if self.core.both:
            words["dec_i"] = (int(self.dec),)
        state, outs = self.circuit.clock(self.g, self.state, stall_i=(0,), **words)
        if self.core.undo and self.backwards:  # what enters a register may equal a bit of the key on its way forwards, and goes elsewhere too
            self.backwards += 1
            self.retrace()
            same = {x >> 1: y ^ (x & 1) for x, y in zip(state, self.g.settled(state), strict=True) if x != y}
            state, outs = self.circuit.clock(self.g, self.state, same, stall_i=(0,), **words)
        elif self.core.undo:
            self.forwards.append(state)
        self.state = state
        return outs

    def retrace(self) -> None:
        """At the beginning of a pass: the key becomes what it was when it ran forwards."""
        clocks = self.core.block_bits // self.core.data_width  # of a pass
        done, at = divmod(self.backwards - 2, clocks)
        if at == 0:
            there = len(self.forwards) - (done + 3) * clocks
            held = self.forwards[there : there + clocks]
            self.g.settle(self.forwards[-1], {x >> 1 for state in held for x in state})

    def block(self, block: Bits, then: bool) -> Bits:
        """Runs as many cycles as a block takes, and returns the result. After the block anything may enter, in the
        direction `then`."""
        core, d, dec, came, bits = self.core, self.core.data_width, self.dec, (), self.core.block_bits
        first = self.taken
        stream = placed(block, lambda b: core.block_in(b.to_bytes(bits // 8, "little"), dec))
        digits = [stream[i : i + d] for i in range(0, bits, d)]
        left = (core.undo + bits // d) * dec if core.undo else 0  # clocks until the key runs backwards
        for _ in range(2 * (core.cycles + core.undo)):
            self.dec = dec if digits else then
            words = {"data_i": digits[0]} if digits else {}
            if core.late:
                words["key_i"] = (*self.keys.pop(0), 1) if self.keys else (*self.g.input("poison", 1), 0)
            elif core.keyed and self.keys:
                words["key_i"] = self.keys[0]
            outs = self.clock(rst_ni=(1,), **words)
            if max(outs["ready_o"] + outs["valid_o"]) > 1:
                raise Unproved("key, text or the first state tell when a digit enters or leaves")
            if not digits and left:
                left -= 1
                self.backwards = int(not left)
            if outs["ready_o"] == (1,):
                self.taken += 1
                del digits[:1]
                if core.keyed:
                    del self.keys[:1]
            if outs["valid_o"] == (1,):
                came += outs["data_o"] if self.given >= first else ()
                self.given += 1
            if len(came) == bits:
                if self.core.undo:
                    self.forwards, self.backwards = [], 0
                    self.g.settle(())
                return placed(came, lambda b: int.from_bytes(core.block_out(b, dec), "little"))
        raise Unproved("no result")

    def control(self) -> dict[int, int]:
        """The registers whose content is known, or depends on nothing but a key that stays in the core."""
        g, stays = self.g, {0} if self.core.keyed else {0, *(x >> 1 for x in self.key)}
        for node in g.cone(self.state):
            operands = g.fanin[node] or g.looked_up.get(node, (0, ()))[1]
            if operands and all(x >> 1 in stays for x in operands):
                stays.add(node)
        return {i: x for i, x in enumerate(self.state) if x >> 1 in stays}

    def forget(self) -> dict[int, int]:
        """Lets all other registers hold anything from now on, and returns the known ones."""
        known = self.control()
        self.recall(known)
        return known

    def recall(self, known: dict[int, int]) -> None:
        """Goes on from these registers; all others may hold anything."""
        self.state = tuple(known.get(i, x) for i, x in enumerate(self.g.input("any text", len(self.state))))


def ways(core: Core) -> tuple[bool, ...]:
    """The directions of a core: False to encrypt, True to decrypt."""
    return (False, True)[: 1 + core.both]


def code(core: Core) -> str:
    """A digest of the core's Verilog and parameters."""
    return digest(core.top, *(f"{name} {value}" for name, value in core.parameters.items()), *verilog(core))


@kept
def proved(name: str, dec: bool) -> str:
    """The digest of a core in this direction, once it is proved."""
    core = CORES[name]
    note(*verilog(core))
    if found := theorem(core, dec):
        raise Unproved(f"{name} differs from the specification: {found}")
    return code(core)


def _box_differs(g: Graph, box: str, files: tuple[Path, ...]) -> Model | None:
    """None if the module that is cut out is the specification's S-boxes; otherwise an input for which it differs."""
    circuit, x = Circuit(box, {}, files), g.input("byte", 8)
    for two, inverse in ((0, 0), (1, 0), (0, 1), (1, 1)):
        ins = {"two_i": (two,), "inverse_i": (inverse,), "x_i": x}
        if found := g.differ(circuit.clock(g, (), **ins)[1]["y_o"], _looked_up(g, **ins)):
            return found
    return None


def theorem(core: Core, dec: bool, sources: tuple[Path, ...] = (), engine: Engine = abc) -> Model | None:
    """Proves the following statements of a core; returns None, or a counterexample to one of them.

    - Where the core has S-boxes, their module gives what the specification's tables hold.
    - A stalled clock cycle changes no register.
    - The first block after a reset is encrypted right, or decrypted, whatever the registers held before.
    - So is the next block, whatever the first one left in the registers that hold neither control nor key. Where the
      key enters with every block, this block has another key.
    - That block leaves control and key as it found them. Therefore all blocks that follow without a pause are right.
      Where each block has a direction, this is proved for each direction of that block and of the blocks before and
      behind it."""
    files, g, box = sources or tuple(synth.sources(core.family)), Graph(engine), BOXES.get(core.family, "")
    if box and (found := _box_differs(g, box, files)):
        return found
    circuit = Circuit(core.top, core.parameters, files, box)
    state = g.input("stalled state", len(circuit.latches))
    if found := g.differ(state, circuit.clock(g, state, stall_i=(1,))[0]):
        return found
    run = Run(core, circuit, g, dec)

    def wrong(name: str, dec: bool, then: bool) -> Model | None:
        block = g.input(name, core.block_bits)
        rounds = spec.round_keys(core.family, Word(g, run.key), dec)
        want = spec.crypt(core.family, rounds, Word(g, block), dec)
        run.dec = dec
        return g.differ(run.block(block, then), want.bits)

    if found := wrong("first block", dec, dec):
        return found
    control = {dec: run.forget()}  # by the direction of the block that then enters
    ways = [(dec, dec, dec)]  # of the block before, of a block, and of the one behind it
    if core.by_block:
        run.take("key before another direction")
        if found := wrong("block before another direction", dec, not dec):
            return found
        control[not dec] = run.control()
        ways = [*product((dec, not dec), repeat=3)]
    for before, way, then in ways:
        run.recall(control[before])
        if core.keyed:
            run.take("next key")
        if found := wrong("next block", way, then):
            return found
        if not control[then].items() <= run.control().items():
            raise Unproved("a block leaves another control or key behind than it found")
    return None
