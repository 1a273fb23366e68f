# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of GHASH's implementations for x86-64: a sample of them, and faults that they must refuse."""

from random import Random

import provable
import pytest
from marks import LATER

from proof import ghash
from proof.bits import Unproved, constant
from proof.claims import Fact
from proof.x86 import ways
from proof.x86_claims import library
from spec import field, modes

pytestmark = pytest.mark.full  # too slow for make test-quick

POLYNOMIAL = bytes.fromhex("00000000000000c2")  # x^127 + x^126 + x^121, in the upper word of a reduction
REFLECTION = bytes(range(15, -1, -1))  # the places of PSHUFB


def changed(places: dict[int, bytes]):
    """gcc's library in which these bytes have been changed."""
    return provable.changed(library("gcc", "-O3"), places)


def constants(old: bytes, new: bytes) -> dict[int, bytes]:
    """The places of a constant in the library's data, and what shall stand there."""
    about = library("gcc", "-O3")
    code = [range(s["st_value"], s["st_value"] + s["st_size"]) for s in about.functions]
    found = {at: new for at in about.data if at % 8 == 0 and all(about.data.get(at + i) == x for i, x in enumerate(old))}
    found = {at: new for at in found if not any(at in place for place in code)}
    assert found
    return found


def wrong(claim: ghash.Claim, *numbers: int) -> list[str]:
    """What is wrong with calls for so many blocks."""
    fact = Fact("", "", "", "")
    try:
        for n in numbers:
            for m in ways(claim.enter("", n)):
                claim.returned(fact, m, "", n)
    except Unproved as error:
        return [str(error)]
    return []


def loads(claim: ghash.Claim, n: int, name: str) -> list[int]:
    """The loads of vectors from a buffer which ran in a call for n blocks."""
    found = []
    for m in ways(claim.enter("", n)):
        inside = next(place for region, place, _ in m.regions if region == name)
        again = claim.enter("", n)
        for pc in m.trace:
            i = again.library.instruction(pc)
            if i.name in ("movdqu", "movups") and i.operands[1].kind == "m" and again.place(i.operands[1]) in inside:
                found.append(pc)
            again.advance()
    return found


def farther(claim: ghash.Claim, at: int, by: int) -> dict[int, bytes]:
    """The displacement of one byte, the last one of a load, grows."""
    code = claim.library.read(at, claim.library.instruction(at).size)
    assert claim.library.instruction(at).operands[1].disp == int.from_bytes(code[-1:], "little", signed=True)
    return {at: code[:-1] + bytes([code[-1] + by & 255])}


# ---- Proofs.


@pytest.mark.guards("result", sample="the specification on numbers")
def test_the_polynomials_are_those_of_the_specification():
    """A product of elements, and the form in which powers are stored, on constants."""
    drawn, g = Random(1), ghash.Ring()
    value = lambda element: sum((1 in terms) << i for i, terms in enumerate(element))  # noqa: E731
    for _ in range(4):
        h, block = drawn.randbytes(16), drawn.randbytes(16)
        element, other = (ghash.of_block(g, constant(int.from_bytes(x, "little"), 128)) for x in (h, block))
        assert value(element) == modes.reflected(int.from_bytes(h, "big"))
        assert value(ghash.times(g, element, other)) == field.times(value(element), value(other), field.BLOCKS[16])
        bits = tuple(int(1 in terms) for terms in ghash.stored(element))
        assert value(ghash.of_stored(g, bits)) == value(element)


@pytest.mark.guards("result", "constant_time", sample="powers and calls for some blocks")
@pytest.mark.parametrize("kind, numbers", [("clmul", (0, 1, 3, 9)), ("c", (0, 1, 2)), pytest.param("vpclmul", (3, 4, 33), marks=LATER)])
def test_sample(kind, numbers):
    assert wrong(ghash.Claim(library("gcc", "-O3"), kind), *numbers) == []


@pytest.mark.guards("result")
@pytest.mark.parametrize("kind", ["clmul", pytest.param("vpclmul", marks=LATER), pytest.param("c", marks=LATER)])
def test_the_powers(kind):
    assert ghash.Powers(library("gcc", "-O3"), kind).prove().faults == []


@pytest.mark.guards("result", sample="every number of blocks")
def test_every_number_of_blocks():
    assert ghash.Claim(library("gcc", "-O3"), "c").prove().faults == []


# ---- Faults that must be refused.


def test_a_wrong_reduction_is_refused():
    about = changed(constants(POLYNOMIAL, bytes.fromhex("00000000000000c3")))
    assert wrong(ghash.Claim(about, "clmul"), 1) == ["1 blocks: y differs from the specification"]
    assert ghash.Powers(about, "clmul").prove().faults == ["2 powers: the one of exponent 2 is wrong"]


def test_a_missing_reflection_is_refused():
    about = changed(constants(REFLECTION, bytes(range(16))))
    assert wrong(ghash.Claim(about, "clmul"), 1) == ["1 blocks: y differs from the specification"]


def test_a_wrong_power_is_refused():
    """The second block takes the power of the first one."""
    claim = ghash.Claim(library("gcc", "-O3"), "clmul")
    at = max(loads(claim, 2, "powers"))
    about = changed(farther(claim, at, -16)) if claim.library.instruction(at).operands[1].disp else changed(wrong_base(claim, at))
    (said,) = wrong(ghash.Claim(about, "clmul"), 2)
    assert "differs from the specification" in said or "not its own" in said


def wrong_base(claim: ghash.Claim, at: int) -> dict[int, bytes]:
    """The source of a load of a vector becomes the register that holds the first argument."""
    code = claim.library.read(at, claim.library.instruction(at).size)
    return {at: code[:-1] + bytes([code[-1] & 0xF8 | 7])}


def test_a_load_beyond_the_buffer_is_refused():
    claim = ghash.Claim(library("gcc", "-O3"), "clmul")
    at = next(pc for pc in loads(claim, 2, "in") if claim.library.instruction(pc).operands[1].disp in range(1, 112))
    (said,) = wrong(ghash.Claim(changed(farther(claim, at, 16)), "clmul"), 2)
    assert "which are not its own" in said


def test_a_branch_on_the_text_is_refused():
    """A loop that ends by the text: the first comparison of the number of blocks becomes one of a word of y."""
    claim = ghash.Claim(library("gcc", "-O3"), "c")
    (m,) = ways(claim.enter("", 1))
    assert m.is_public(claim.count[0]) and not m.is_public(claim.named[0][0])
    with pytest.raises(Unproved, match="a branch on y"):
        m.taken(claim.named[0][0])
