# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Engines that decide whether pairs of bits are equal for all inputs: the SAT sweeping of yosys-abc, a sweep of our own over
python-sat, and one whose every step is certified. They return None, or input words for which a pair differs."""

import math
import re
import subprocess
import tempfile
from heapq import heapify, heappop, heappush
from pathlib import Path

from pysat.solvers import Solver

from proof.bits import ONES, Bits, Graph, Model, Unproved, and_clauses
from proof.certificates import Clause, Equalities, different

FEW = 2000  # the nodes above common ones about which a solver is asked
WINDOWS = (30, 300, 3000, math.inf)  # the nodes about which a solver with certificates is asked, one after another


def abc(g: Graph, pairs: list[Bits]) -> Model | None:
    """SAT sweeping by yosys-abc, for pairs that are not equal by what is above their common nodes. Only its words "Networks
    are equivalent" count as a proof."""
    if equal_above(g, pairs):
        return None
    outputs = [g.xor_of_ands(a, b) for a, b in pairs]
    inputs = g.support(tuple(outputs))
    with tempfile.TemporaryDirectory() as folder:
        path, found = Path(folder) / "miter.aig", Path(folder) / "found"
        path.write_bytes(aiger(g, inputs, outputs))
        commands = f"read {path}; &get; &cec -m; write_cex -n {found}"
        said = subprocess.run(["yosys-abc", "-q", commands], capture_output=True, text=True).stdout
        if "Networks are equivalent" in said:
            return None
        bits = {int(i): int(b) for i, b in re.findall(r"pi(\d+)@0=(\d)", found.read_text())} if found.exists() else {}
    if not bits:
        raise Unproved(f"yosys-abc says: {said.strip()[-300:]}")
    return g.model({node: bits[i] for i, node in enumerate(inputs)})


def equal_above(g: Graph, pairs: list[Bits]) -> bool:
    """Whether pairs are equal whatever values the nodes have on which both sides depend. Most sums in another order are,
    and few nodes lie above the common ones."""
    sides: dict[int, int] = {0: 3}  # 1 for a node on the left, 2 for one on the right, 3 for one on both
    for pair in pairs:
        for side, x in enumerate(pair, 1):
            sides[x >> 1] = sides.get(x >> 1, 0) | side
    todo, above = [-node for node in sides], []
    heapify(todo)
    while todo:  # the operands of a node have lower numbers
        node = -heappop(todo)
        if sides[node] == 3 or not g.fanin[node]:
            continue
        above.append(node)
        if len(above) > FEW:
            return False
        for x in g.fanin[node]:
            if x >> 1 not in sides:
                heappush(todo, -(x >> 1))
            sides[x >> 1] = sides.get(x >> 1, 0) | sides[node]
    variable = {0: 1}
    sat = lambda x: variable.setdefault(x >> 1, len(variable) + 1) * (-1 if x & 1 else 1)  # noqa: E731
    with Solver(name="cadical153", bootstrap_with=[[-1]]) as solver:
        for node in above:
            solver.append_formula(and_clauses(*map(sat, (2 * node, *g.fanin[node]))))
        return not any(distinct(solver, sat(x), sat(y)) for x, y in pairs)


def distinct(solver: Solver, x: int, y: int) -> bool:
    """Whether two of a solver's literals can differ."""
    return solver.solve(assumptions=[x, -y]) or solver.solve(assumptions=[-x, y])


def aiger(g: Graph, inputs: list[int], outputs: list[int]) -> bytes:
    """The outputs as a file in the binary AIGER format."""
    gates = [node for node in g.cone(tuple(outputs)) if g.fanin[node]]
    place = {node: i for i, node in enumerate([0, *inputs, *gates])}
    literal = lambda x: 2 * place[x >> 1] | x & 1  # noqa: E731
    head = f"aig {len(inputs) + len(gates)} {len(inputs)} 0 {len(outputs)} {len(gates)}\n"
    body = bytearray("".join(f"{literal(x)}\n" for x in outputs).encode())
    for node in gates:
        low, high = sorted(map(literal, g.fanin[node]))
        for delta in (2 * place[node] - high, high - low):
            while delta > 127:
                body.append(delta & 127 | 128)
                delta >>= 7
            body.append(delta)
    return head.encode() + bytes(body)


