# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The checker of certificates accepts what is right and nothing else, and claims are proved with certificates."""

from itertools import product
from random import Random

import pytest
from marks import LATER
from provable import KERNELS, Plain, claim_of
from pysat.solvers import Solver

from bench.measured.measurement import read_rows
from bench.reported.compare import Proof
from proof import engines
from proof.__main__ import RESULTS
from proof.bits import ENGINE, FORMS, SOLVER, Graph, Unproved, Word
from proof.certificates import Equalities, different, refuted
from proof.claims import PROVED, breaches, claims, kernels, simulator, theorem
from proof.engines import Certified, abc, certified
from proof.loops import Conditions

FOUR = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
HOLES = [tuple(3 * i + j for j in (1, 2, 3)) for i in range(4)]  # four pigeons in three holes
HOLES += [(-3 * i - j, -3 * k - j) for j in (1, 2, 3) for i in range(4) for k in range(i)]


def certificate(clauses: list, solver: str = "glucose4") -> list[str] | None:
    """A solver's certificate; None if the clauses can be true together."""
    with Solver(name=solver, bootstrap_with=clauses, with_proof=True) as s:
        return None if s.solve() else [*s.get_proof(), "0"]


@pytest.mark.parametrize("solver", ["glucose4", "cadical153", "lingeling"])
@pytest.mark.parametrize("clauses", [FOUR, HOLES], ids=["four", "holes"])
def test_certificates_of_solvers_are_accepted(clauses, solver):
    assert refuted(clauses, certificate(clauses, solver))


@pytest.mark.parametrize(
    "clauses, wrong",
    [
        (FOUR[:3], ["1 0", "0"]),  # the clauses can be true
        (FOUR[:3], ["-1 0", "0"]),  # a lemma does not follow
        (FOUR, ["3 0", "0"]),  # nor does this one, although the clauses contradict each other
        (FOUR, ["1 0"]),  # the empty clause is missing
        (FOUR, ["0"]),  # it does not follow by unit propagation
        (FOUR, []),
        (FOUR, ["1 0", "0 0"]),  # a zero is a literal
        (FOUR, ["1 2", "0"]),  # a line has no end
        (FOUR, ["d 1 2 0", "1 0", "0"]),  # a clause was deleted that a lemma needs
        ([*FOUR, (3, 4, 5)], ["d -1 -2 0", "1 0", "0"]),
        (HOLES[:-1], certificate(HOLES)),  # the certificate is for other clauses
        (HOLES, certificate(FOUR)),
    ],
)  # fmt: skip
def test_a_wrong_certificate_is_refused(clauses, wrong):
    assert not refuted(clauses, wrong)


def test_lemmas_that_follow_are_those_that_are_true():
    """Of random clauses. Whatever the checker accepts cannot be satisfied, and what cannot be satisfied has a certificate that it
    accepts; with a literal turned round in a lemma, or with a clause less, it accepts only what cannot be satisfied either."""
    random, accepted, refused = Random(1), 0, 0
    for _ in range(300):
        clauses = [tuple(random.choice((-1, 1)) * v for v in random.sample(range(1, 8), random.choice((2, 3)))) for _ in range(26)]
        possible = lambda clauses: any(  # noqa: E731
            all(any(values[abs(x) - 1] == (x > 0) for x in c) for c in clauses) for values in product((False, True), repeat=7)
        )
        found = certificate(clauses)
        assert (found is None) == possible(clauses)
        if found is None:
            assert not refuted(clauses, ["0"])
            continue
        assert refuted(clauses, found)
        for _ in range(3):
            fewer = random.sample(clauses, len(clauses) - 2)
            lines = [line.split() for line in found if line != "0" and not line.startswith("d")]
            if lines:
                line = random.choice(lines)
                line[0] = str(-int(line[0]))
            changed = [*(" ".join(line) for line in lines), "0"]
            if refuted(fewer, changed):
                accepted += 1
                assert not possible(fewer)
            else:
                refused += 1
    assert accepted > 20 and refused > 20


