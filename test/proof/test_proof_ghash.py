# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of GHASH's implementations for hosts: a sample of them, and faults that they must refuse."""

import re
from random import Random

import provable
import pytest
from marks import LATER

from bench.declared.model import ROOT
from proof import ghash, ghash_neon
from proof.bits import Unproved, constant
from proof.claims import Fact
from proof.neon import NEON
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


# ---- AArch64.


def on_neon(kernel: str, operation: str = "ghash", changed: tuple = (), compiled=NEON.compiled[0]) -> ghash_neon.Claim:
    return ghash_neon.Claim(ghash_neon.library(compiled, changed), kernel, operation)


def wrong_on_neon(claim: ghash_neon.Claim, *numbers: int) -> str:
    """What is wrong with calls for so many blocks, or with so many powers; without numbers, with calls for every number of blocks."""
    fact = Fact("", "", "", "")
    try:
        if claim.operation == "powers":
            claim.powers(fact, numbers)
        elif numbers:
            claim.few(fact, numbers)
        else:
            return "; ".join(claim.prove().faults)
    except Unproved as error:
        return str(error)
    return ""


@pytest.mark.guards("result", "constant_time", sample="powers and calls for some blocks, AArch64")
@pytest.mark.parametrize("kernel, operation, numbers", [
    ("ghash_pmull", "ghash", (0, 1, 3)), ("ghash_pmull", "powers", (1, 2, 4)), ("ghash_c", "powers", (2,)),
    pytest.param("ghash_c", "powers", (4, 32), marks=LATER), pytest.param("ghash_pmull", "ghash", (31, 32), marks=LATER),
])  # fmt: skip
def test_sample_on_aarch64(kernel, operation, numbers):
    assert wrong_on_neon(on_neon(kernel, operation), *numbers) == ""


@pytest.mark.guards("result", sample="every number of blocks, AArch64")
@pytest.mark.parametrize("kernel, compiler", [("ghash_c", "gcc"), ("ghash_c", "clang"), pytest.param("ghash_pmull", "gcc", marks=pytest.mark.slow)])
def test_every_number_of_blocks_on_aarch64(kernel, compiler):
    """clang's code processes a block before it comes to the loop."""
    compiled = next(c for c in NEON.compiled if c.name == f"{compiler} -O2")
    assert wrong_on_neon(on_neon(kernel, compiled=compiled)) == ""


COUNT = "        n -= m;\n"
READ = "            a[1] ^= haechi_load_be64(in);\n            add_product(&s, a, power);\n"
ON_NEON = {  # the source, what stands there, what takes its place, the claim and the numbers that are refused, and why
    "a wrong reduction": ("ghash_arm64.c", "0xc200000000000000", "0xc300000000000000", "ghash_pmull", "ghash", (1,), "differs"),
    "a wrong reduction of powers": ("ghash_arm64.c", "0xc200000000000000", "0xc300000000000000", "ghash_pmull", "powers", (2,), "differ"),
    "a missing reflection": ("ghash_arm64.c", "haechi_load_be64(in + 8)", "((uint64_t *)(void *)in)[1]", "ghash_pmull", "ghash", (1,), "differs"),
    "a wrong power": ("ghash_arm64.c", "power += 2", "power += 2 * (i != 1)", "ghash_pmull", "ghash", (3,), "differs"),
    "a load beyond the text": ("ghash_arm64.c", "haechi_load_be64(in + 8)", "haechi_load_be64(in + 9)", "ghash_pmull", "ghash", (2,), "not its own"),
    "a branch on the text": (
        "ghash_arm64.c", READ, READ + '            if (in[3] & 4) __asm__ volatile("nop");\n', "ghash_pmull", "ghash", (1,), "a branch on block 0",
    ),
    "a power too many": ("ghash_arm64.c", "i >= 2 * (HAECHI_POWERS - most)", "i >= 2 * (HAECHI_POWERS - most) - 2", "ghash_pmull", "powers", (3,), "differ"),
    "a lost carry of a product": ("ghash.c", "unsigned j = 0; j < 4", "unsigned j = 0; j < 3", "ghash_c", "ghash", (1,), "differs"),
    "blocks counted in 32 bits": ("ghash_arm64.c", COUNT, "        n = (uint32_t)(n - m);\n", "ghash_pmull", "ghash", (), "a branch on what turns leave|comes back to .*None"),
    "blocks of the portable code counted in 32 bits": (
        "ghash.c", "    for (; n; n--, in += 16) {\n        a[0]", "    for (; n; n = (uint32_t)(n - 1), in += 16) {\n        a[0]",
        "ghash_c", "ghash", (), "comes back to .*None",
    ),
}  # fmt: skip
LONG = ("blocks counted in 32 bits",)


@pytest.mark.parametrize("fault", [pytest.param(f, marks=LATER if f in LONG else ()) for f in ON_NEON])
def test_planted_faults_are_refused_on_aarch64(fault, tmp_path):
    name, there, planted, kernel, operation, numbers, why = ON_NEON[fault]
    source = ROOT / "src/mode" / name
    assert source.read_text().count(there) >= 1
    (tmp_path / name).write_text(source.read_text().replace(there, planted))
    claim = on_neon(kernel, operation, ((source, tmp_path / name),))
    assert re.search(why, wrong_on_neon(claim, *numbers))
