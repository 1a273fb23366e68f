# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of the kernels in portable C as compilers make them for x86-64: a sample of them, faults that they must refuse, and that
instructions do on this CPU what proof/x86.py says."""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from random import Random

import provable
import pytest
from elftools.elf.elffile import ELFFile
from marks import LATER
from test_proof_x86 import compared, decoder, form
from test_proof_x86 import wrong as wrong_in_a_call

from proof import x86, x86_claims, x86_kernels
from proof.__main__ import own_library
from proof.bits import Graph, Unproved
from proof.claims import gap
from proof.x86 import CONDITIONS, SEMANTICS, Instruction, multiplied
from proof.x86_claims import COMPILERS, LEVELS, library
from proof.x86_kernels import functions

pytestmark = pytest.mark.full  # too slow for make test-quick

MADE = [(compiler, level) for compiler in COMPILERS for level in LEVELS]
JUMPS = {"jmp", "call", "ret", "endbr64", "nop", "leave", "rep movsq", "rep stosq", *(f"j{c}" for c in CONDITIONS)}


def claim_of(kernel: str, operation: str, changed: dict[int, bytes] | None = None):
    """The claim for the shortest key, about gcc's library in which these bytes have been changed."""
    about = provable.changed(library("gcc", "-O3"), changed or {})
    return next(stated for stated in x86_claims.claims(about, "", kernel) if stated.name[4] == operation).claim()


def wrong(claim) -> list[str]:
    fact = claim.prove()
    return fact.faults + ["differs"] * (fact.found is not None)


@pytest.mark.guards("result", "constant_time", sample="key schedules and encryption of LEA-128 and HIGHT, and ARIA-128's key schedule")
@pytest.mark.parametrize("kernel, operation", [
    ("lea_c", "eks"), ("lea_c", "enc"), ("lea_c", "enc_bulk"), ("hight_c", "eks"), ("hight_c", "dec"),
    pytest.param("hight_c", "enc_bulk", marks=LATER), ("aria_c", "eks"), pytest.param("aria_c", "enc", marks=LATER),
    pytest.param("aria_c", "enc_bulk", marks=LATER),
])  # fmt: skip
def test_sample(kernel, operation):
    assert wrong(claim_of(kernel, operation)) == []


def ran(claim) -> list[int]:
    return sorted({pc for m in x86.ways(claim.enter("in place", 1)) for pc in m.trace})


def planted(kernel: str, operation: str, pick, change) -> list[str]:
    """What is wrong after the last of the instructions that ran and that `pick` takes is changed."""
    claim = claim_of(kernel, operation)
    at = max(pc for pc in ran(claim) if pick(claim.library.instruction(pc)))
    code = claim.library.read(at, claim.library.instruction(at).size)
    return wrong(claim_of(kernel, operation, {at: change(code)}))


def last(change):
    return lambda code: code[:-1] + bytes([change(code[-1])])


@pytest.mark.guards("result")
@pytest.mark.parametrize("kernel, operation, name", [("lea_c", "enc", "ror"), ("lea_c", "eks", "rol"), ("aria_c", "eks", "shr")])
def test_a_wrong_rotation_is_refused(kernel, operation, name):
    assert planted(kernel, operation, lambda i: i.name == name and len(i.operands) == 2, last(lambda n: n ^ 1)) == ["differs"]


@pytest.mark.guards("result")
def test_a_store_beyond_the_round_keys_is_refused():
    """The displacement of the last store of LEA-128's key schedule grows by 64 bytes."""
    store = lambda i: i.name == "mov" and i.operands[0].kind == "m" and i.operands[0].base != "rsp"  # noqa: E731
    (said,) = planted("lea_c", "eks", store, lambda code: code[:-1] + bytes([code[-1] + 64 & 127]))
    assert "not its own" in said or "differs" in said


@pytest.mark.guards("convention")
def test_a_register_that_is_not_restored_is_refused():
    """POP RBX becomes POP RAX."""
    said = planted("hight_c", "dec", lambda i: i.name == "pop" and i.size == 1 and i.operands[0].at == 3, lambda code: b"\x58")
    assert any("rbx is not as it was" in x for x in said)


def instructions(about: x86.Library, pc: int, end: int) -> Iterator[tuple[int, Instruction]]:
    """The instructions of a function, with their addresses."""
    while pc < end:
        i = about.instruction(pc)
        yield pc, i
        pc += i.size


def in_batches(n: int, function: str, pick, change) -> list[str]:
    """What is wrong with a call of bulk of aria_c for n blocks after all instructions of a function that `pick` takes are changed."""
    claim = claim_of("aria_c", "enc_bulk")
    about = claim.library
    place = next(place for place in functions(about, claim.d.function("bulk")) if about.names[place[0]].startswith(function))
    changed = {pc: change(about.read(pc, i.size)) for pc, i in instructions(about, *place) if pick(i)}
    assert changed
    return wrong_in_a_call(claim_of("aria_c", "enc_bulk", changed), "apart", n)


def is_or(i: Instruction) -> bool:
    return i.name == "or" and i.size == 3


def to_and(code: bytes) -> bytes:
    return bytes([code[0], code[1] ^ 0x28, code[2]])