def test_only_equal_nodes_become_one():
    """a AND (b AND c) is (a AND b) AND c, and no other node."""
    g = Graph()
    a, b, c = g.input("word", 3)
    left, right, other = g.and_(a, g.and_(b, c)), g.and_(g.and_(a, b), c), g.and_(g.and_(a, b), c ^ 1)
    equalities = Equalities(g.fanin)
    nodes = [node for node in g.cone((left, right, other)) if equalities.visit(node) == 2 * node and g.fanin[node]]
    asked = equalities.clauses(nodes, different(left, right))[0]
    good = certificate(asked)
    assert not equalities.merge(other >> 1, left, nodes, good) and equalities.find(other) == other
    assert not equalities.merge(right >> 1, left ^ 1, nodes, good) and equalities.find(right) == right
    assert not equalities.merge(right >> 1, left, nodes[:-2], good)
    assert not equalities.merge(left >> 1, left, nodes, good), "a node stands for another one"
    assert equalities.merge(right >> 1, left, nodes, good) and equalities.find(right ^ 1) == left ^ 1
    assert not equalities.merge(left >> 1, right, nodes, good), "which stands for itself"


def test_a_later_question_is_about_earlier_nodes():
    """The first question is about the node that was made last; the second shows that an earlier node equals it."""
    g = Graph(certified)
    a, b, c = g.input("word", 3)
    earlier, later = g.and_(a, g.and_(b, c)), g.and_(g.and_(a, b), c)
    known = Certified(g)
    assert known.refute([(later,)]) is not None
    assert known.refute(different(earlier, later)) is None


def test_sums_are_equal_with_certificates(monkeypatch):
    """The engine finds that sums in another order are equal, and inputs where words differ. It believes no solver that gives a wrong
    certificate."""
    g = Plain(certified)
    a, b, c = (Word(g, g.input(name, 6)) for name in "abc")
    assert g.differ(((a + b) + c).bits, (a + (b + c)).bits) is None and g.decided == {ENGINE}
    found = certified(g, list(zip((a + b).bits, (a + c).bits)))
    assert (found["a"] + found["b"] - found["a"] - found["c"]) % 64
    right = engines._answered
    monkeypatch.setattr(engines, "_answered", lambda *asked: (right(*asked)[0], ["0"], set()))
    with pytest.raises(Unproved, match="a certificate is wrong"):
        g.differ(((a + b) + c).bits, (a + (b + c)).bits)


def test_paths_are_impossible_with_certificates(monkeypatch):
    """For the engine with certificates, and for no other."""
    asked, right = [], engines._answered
    monkeypatch.setattr(engines, "_answered", lambda *question: asked.append(question) or right(*question))
    for engine in (abc, certified):
        g = Graph(engine)
        a, b = g.input("word", 2)
        conditions = Conditions(g)
        assert not conditions.possible((g.xor(a, b), g.and_(a, b))) and conditions.possible((g.xor(a, b), a))
        assert len(asked) == (engine is certified) and g.decided == {SOLVER}
    conditions = Conditions(g)
    monkeypatch.setattr(conditions.solver, "solve", lambda assumptions: False)
    with pytest.raises(Unproved, match="takes for impossible"):
        conditions.possible((g.xor(a, b), a))


# ---- Claims.

PLAIN = ["hight_rv32", "hight_avr_flash", "hight_msp430_flash"]
OPEN = [row for row in read_rows(RESULTS, Proof) if row.target in PROVED and row.decided != FORMS]  # also older rows, which do not say who decided


@pytest.mark.full
@pytest.mark.guards("result", sample="a kernel of HIGHT")
@pytest.mark.parametrize("kernel", [pytest.param(k, marks=() if k == PLAIN[0] else LATER) for k in PLAIN])
def test_encryption_without_normal_forms_has_certificates(kernel):
    """What normal forms say is equal is so."""
    target, card, _ = KERNELS[kernel]
    with simulator(target, card, kernel) as machine:
        claim = claim_of(machine, kernel, "enc")
        fact = claim.prove(certified, Plain)
        assert (breaches(claim.stated, fact), fact.decided) == ([], ENGINE)


@pytest.mark.slow
@pytest.mark.guards("result")
@pytest.mark.parametrize("row", OPEN, ids=lambda row: f"{row.chip} {row.cipher} {row.kernel} {row.operation}")
def test_what_a_solver_decides_has_certificates(row):
    """All claims that rest on more than normal forms."""
    target, card, kernel = next(entry for entry in kernels([row.target]) if entry[2] == row.kernel)
    with simulator(target, card, kernel, chip=row.chip) as machine:
        found = claims(machine, target, card, kernel)
        claim = next(c for c in found if (c.cipher, c.operation) == (row.cipher, row.operation))
        assert breaches(claim.stated, claim.prove(certified)) == []


def test_the_specification_is_its_own_inverse_with_certificates():
    assert theorem("HIGHT", 16, certified) is None