def sweep(g: Graph, pairs: list[Bits]) -> Model | None:
    """Goes through the nodes from the inputs on. If random patterns do not tell a node from an earlier one, and a solver
    proves the two equal, then they become one."""
    cone = g.cone(tuple(x for pair in pairs for x in pair))
    value = g.patterns(cone, {0: 0})
    merged, known, alike = {0: 0}, {}, {0: 0}
    look = lambda literal: merged[literal >> 1] ^ (literal & 1)  # noqa: E731
    false = len(g.fanin)
    with Solver(name="cadical153", bootstrap_with=[[-false]]) as solver:
        sat = lambda x: (x >> 1 or false) * (-1 if x & 1 else 1)  # noqa: E731

        for node in cone:
            if g.fanin[node] is None:
                merged[node] = 2 * node
                continue
            a, b = sorted(map(look, g.fanin[node]))
            if a == 0 or a ^ b == 1 or a == 1 or a == b:
                merged[node] = 0 if a == 0 or a ^ b == 1 else b
                continue
            if (a, b) in known:
                merged[node] = known[a, b]
                continue
            solver.append_formula(and_clauses(node, sat(a), sat(b)))
            merged[node] = 2 * node
            flip = value[node] & 1
            other = alike.setdefault(value[node] ^ (-flip & ONES), 2 * node ^ flip) ^ flip
            if other != 2 * node and not distinct(solver, node, sat(other)):
                merged[node] = other
                solver.add_clause([sat(2 * node), -sat(other)])
                solver.add_clause([-sat(2 * node), sat(other)])
            known[a, b] = merged[node]
        for a, b in pairs:
            if look(a) != look(b) and distinct(solver, sat(look(a)), sat(look(b))):
                true = {x for x in solver.get_model() if x > 0}
                return g.model({node: int(node in true) for node in g.support((a, b))})
    return None


# ---- With certificates, which certificates.py checks. Of the graph and the solver it takes nothing on trust.


def certified(g: Graph, pairs: list[Bits]) -> Model | None:
    """A sweep that takes two bits for equal only with a certificate."""
    found = Certified(g)
    for a, b in pairs:
        if (model := found.refute(different(a, b))) is not None:
            return g.model({node: int(node in model) for node in g.support((a, b))})
    return None


class Certified:
    """Nodes of a graph of which certificates show that they are equal. As each question is about nodes above equal ones, few
    nodes answer most of them, and their certificates are short."""

    def __init__(self, g: Graph):
        self.g, self.equalities = g, Equalities(g.fanin)
        self.value, self.alike = {0: 0}, {0: 0}

    def refute(self, asked: list[Clause]) -> set[int] | None:
        """None if a certificate shows that these clauses of literals are never true together; otherwise nodes that are true
        where they are."""
        self._sweep(self.g.cone(tuple(x for clause in asked for x in clause), self.value))
        asked = [tuple(map(self.equalities.find, clause)) for clause in asked]
        nodes, certificate, model = _answered(self.equalities, asked)
        if certificate and not self.equalities.impossible(asked, nodes, certificate):
            raise Unproved("a certificate is wrong")
        return None if certificate else model

    def _sweep(self, nodes: list[int]) -> None:
        g, equalities, value = self.g, self.equalities, self.value
        g.patterns(nodes, value)
        for node in nodes:
            if equalities.visit(node) == 2 * node and g.fanin[node]:
                flip = value[node] & 1
                other = self.alike.setdefault(value[node] ^ (-flip & ONES), 2 * node ^ flip) ^ flip
                if other != 2 * node:
                    below, certificate, _ = _answered(equalities, different(2 * node, other))
                    if certificate and not equalities.merge(node, other, below, certificate):
                        raise Unproved("a certificate is wrong")


def _answered(equalities: Equalities, asked: list[Clause]) -> tuple[list[int], list[str], set[int]]:
    """Whether some clauses of literals can be true together, by the nodes next to them or, if these leave it open, by more:
    the nodes, and either a certificate that they cannot or the nodes that are true where they are."""
    for size in WINDOWS:
        nodes = _below([x >> 1 for clause in asked for x in clause], equalities.gates, size)
        clauses, variables = equalities.clauses(nodes, asked)
        with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
            if not solver.solve():
                return nodes, [*solver.get_proof(), "0"], set()
            if len(nodes) < size:
                true = {x for x in solver.get_model() if x > 0}
                return nodes, [], {node for node, variable in variables.items() if variable in true}
    raise AssertionError


def _below(tops: list[int], gates: dict[int, Bits], most: float) -> list[int]:
    """So many of the gates on which nodes depend, the deepest being left out."""
    todo, seen, nodes = [-node for node in tops], set(tops), []
    heapify(todo)
    while todo and len(nodes) < most:
        if (node := -heappop(todo)) in gates:
            nodes.append(node)
            for x in gates[node]:
                if x >> 1 not in seen:
                    seen.add(x >> 1)
                    heappush(todo, -(x >> 1))
    return nodes