@pytest.mark.guards("result")
@pytest.mark.parametrize("n, function, pick, change, said", [
    pytest.param(4, "crypt4", is_or, to_and, "block 0 differs from the specification", marks=LATER),
    pytest.param(16, "crypt16", is_or, to_and, "block 0 differs from the specification", marks=LATER),
    pytest.param(4, "crypt4", lambda i: i.name == "pop" and i.operands[0].at == 3, lambda code: b"\x58", "rbx is not as it was", marks=LATER),  # POP RAX
    (4, "many_blocks", lambda i: i.name == "mov" and i.operands[1][:3] == ("i", 32, 12), lambda code: code.replace(b"\x0c", b"\x0e"),
     "another number of rounds"),
])  # fmt: skip
def test_a_fault_in_a_batch_is_refused(n, function, pick, change, said):
    assert said in in_batches(n, function, pick, change)[0]


@pytest.mark.parametrize("x, rk, rounds, said", [  # bytes below the end of the stack, whose pointer lies 512 bytes deep; None for the round keys
    (124, None, 12, "not aligned"), (576, None, 12, "overlap"), (128, 96, 12, "overlap"), (128, None, 14, "another number of rounds"),
])  # fmt: skip
def test_what_a_batch_must_be_given(x, rk, rounds, said):
    claim = claim_of("aria_c", "enc_bulk")
    batch = next(batch for batch in claim.summaries.values() if batch.layout.blocks == 4)
    m, word = claim.enter("in place", 4), claim.g.places.word
    end = m.top + 8
    m.r[4] = word(end - 512 - 8)
    for n, at in enumerate((word(end - x), word(end - rk) if rk else word(m.base("rk")), rounds)):
        m.argument(n, at)
    with pytest.raises(Unproved, match=said):
        batch(m)


@pytest.mark.parametrize("code, said", [  # of a vector in the round keys, which are aligned to four bytes
    ("0f2807", "movaps at an address that need not be a multiple of 16"), ("660fef07", "pxor at"), ("c5f96f07", "vmovdqa at"),
    ("0f1007", ""), ("c5fa6f07", ""), ("c5f9ef07", ""),  # MOVUPS, VMOVDQU and VPXOR
])  # fmt: skip
def test_a_vector_that_need_not_be_aligned(monkeypatch, code, said):
    m = claim_of("aria_c", "enc").enter("in place", 1)
    instruction = x86.decoded(next(decoder().disasm(bytes.fromhex(code), m.pc, 1)))
    monkeypatch.setitem(m.library.decoded, m.pc, instruction)
    with pytest.raises(Unproved, match=said) if said else nullcontext():
        m.advance()


def aligns(i: Instruction) -> bool:
    """Whether an instruction aligns the stack pointer, which has a definition of its own."""
    return i.name == "and" and i.operands[0][:3] == ("r", 64, 4)


def encodings() -> dict[tuple, tuple]:
    """One encoding of each form in the code that is proved, GHASH included, but for jumps and what reads the stack protector."""
    found = {}
    for made in MADE:
        about, kernels = library(*made), (*x86_claims.PORTABLE, *x86_claims.GHASH)
        stated = [s for kernel in kernels for s in x86_claims.claims(about, "", kernel) if not gap(*s.name)]
        places = {place for s in stated for place in functions(about, s.function)}
        for pc, i in chain.from_iterable(instructions(about, *place) for place in places):
            if i.name in SEMANTICS and i.name not in JUMPS and not any(o.segment for o in i.operands) and not aligns(i):
                found[form(i)] = about.read(pc, i.size), i
    return found


@pytest.mark.guards("result", sample="one encoding of each form")
def test_instructions_do_what_the_cpu_does():
    found = encodings()
    assert compared(list(found.values()), 4) > 0.9 * len(found)


def test_a_product_whose_carries_meet_is_an_error():
    g = Graph()
    with pytest.raises(Unproved, match="carries"):
        multiplied(g, g.input("a", 64), g.input("b", 64))


def test_a_product_of_bits_that_lie_apart():
    """As GHASH has them: every fourth bit. The lowest bit of each sum is that of the product of numbers."""
    g, drawn = Graph(), Random(1)
    factors = [tuple(x if i % 4 == at else 0 for i, x in enumerate(g.input(name, 64))) for name, at in (("a", 1), ("b", 2))]
    out = multiplied(g, *factors)
    for _ in range(20):
        numbers = [drawn.getrandbits(64) & sum(1 << i for i in range(at, 64, 4)) for at in (1, 2)]
        bits = {x >> 1: n >> i & 1 for factor, n in zip(factors, numbers) for i, x in enumerate(factor) if x}
        value = g.simulate(g.cone(out), bits, 1, {0: 0})
        assert [value[x >> 1] ^ x & 1 for x in out[3::4]] == [numbers[0] * numbers[1] >> i & 1 for i in range(3, 64, 4)]


@pytest.mark.slow
def test_a_library_that_somebody_has_built(tmp_path, capsys):
    """Exit code 0 where all claims are proved, and 1 where a rotation has another distance."""
    about = library("gcc")
    right, wrong = tmp_path / "right.so", tmp_path / "wrong.so"
    code = bytearray(about.path.read_bytes())
    right.write_bytes(code)
    stated = next(s for s in x86_claims.claims(about, "", "lea_c") if s.name[4] == "enc")
    at = next(pc + i.size - 1 for f in functions(about, stated.function) for pc, i, *_ in x86_kernels._named(about, *f) if i.name in ("rol", "ror"))
    with about.path.open("rb") as file:
        code[next(ELFFile(file).address_offsets(at))] ^= 1
    wrong.write_bytes(code)
    assert own_library(right, "lea_c") == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 18 and all(line.endswith(" proved") for line in said)
    assert own_library(wrong, "lea_c") == 1
    assert any("differs" in line for line in capsys.readouterr().out.splitlines())
