# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of functions that process n blocks, for every n: by induction over n, without an invariant that somebody states.

A head is a place in the code that a loop comes back to. The state in which a call comes to a head depends on the call's
arguments. The proof shows that a turn of a loop, which processes k blocks, leads to a head in the state in which a call
for the n - k remaining blocks comes there, with all pointers k blocks further and the counter k higher. What that call is
known to do by induction is then what the rest of this call does. The proof thus consists of segments, each from the entry
or from a head to the next head or to the return, on all ways that the number of blocks and, in counter mode, the last byte
of the counter leave open. n decreases from head to head, so the function returns.

The two states need not agree in everything: what a turn leaves behind in a scratch register is not there when a call
begins. The proof finds these bits, and from then on begins at the head with unknown bits in their places.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce

from pysat.solvers import Solver

from proof.abi import Frame
from proof.bits import ONES, SOLVER, Bits, Graph, Unproved, and_clauses, constant, inverted, xor_clauses
from proof.engines import Certified, certified
from proof.machine import POISON, STACK, Fork

BLOCKS = "blocks"  # the input word that is the number of blocks
UNKNOWN, SECRET = "what turns leave", "what turns leave of key or data"  # how the names of unknown bits at a head begin
PUBLIC = ("register", "poison", "the address", BLOCKS, f"{UNKNOWN} in")  # and those of inputs that are no secrets
QUESTIONS = 500  # that one solver is asked
SMALL = 4000  # the nodes of two bits that the solver compares; larger ones count as different
Location = tuple[str, int]  # address space and address


@dataclass
class Head:
    """What of the state at a head does not depend on the arguments of the call alone."""

    unknown: dict[Location, int] = field(default_factory=dict)  # masks of bits that may be any
    secret: set[Location] = field(default_factory=set)  # unknown bytes that may depend on key or data
    zero: set[Location] = field(default_factory=set)  # unknown words that may be 0
    kept: dict[Location, str] = field(default_factory=dict)  # where a register of the caller is kept that is an argument


class Conditions:
    """Decides whether literals of a graph can be true together, and whether two are equal where others are true. If the
    graph's engine gives certificates, so does every answer that they cannot."""

    def __init__(self, g: Graph, known: Certified | None = None):
        """known: what is certified already."""
        self.g = g
        self._begin()
        self.certified = known or (Certified(g) if g.engine is certified else None)
        self.answers: dict[frozenset[int], bool] = {}
        self.equalities: dict[tuple[tuple[Bits, ...], Bits], bool] = {}
        self.small: dict[int, bool] = {}  # whether nodes depend on few
        self.samples: dict[Bits, dict[int, int]] = {}  # for each path the values of nodes for inputs that lead along it

    def _begin(self) -> None:
        """Begins with a new solver. One that has been asked many questions takes ten times as long for the next one."""
        self.solver, self.variables, self.asked = Solver(name="cadical153"), {0: 1}, 0
        self.solver.add_clause([-1])

    def _literal(self, x: int) -> int:
        for node in self.g.cone((x,), self.variables):
            self.variables[node] = variable = len(self.variables) + 1
            if below := self.g.fanin[node]:
                clauses = and_clauses if len(below) == 2 else xor_clauses
                operands = (self.variables[y >> 1] * (-1 if y & 1 else 1) for y in below if y)
                self.solver.append_formula(clauses(variable, *operands))
        return self.variables[x >> 1] * (-1 if x & 1 else 1)

    def possible(self, literals: Bits) -> bool:
        asked = frozenset(literals)
        if asked not in self.answers:
            self.answers[asked] = self._solve(literals)
        elif not self.answers[asked]:
            self.g.decided.add(SOLVER)
        return self.answers[asked]

    def _solve(self, literals: Bits) -> bool:
        if self.asked == QUESTIONS:
            self._begin()
        self.asked += 1
        possible = self.solver.solve(assumptions=[self._literal(x) for x in literals])
        if not possible:
            self.g.decided.add(SOLVER)
            if self.certified and self.certified.refute([(x,) for x in literals]) is not None:
                raise Unproved("a solver takes for impossible what is not")
        return possible

    def is_small(self, literal: int) -> bool:
        """Whether a literal depends on few nodes."""
        node = literal >> 1
        if node not in self.small:
            seen, todo = set(), [node]
            while todo and len(seen) <= SMALL:
                at = todo.pop()
                if self.small.get(at) is False:
                    todo = [at]
                    break
                if at not in seen:
                    seen.add(at)
                    todo += [x >> 1 for x in self.g.fanin[at] or ()]
            self.small[node] = not todo
        return self.small[node]

    def witness(self, literals: Bits) -> dict[int, int]:
        """The bits of inputs for which these literals are true together."""
        if not self._solve(literals):
            return {}
        true = {x for x in self.solver.get_model() if x > 0}
        return {node: int(self.variables.get(node) in true) for node in self.g.support(literals)}

    def equal(self, pairs: list[Bits], path: Bits = ()) -> bool:
        """Whether the literals of each pair are equal where those of the path are true."""
        asked = tuple(pairs), path
        if asked not in self.equalities:
            self.equalities[asked] = self._equal(pairs, path)
        elif self.equalities[asked]:
            self.g.decided.add(SOLVER)
        return self.equalities[asked]

    def _equal(self, pairs: list[Bits], path: Bits) -> bool:
        """The question has a solver of its own, for few questions about counters have operands in common."""
        if any(self._told_apart(*pair, path) for pair in pairs):
            return False
        differ = reduce(self.g.or_, (self.g.xor(a, b) for a, b in pairs), 0)
        return differ == 0 or not Conditions(self.g, self.certified).possible((*path, differ))

    def _told_apart(self, a: int, b: int, path: Bits) -> bool:
        """Whether one of many inputs that lead along the path shows that two literals differ. Those inputs on which the path
        depends have one value, and all others have random ones."""
        if path not in self.samples:
            fixed = self.witness(path)
            self.samples[path] = {0: 0, **{node: -bit & ONES for node, bit in fixed.items()}}
        value = self.samples[path]
        self.g.patterns(self.g.cone((a, b), value), value)
        return value[a >> 1] ^ value[b >> 1] != -((a ^ b) & 1) & ONES


