# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A checker of certificates, which shares no code with the engines and trusts no solver.

A certificate that clauses contradict each other is a list of lemmas, as SAT solvers write them (DRUP): each is a clause that
follows from those before it by unit propagation, and the last is the empty clause. A line that begins with `d` says that
a clause is needed no more. From certificates the checker accepts that literals of an and-inverter graph (bits.py) are
equal for all inputs, or cannot be true together.
"""

Clause = tuple[int, ...]  # variables from 1 on; a negative number is the complement


class Clauses:
    """Clauses, and what follows from them by unit propagation. Each clause is watched by two literals, which are false only
    where another one is true."""

    def __init__(self):
        self.watched: dict[int, list[list[int]]] = {}  # the clauses that a literal watches, its place being 0 or 1
        self.places: dict[frozenset[int], list[list[int]]] = {}  # the clauses by their literals
        self.true: set[int] = set()  # the literals that follow
        self.contradiction = False

    def add(self, clause: Clause) -> None:
        """Adds a clause and whatever follows from it."""
        literals = list(dict.fromkeys(clause))
        literals.sort(key=lambda x: -x in self.true)  # those that are not false come first and watch
        if len(literals) > 1:
            self.places.setdefault(frozenset(literals), []).append(literals)
            for x in literals[:2]:
                self.watched.setdefault(x, []).append(literals)
        if all(-x in self.true for x in literals):
            self.contradiction = True
        elif len(literals) == 1 or -literals[1] in self.true:
            self.contradiction |= not self._propagate([literals[0]])[0]

    def delete(self, clause: Clause) -> None:
        """Forgets a clause. What followed from it still does."""
        if found := self.places.get(frozenset(clause)):
            literals = found.pop()
            for x in literals[:2]:
                self.watched[x] = [other for other in self.watched[x] if other is not literals]

    def imply(self, clause: Clause) -> bool:
        """Whether unit propagation refutes the clause's complement."""
        if self.contradiction or any(x in self.true for x in clause):
            return True
        possible, assumed = self._propagate([-x for x in clause])
        self.true.difference_update(assumed)
        return not possible

    def _propagate(self, todo: list[int]) -> tuple[bool, list[int]]:
        """Makes literals true, and all that follow. Returns whether none became false as well, and the new ones."""
        true, watched, new = self.true, self.watched, []
        while todo:
            literal = todo.pop()
            if literal in true:
                continue
            if -literal in true:
                return False, new
            true.add(literal)
            new.append(literal)
            still = []
            clauses = watched.get(-literal, [])
            for clause in clauses:
                if clause[0] == -literal:
                    clause[0], clause[1] = clause[1], -literal
                if clause[0] not in true:
                    for i in range(2, len(clause)):
                        if -clause[i] not in true:
                            clause[1], clause[i] = clause[i], -literal
                            watched.setdefault(clause[1], []).append(clause)
                            break
                    else:
                        still.append(clause)
                        todo.append(clause[0])
                else:
                    still.append(clause)
            watched[-literal] = still
        return True, new


def refuted(clauses: list[Clause], certificate: list[str]) -> bool:
    """Whether a certificate shows that no values make all these clauses true."""
    known = Clauses()
    for clause in clauses:
        known.add(clause)
    for line in certificate:
        *words, end = line.split()
        if end != "0":
            return False
        if words[:1] == ["d"]:
            known.delete(tuple(map(int, words[1:])))
            continue
        lemma = tuple(map(int, words))
        if not known.imply(lemma):
            return False
        if not lemma:
            return True
        known.add(lemma)
    return False


class Equalities:
    """What is certified about the literals of a graph, given by the operands of its nodes. Each node stands for itself or
    for a literal that is equal for all inputs."""

    def __init__(self, fanin: list[tuple[int, int] | None]):
        self.fanin, self.stands_for = fanin, {0: 0}
        self.gates: dict[int, tuple[int, int]] = {}  # the operands of nodes that stand for themselves
        self._nodes: dict[tuple[int, int], int] = {}

    def find(self, literal: int) -> int:
        return self.stands_for[literal >> 1] ^ (literal & 1)

    def visit(self, node: int) -> int:
        """The literal that a node stands for, once its operands are known: without a certificate where one of these is
        constant, where they are the same or complements, or where an earlier node has the same operands."""
        found = 2 * node
        if self.fanin[node]:
            a, b = sorted(map(self.find, self.fanin[node]))
            if a == 0 or a ^ b == 1:
                found = 0
            elif a == 1 or a == b:
                found = b
            else:
                found = self._nodes.setdefault((a, b), found)
                if found == 2 * node:
                    self.gates[node] = a, b
        self.stands_for[node] = found
        return found

    def clauses(self, nodes: list[int], asked: list[Clause]) -> tuple[list[Clause], dict[int, int]]:
        """What these gates compute, and these clauses of literals; and the variable of each node."""
        variables = {0: 1}
        signed = lambda x: variables.setdefault(x >> 1, len(variables) + 1) * (-1 if x & 1 else 1)  # noqa: E731
        made = [(-1,)]  # node 0 is false
        for node in nodes:
            gate, a, b = map(signed, (2 * node, *self.gates[node]))
            made += [(-gate, a), (-gate, b), (gate, -a, -b)]
        return made + [tuple(map(signed, clause)) for clause in asked], variables

    def impossible(self, asked: list[Clause], nodes: list[int], certificate: list[str]) -> bool:
        """Whether the certificate shows that these gates let no values make all these clauses of literals true."""
        return refuted(self.clauses(nodes, asked)[0], certificate)

    def merge(self, node: int, literal: int, nodes: list[int], certificate: list[str]) -> bool:
        """Lets a node stand for a literal that stands for itself, if the certificate shows that these gates do not let them
        differ."""
        other = self.find(literal)
        itself = other >> 1 != node and self.find(other) == other
        accepted = itself and self.impossible(different(2 * node, other), nodes, certificate)
        if accepted:
            self.stands_for[node] = self._nodes[self.gates[node]] = other
        return accepted


def different(a: int, b: int) -> list[Clause]:
    """Clauses of literals that say that two literals are different."""
    return [(a, b), (a ^ 1, b ^ 1)]