@dataclass
class Segment:
    """A run from the entry or from a head to a head or to the return."""

    frame: Frame
    block: int  # the bytes of a block
    start: int | None = None  # the head where it began; None for the entry
    seen: dict[int, int] = field(default_factory=dict)  # how many blocks were done when an address was first come to between blocks
    out: set[int] = field(default_factory=set)  # the addresses of the output that were written

    def copy(self) -> "Segment":
        return Segment(self.frame.copy(), self.block, self.start, dict(self.seen), set(self.out))

    @property
    def done(self) -> int:
        """The number of blocks that it processed."""
        return len(self.out) // self.block


class Calls:
    """All calls with buffers in one relation to each other and, in counter mode, with a last byte of the counter from one
    range.

    enter(k): a machine at the entry of a call for the blocks from the k-th on, in the words of the call for all blocks.
    public: the inputs on which branches may depend.
    """

    def __init__(self, g: Graph, name: str, block: int, conditions: Conditions, public: set[str], enter: Callable[[int], Frame]):
        self.g, self.name, self.block, self.conditions = g, name, block, conditions
        self.public, self.enter = frozenset(public), enter
        self.heads: dict[int, Head] = {}
        self.secret = {0: False}  # whether a node depends on key or data
        self.large: dict[Bits, bool] = {}  # whether two nodes depend on too many nodes to be compared
        self.segments: dict[int | None, list[Segment]] = {}  # by where they begin

    def explore(self) -> None:
        """Finds the heads, the bits that are unknown there, and all segments."""
        if not self.segments:
            self.segments[None] = list(self._ways(self._entry(0), self._turned))
        todo = set(self.heads) | self._compared(self.segments[None])
        while todo:
            head = todo.pop()
            found = self.segments[head] = []
            for arrived in self._ways(self._entry(0), lambda s: s.done or s.frame.pc == head):
                if arrived.frame.pc == head and not arrived.out:
                    found += self._ways(self._begun(arrived.frame), self._turned)
            todo |= self._compared(found)

    def every(self) -> list[Segment]:
        return sum(self.segments.values(), [])

    def _entry(self, k: int, path: Bits = ()) -> Segment:
        frame = self.enter(k)
        frame.public, frame.possible, frame.path = self.public, self.conditions.possible, path
        return Segment(frame, self.block)

    def _begun(self, frame: Frame) -> Segment:
        """A segment that begins where a call has arrived at a head."""
        frame = frame.copy()
        frame.trace, frame.lookups = [], []
        head = self.heads[frame.pc]
        addresses = [w for w in {self._word(frame, *location) for location in head.unknown} - head.zero if self._nonzero(frame, w)]
        for (space, at), mask in head.unknown.items():
            byte = frame.memory.get((space, at), POISON)
            stacked = space == frame.data and frame.writable.get(at) == STACK
            if stacked:
                frame.written.add(at)
            if byte is not POISON or stacked:
                unknown = self.g.input(f"{SECRET if (space, at) in head.secret else UNKNOWN} in {frame.text(space, at)}", 8)
                known = unknown if byte is POISON else byte
                frame.memory[space, at] = tuple(y if mask >> i & 1 else x for i, (x, y) in enumerate(zip(known, unknown)))
        for space, at in addresses:
            self.g.places.note_nonzero(frame.get(space, at, frame.abi.width))
        for location, register in head.kept.items():
            if location in head.unknown:
                continue
            before = self.g.input(f"register {register} of the first call", 8)
            frame.memory[location], frame.kept = before, {**frame.kept, register: before}
        return Segment(frame, self.block, frame.pc)

    def _ways(self, segment: Segment, stop: Callable[[Segment], bool]) -> Iterator[Segment]:
        """Runs a segment until it returns or has to stop, on all ways."""
        todo = [(segment, False)]
        while todo:
            now, checked = todo.pop()
            frame = now.frame
            while frame.pc is not None and not (checked and stop(now)):
                if len(now.out) % self.block == 0:
                    now.seen.setdefault(frame.pc, now.done)
                try:
                    frame.advance()
                except Fork as fork:
                    other = now.copy()
                    frame.path += fork.args
                    other.frame.path += (fork.args[0] ^ 1,)
                    todo.append((other, False))
                    checked = False
                else:
                    now.out.update(at for at in frame.fresh if frame.writable[at] == "out")
                    checked = True
            yield now

    def _turned(self, segment: Segment) -> bool:
        """Whether a segment that has processed blocks has come to a head."""
        pc, done = segment.frame.pc, segment.done
        return done > 0 and (pc in self.heads or segment.seen.get(pc, done) < done)

    def _compared(self, segments: list[Segment]) -> set[int]:
        """Compares the state at the end of each segment with those in which calls for the remaining blocks come there.
        Returns the heads that are new or have more unknown bits."""
        changed = set()
        for segment in segments:
            frame, head = segment.frame, segment.frame.pc
            if head is None:
                continue
            if head not in self.heads:
                self.heads[head] = Head()
                changed.add(head)
            self._check_output(segment)
            for other in self._ways(self._entry(segment.done, frame.path), lambda s: s.done or s.frame.pc == head):
                if other.frame.pc != head or other.out:
                    raise frame.stop("a call for the remaining blocks does not come here")
                if self._adapt(self.heads[head], segment, other.frame):
                    changed.add(head)
        return changed

    def _adapt(self, head: Head, segment: Segment, other: Frame) -> bool:
        """Notes where a state differs from that in which a call comes to the head. Returns whether there is more of it
        than before."""
        frame, new = segment.frame, False
        for location in frame.memory.keys() | other.memory.keys():
            space, at = location
            a, b = frame.memory.get(location), other.memory.get(location)
            if a is b or a == b or space == "unique" or at in segment.out and space == frame.data:
                continue
            register = next((r for r in frame.given if (a, b) == (frame.kept[r], other.kept[r])), None)
            if register and space == frame.data and frame.writable.get(at) == STACK:
                new |= location not in head.kept
                head.kept[location] = register
                continue
            word = self._word(frame, *location)
            if word not in head.zero and not (self._nonzero(frame, word) and self._nonzero(other, word)):
                head.zero.add(word)
                new = True
            if location not in head.secret and (self._secret(a) or self._secret(b)):
                head.secret.add(location)
                new = True
            known = head.unknown.get(location, 0)
            if None in (a, b) or POISON in (a, b):
                mask = 255
            elif known == 255:
                continue
            else:
                mask = known | self._differing(a, b, other.path)
            if mask != known:
                head.unknown[location], new = mask, True
        return new

    @staticmethod
    def _word(frame: Frame, space: str, at: int) -> Location:
        """Where the word begins that a byte is part of, if the word holds an address."""
        return space, at - at % frame.abi.width

    def _nonzero(self, frame: Frame, word: Location) -> bool:
        space, at = word
        found = [frame.memory.get((space, at + i), POISON) for i in range(frame.abi.width)]
        return POISON not in found and self.g.places.is_nonzero(sum(found, ()))

    def _differing(self, a: Bits, b: Bits, path: Bits) -> int:
        """The mask of bits of a byte that may differ. Where one is too large to be compared, all may."""
        mask = 0
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            if x != y and self._large(x, y):
                return 255
            mask |= (not self._equal(x, y, path)) << i
        return mask

    def _secret(self, byte: Bits | object | None) -> bool:
        """Whether a byte may depend on key or data."""
        if byte is None or byte is POISON:
            return False
        g, secret = self.g, self.secret
        for node in g.cone(byte, secret):
            below = g.fanin[node] or g.looked_up.get(node, (0, ()))[1]
            secret[node] = any(secret[x >> 1] for x in below) if below else not g.names[node][0].startswith(PUBLIC)
        return any(secret[x >> 1] for x in byte)

    def _equal(self, x: int, y: int, path: Bits) -> bool:
        if x == y or x ^ y == 1:
            return x == y
        return not self._large(x, y) and self.conditions.equal([(x, y)], path)

    def _large(self, x: int, y: int) -> bool:
        pair = x >> 1, y >> 1
        if pair not in self.large:
            self.large[pair] = self._counted(pair) > SMALL
        return self.large[pair]

    def _counted(self, pair: Bits) -> int:
        """How many nodes two nodes depend on, or one more than SMALL if that is less."""
        fanin, nodes, todo = self.g.fanin, set(), list(pair)
        while todo and len(nodes) <= SMALL:
            node = todo.pop()
            if node not in nodes:
                nodes.add(node)
                if fanin[node]:
                    a, b = fanin[node]
                    todo += (a >> 1, b >> 1)
        return len(nodes)

    # ---- What must hold at the ends.

    def _check_output(self, segment: Segment) -> None:
        frame, first = segment.frame, segment.frame.regions["out"][1]
        if segment.out != set(range(first, first + segment.done * self.block)):
            raise Unproved(f"{self.name}: goes on or returns with part of a block written")

    def check(self, segment: Segment) -> None:
        """Checks that a segment reaches no block behind the last one, and that a return comes after the last one."""
        self._check_output(segment)
        frame = segment.frame
        reached = max((at + self.block - frame.regions[name][1]) // self.block for name, at in frame.reached.items())
        if self.conditions.possible((*frame.path, self.fewer(reached))):
            raise Unproved(f"{self.name}: reaches block {reached} where there are fewer")
        if frame.pc is None and self.conditions.possible((*frame.path, self.fewer(segment.done + 1) ^ 1)):
            raise Unproved(f"{self.name}: returns when blocks are left")

    def fewer(self, than: int) -> int:
        """The literal that says that there are fewer blocks."""
        count = self.g.words[BLOCKS]
        return self.g.carry(inverted(count), constant(than, len(count)))

    def unequal(self, segment: Segment, got: Bits, wanted: Bits) -> tuple[Bits, Bits]:
        """Bits that are equal for all inputs if and only if these are equal whenever the segment runs."""
        path, pairs = segment.frame.path, []
        for x, y in zip(got, wanted, strict=True):
            if not self._equal(x, y, path):
                pairs.append((x, y))
        here = 1
        for x in path:
            here = self.g.and_(here, x)
        return tuple(self.g.and_(here, x) for x, _ in pairs), tuple(self.g.and_(here, y) for _, y in pairs)

    def holds(self, segment: Segment, values: dict[int, int]) -> bool:
        """Whether a call takes this segment where the bits of the public inputs have these values."""
        path = segment.frame.path
        found = self.g.simulate(self.g.cone(path), values, 1, {0: 0})
        return all(found[x >> 1] ^ x & 1 for x in path)

    def taken(self, start: int | None, values: dict[int, int]) -> Segment:
        """The segment that a call takes from a head, or from the entry, for these values of the public inputs' bits."""
        for segment in self.segments[start]:
            if self.holds(segment, values):
                return segment
        raise Unproved(f"{self.name}: no segment goes on from {start}")
