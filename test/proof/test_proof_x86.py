# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of kernels for x86-64: a sample of them, faults that they must refuse, and that instructions do on this CPU what
proof/x86.py says."""

import subprocess
from functools import cache, reduce
from itertools import combinations
from operator import xor
from pathlib import Path
from random import Random

import capstone
import provable
import pytest
from marks import LATER

import spec
from bench.made import build
from bench.measured.measurement import read_rows
from bench.reported import compare
from proof import wide, x86_claims, x86_kernels
from proof.__main__ import RESULTS
from proof.bits import CTR_BYTES, Bits, Graph, Unproved, Word, constant, is_constant, number, variables
from proof.claims import Fact, any_rounds
from proof.engines import abc
from proof.loops import Conditions
from proof.wide import WideGraph
from proof.x86 import CONDITIONS, NAMES, REGISTERS, SEMANTICS, Instruction, Machine, Operand, choose_bytes, decoded, joined, split, ternary
from proof.x86_claims import COMPILERS, VECTOR, claims, library
from proof.x86_kernels import Claim, Counters, FirstRounds, first_round
from spec.aria import SB

pytestmark = pytest.mark.full  # too slow for make test-quick

MEMORY, SIZE, STATE = 0x10000400, 512, 2304 + 512  # as in x86_cpu.c
PLACE = MEMORY + 128  # what an instruction's operand in memory begins at
FLAGS = {"C": 0, "Z": 6, "S": 7, "O": 11}  # the bits of RFLAGS
JUMPS = {"jmp", "call", "ret", "endbr64", "nop", "leave", "vzeroall", *(f"j{c}" for c in CONDITIONS)}
HERE = set(Path("/proc/cpuinfo").read_text().split()) if Path("/proc/cpuinfo").exists() else set()
NEEDED = {"avx2", "avx512f", "avx512bw", "avx512vl", "avx512dq", "bmi2", "gfni", "vaes"}
SHARED = ("enc_bulk", "dec_bulk", "ctr", "ctr_bytes", "cbc")  # operations whose claims share a graph
ABSENT = ", ".join(sorted(NEEDED - HERE))


@cache
def decoder() -> capstone.Cs:
    found = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    found.detail = True
    return found


def claim_of(
    kernel: str, operation: str, compiler: str = "gcc", changed: dict[int, bytes] | None = None, before: Claim | None = None
) -> Claim:
    """The claim for the shortest key, about a library in which these bytes have been changed."""
    about = provable.changed(library(compiler), changed or {})
    return next(stated for stated in claims(about, "", kernel) if stated.name[4] == operation).claim(before)


def wrong(claim: Claim, how: str, n: int, few: bool = False) -> list[str]:
    """What is wrong with a call for n blocks, or with one of the function for few of them."""
    fact = Fact(claim.kernel, claim.variant.cipher, claim.operation, "")
    if claim.changing == "ctr":
        claim.recognize_counters()
    try:
        for m in x86_kernels.ways(claim.enter(how, n, few=few)):
            claim.returned(fact, m, how, n)
    except Unproved as error:
        return [str(error)]
    return ["differs"] if fact.found else []


# ---- Which code a claim is about.


@pytest.mark.parametrize("kernel, compiler", [("lea_x86_avx512", "gcc"), ("lea_x86_avx2", "clang")])
def test_a_digest_does_not_depend_on_where_the_linker_puts_things(kernel, compiler):
    """These kernels call other libraries, and have tables of functions and of distances without names."""
    both = library(compiler), library(compiler, backwards=True)
    assert both[0].symbols != both[1].symbols
    of_both = [[(s.name[2:], s.digest()) for s in claims(about, "", kernel)] for about in both]
    assert of_both[0] == of_both[1]


@pytest.mark.parametrize("kernel, compiler", [("lea_x86_avx512", "gcc"), ("lea_x86_avx2", "clang")])
def test_a_digest_changes_with_every_function_and_constant(kernel, compiler):
    about = provable.changed(library(compiler), {})
    stated = next(s for s in claims(about, "", kernel) if s.name[4] == "ctr")
    before = x86_kernels.digest(about, stated.function)
    places = x86_kernels.functions(about, stated.function)
    constants = {to for first, end in places for _, i, to, _ in x86_kernels._named(about, first, end) if i.name.startswith("v") and to}
    assert len(places) > 5 and constants
    for at in [end - 1 for _, end in places] + sorted(constants):
        for cached in (x86_kernels._meant, x86_kernels.digest):
            cached.cache_clear()
        about.data[at] ^= 1
        assert x86_kernels.digest(about, stated.function) != before, hex(at)
        about.data[at] ^= 1


# ---- Proofs.


@pytest.mark.guards("result", "constant_time", "counter", sample="LEA-128 with AVX2 and AVX-512, some numbers of blocks")
@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=LATER)])
@pytest.mark.parametrize("kernel", ["lea_x86_avx2", "lea_x86_avx512"])
def test_sample(kernel, compiler):
    for operation, how, n in (
        ("eks", "", 1), ("enc_bulk", "apart", 7), ("dec_bulk", "in place", 2), ("ctr", "stream", 3), ("ctr_bytes", "apart", 2), ("cbc", "in place", 3),
    ):  # fmt: skip
        assert wrong(claim_of(kernel, operation, compiler), how, n) == []


@pytest.mark.guards("result", "constant_time", sample="single blocks of HIGHT and ARIA-128 by gcc, with AVX2 and GFNI")
@pytest.mark.parametrize("kernel", ["hight_x86_avx2_gfni", "aria_x86_avx2_gfni"])
def test_single_blocks(kernel):
    assert wrong(claim_of(kernel, "enc"), "in place", 1) == []


@pytest.mark.guards("result", sample="some numbers of blocks of HIGHT and ARIA-128")
@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kernel", [k for k in VECTOR if "lea" not in k])
def test_some_blocks(kernel, compiler):
    for operation, how, n in (("enc_bulk", "apart", 9), ("dec_bulk", "in place", 3)):
        assert wrong(claim_of(kernel, operation, compiler), how, n) == []


def test_a_shuffle_by_unknown_bytes_chooses_the_bytes():
    g, drawn = Graph(), Random(1)
    table, places = g.input("table", 128), g.input("places", 128)
    out, value = choose_bytes(g, table, places), {0: 0}
    inputs = {x >> 1: drawn.getrandbits(64) for x in (*table, *places)}
    g.simulate(g.cone(out), inputs, 64, value)
    bits = lambda word, k: sum((value.get(x >> 1, inputs.get(x >> 1, 0)) >> k & 1 ^ x & 1) << i for i, x in enumerate(word))  # noqa: E731
    for k in range(64):
        found, chosen, at = (bits(word, k).to_bytes(16, "little") for word in (out, table, places))
        assert list(found) == [0 if n & 128 else chosen[n % 16] for n in at]


@pytest.mark.guards("counter")
@pytest.mark.parametrize("n", [1, 7])
def test_counters_made_in_another_way_become_those_of_the_specification(n):
    """The code adds to the last byte, and then chooses by the carry between the other bytes and those plus one. A counter that loses
    this carry is not taken for the specification's."""
    g = Graph()
    first = g.input("counter", 64)
    counters = [spec.counter_plus(Word(g, first), i).bits for i in range(8)]
    known, turned = Counters(Conditions(g), counters), joined(split(first, 8)[::-1])
    low, carry = g.add(turned[:8], constant(n, 8))
    after = g.add(turned[8:], constant(1, 56))[0]
    for high, right in ((tuple(map(g.mux, (carry,) * 56, after, turned[8:])), True), (turned[8:], False)):
        made = joined(split(low + high, 8)[::-1])
        assert made != counters[n] and (known.recognized(made) == counters[n]) is right


@pytest.mark.guards("counter")
@pytest.mark.parametrize("n", [1, 7])
def test_first_rounds_chosen_by_a_carry_become_those_of_the_specification(n):
    """ARIA's code has the results for two counters. What it chooses by the carry of another block is not taken for the specification's."""
    g = Graph()
    first, rounds = g.input("counter", 128), any_rounds(g, "ARIA", 16)
    counters = [spec.counter_plus(Word(g, first), i).bits for i in range(9)]
    known, later = FirstRounds(Conditions(g), counters, rounds), spec.counter_plus(Word(g, first), 256).bits
    before, after = (first_round(Word(g, counter[:-8] + counters[n][-8:]), rounds) for counter in (first, later))
    right = first_round(Word(g, counters[n]), rounds)
    for block in (n, n + 1):
        unchanged = g.add(first[-8:], constant(block, 8))[1] ^ 1
        made = tuple(g.xor(y, g.and_(unchanged, g.xor(x, y))) for x, y in zip(before, after))
        assert made != right
        assert (known.recognized(made) == right) is (block == n)


def test_a_ternary_operation_has_its_truth_table():
    g = Graph()
    bits = [g.input(name, 1) for name in "cba"]
    numbers = {word[0] >> 1: sum((n >> i & 1) << n for n in range(8)) for i, word in enumerate(bits)}  # all eight values at once
    for table in range(256):
        (out,) = ternary(g, table, *bits[::-1])
        value = g.simulate(g.cone((out,)), numbers, 8, {0: 0})
        assert value.get(out >> 1, numbers.get(out >> 1)) ^ -(out & 1) & 255 == table


@pytest.mark.guards("result", sample="LEA-128 with AVX2, for every number of blocks")
@pytest.mark.parametrize("compiler", [pytest.param(c, marks=LATER) for c in COMPILERS])
@pytest.mark.parametrize("operation", ["enc_bulk", "cbc"])
def test_every_number_of_blocks(operation, compiler):
    fact = claim_of("lea_x86_avx2", operation, compiler).prove()
    assert (fact.faults, fact.found) == ([], None)


@pytest.mark.guards("result", sample="whether the code is still the one that was proved")
def test_every_claim_was_proved_of_the_code_there_is():
    """`make prove TARGET=x86` writes these rows. Another compiler makes other code, which is proved again."""
    rows = {(r.target, r.chip, r.cipher, r.kernel, r.operation): r.code for r in read_rows(RESULTS, compare.Proof) if r.target == "x86"}
    there, made = x86_claims.every(), {name[1] for name in rows}
    here = {name[1] for name in there}
    assert {name: code for name, code in there.items() if name[1] in made} == {name: code for name, code in rows.items() if name[1] in here}


# ---- Faults that must be refused. Each changes one instruction of the linked library.


NOPS = {3: "0f1f00", 4: "0f1f4000", 7: "0f1f8000000000"}  # of the instruction's length, as objdump has read it


def planted(operation: str, how: str, n: int, kernel: str, pick, change, every: bool = False) -> list[str]:
    """What is wrong with a call for n blocks after the last of the instructions that ran and that `pick` takes is changed, or
    every one of them. The claim shares its graph with the one about the right code, from which nothing wrong may follow."""
    claim = claim_of(kernel, operation)
    about = claim.library
    assert wrong(claim, how, n) == []
    ran = {pc for m in x86_kernels.ways(claim.enter(how, n)) for pc in m.trace}
    picked = sorted(pc for pc in ran if pick(about.instruction(pc)))
    changed = {at: change(about.read(at, about.instruction(at).size)) for at in (picked if every else picked[-1:])}
    return wrong(claim_of(kernel, operation, changed=changed, before=claim if operation in SHARED else None), how, n)


def nop(code: bytes) -> bytes:
    return bytes.fromhex(NOPS[len(code)])


def bare(code: bytes) -> bytes:
    """The same without a mask: the bits of EVEX that name the mask register become 0, and so does the one that zeroes."""
    return code[:3] + bytes([code[3] & 0x78]) + code[4:]


def test_a_wrong_lane_is_refused():
    """VPUNPCKLDQ becomes VPUNPCKHDQ, which takes the words of other blocks."""
    swapped = lambda code: code.replace(b"\x62", b"\x6a", 1)  # noqa: E731
    assert planted("enc_bulk", "apart", 8, "lea_x86_avx2", lambda i: i.name == "vpunpckldq" and i.size == 4, swapped) == ["differs"]


def test_a_forgotten_vzeroupper_is_refused():
    (said,) = planted("enc_bulk", "apart", 16, "lea_x86_avx512", lambda i: i.name == "vzeroupper", nop)
    assert "the upper part of ymm0 or zmm0 is in use" in said


@pytest.mark.parametrize("kernel, n", [
    ("hight_x86_avx2_gfni", 3), *(pytest.param(k, 3, marks=pytest.mark.slow) for k in ("aria_x86_avx2_gfni", "hight_x86_avx512_gfni")),
])  # fmt: skip
def test_code_without_vzeroupper_is_refused(kernel, n):
    """A call of memcpy may hide nothing: it leaves upper parts that are in use as they are."""
    (said,) = planted("enc_bulk", "apart", n, kernel, lambda i: i.name == "vzeroupper", nop, every=True)
    assert "is in use after the return" in said


def test_a_lost_carry_of_the_counter_is_refused():
    assert planted("ctr", "stream", 2, "lea_x86_avx2", lambda i: i.name == "adc", nop) == ["differs"]


def test_key_stream_that_is_not_left_is_refused():
    """The last byte of an incomplete block's key stream is not stored."""
    stored = lambda i: i.name == "mov" and i.operands[0].kind == "m" and i.operands[0].bits == 8 and i.operands[0].base == "r8"  # noqa: E731
    assert planted("ctr_bytes", "stream", 1, "lea_x86_avx2", stored, nop) == ["differs"]


def test_bytes_behind_an_incomplete_block_are_not_written():
    (said,) = planted("ctr_bytes", "apart", 1, "lea_x86_avx512", lambda i: bool(i.mask), bare)
    assert "accesses 64 bytes at" in said and "which are not its own" in said


def test_a_branch_on_the_bytes_of_an_incomplete_block_settles_what_registers_and_memory_hold():
    """Code of HIGHT by clang computes the second batch's counters from what it has branched on."""
    claim = claim_of("lea_x86_avx2", "ctr_bytes")
    m = claim.enter("stream", 1)
    whole, counted, above = claim._is(claim.rest, 0), claim.count[0], constant(0, 62)
    m.r[0] = whole, whole ^ 1, *above
    m.r[1] = whole, counted, *above
    m.put(m.top - 8, m.r[1])
    m.assume(counted)
    assert (m.path, m.r[1]) == ((counted,), (whole, counted, *above))
    m.assume(whole)
    assert m.path == (counted, whole) and m.r[0] == (1, 0, *above)
    assert m.r[1] == m.get(m.top - 8, 8) == (1, counted, *above)


def test_code_must_not_ask_whether_there_is_a_place_for_key_stream():
    """ctr passes no such place, and rests on what is proved with one."""
    m = claim_of("lea_x86_avx2", "ctr_bytes").enter("stream", 1)
    with pytest.raises(Unproved, match="asks whether"):
        m.zero(m.r[NAMES.index("rdx")])


def passed_on(changed: dict[int, bytes], stack: int = 0) -> list[str]:
    """What is wrong with a call for one block, which ARIA passes on to its function for few blocks. stack: the bytes that this function
    needs."""
    claim = claim_of("aria_x86_aesni", "enc_bulk", changed=changed)
    claim.few_stack = stack
    calls = [m for m in x86_kernels.ways(claim.enter("apart", 1), claim.calls_few) if m.pc]
    assert calls
    try:
        for m in calls:
            claim.passed_on(Fact("", "", "", ""), m, "apart", 1)
    except Unproved as error:
        return [str(error)]
    return []


def test_few_blocks_are_passed_on_as_they_should_be():
    """A call with another number of rounds is refused, one with more blocks than the function has been proved for, and one for which
    the stack is too small."""
    claim = claim_of("aria_x86_aesni", "enc_bulk")
    about, pc = claim.library, claim.d.function("bulk")
    while (i := about.instruction(pc)).operands[:1] != (Operand("r", 32, NAMES.index("rsi")),):
        pc += i.size
    rounds = {pc: about.read(pc, i.size).replace(b"\x0c", b"\x0d")}
    assert passed_on({}) == []
    assert "another argument 1" in passed_on(rounds)[0]
    assert "none or too many" in passed_on({about.symbols["haechi_aria_x86_aesni_128"] + x86_kernels.FEW_AT: b"\0"})[0]
    assert "bytes of stack" in passed_on({}, 9999)[0]


def test_a_fault_in_the_function_for_few_blocks_is_refused():
    """The last exclusive or of the last round is missing."""
    claim = claim_of("aria_x86_aesni", "enc_bulk")
    ran = [pc for m in x86_kernels.ways(claim.enter("apart", 2, few=True)) for pc in m.trace]
    last = next(pc for pc in reversed(ran) if claim.library.instruction(pc).name == "pxor")
    planted = {last: nop(claim.library.read(last, claim.library.instruction(last).size))}
    assert wrong(claim, "apart", 2, few=True) == []
    assert wrong(claim_of("aria_x86_aesni", "enc_bulk", changed=planted), "apart", 2, few=True) == ["differs"]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_ctr_that_does_not_pass_on_all_bytes_is_refused(compiler):
    """SHL by 4 becomes SHL by 3."""
    claim = claim_of("lea_x86_avx2", "ctr", compiler)
    first = claim.d.function("ctr")
    code = claim.library.read(first, claim.library.sizes[first])
    at = next(pc for pc in range(first, first + len(code)) if code[pc - first :][:4] == bytes.fromhex("49c1e104"))
    facts = Fact("", "", "", ""), Fact("", "", "", "")
    assert claim._is_ctr_bytes(facts[0]) and facts[0].decided == CTR_BYTES
    assert not claim_of("lea_x86_avx2", "ctr", compiler, {at: bytes.fromhex("49c1e103")})._is_ctr_bytes(facts[1])


def test_a_wrong_next_iv_is_refused():
    """The load of the last block takes the block before it."""
    earlier = lambda code: code[:-1] + bytes([code[-1] - 16])  # noqa: E731
    last = lambda i: any(o.kind == "m" and o.index and o.disp == -16 for o in i.operands)  # noqa: E731
    assert planted("cbc", "apart", 3, "lea_x86_avx2", last, earlier) == ["differs"]


def test_a_last_block_that_is_read_too_late_is_refused():
    """In place it has been overwritten by then, though the proof would still know what it was."""
    claim = claim_of("lea_x86_avx2", "cbc")
    m = claim.enter("in place", None)
    m.store(m.base("out"), claim.iv)
    with pytest.raises(Unproved, match="after it has written"):
        m.load(m.behind - 16, 16)


def test_an_unknown_byte_is_the_same_until_it_may_have_changed():
    m = claim_of("lea_x86_avx2", "enc_bulk").enter("apart", 8)
    at = m.top - 64
    first = m.get(at, 4)
    assert m.get(at, 4) == m.copy().get(at, 4) == first and set(m.get(at + 4, 4)).isdisjoint(first)
    m.put(at, constant(7, 32))
    assert m.get(at, 4) == constant(7, 32)
    m.forget(at, at + 1)
    found = m.get(at, 4)
    assert set(found[:16]).isdisjoint(first) and found[16:] == constant(0, 16)


def hows_of(claim: Claim, n: int) -> list[str]:
    """The ways in which calls for n blocks are run, of bulk, if the loop differs in nothing between its turns."""
    found, enter = [], claim.enter
    claim.enter = lambda how, n: found.append(how) or enter(how, n)
    fact = Fact(claim.kernel, claim.variant.cipher, claim.operation, "")
    claim._few(fact, n, {how: {} for how in ("apart", "in place")})
    assert fact.found is None
    return found


def test_a_call_in_place_is_run_where_it_may_differ():
    """The code compares the addresses for one block, and not for two. A call that reads the input behind what it has written, too."""
    assert hows_of(claim_of("lea_x86_avx2", "enc_bulk"), 1) == ["apart", "in place"]
    assert hows_of(claim_of("lea_x86_avx2", "enc_bulk"), 2) == ["apart"]
    m = claim_of("lea_x86_avx2", "enc_bulk").enter("apart", 3)
    other, into, out = m.copy(), m.base("in"), m.base("out")
    m.load(into, 16)
    m.store(out + 16, constant(0, 128))
    m.load(into, 16)
    m.load(into + 32, 16)
    assert not m.differs
    m.load(into + 24, 16)
    assert m.differs and other.differs


def test_a_fault_of_calls_in_place_alone_is_refused():
    """The jump over the copy of one block, which a call in place takes, goes elsewhere."""
    claim = claim_of("lea_x86_avx2", "enc_bulk")
    apart, within = (next(x86_kernels.ways(claim.enter(how, 1))).trace for how in ("apart", "in place"))
    at = next(a for a, b, c in zip(within, within[1:], apart[1:]) if b != c)
    code = claim.library.read(at, claim.library.instruction(at).size)
    changed = {at: code[:1] + bytes([code[1] ^ 4]) + code[2:] if len(code) == 2 else code[:2] + bytes([code[2] ^ 4]) + code[3:]}
    assert wrong(claim_of("lea_x86_avx2", "enc_bulk", changed=changed), "apart", 1) == []
    try:
        found = hows_of(claim_of("lea_x86_avx2", "enc_bulk", changed=changed), 1)
    except (Unproved, AssertionError):
        found = []
    assert found == []


def test_what_is_read_is_what_was_written_last():
    """A vector that was written in one piece is remembered whole, until a part of it is written or forgotten."""
    m = claim_of("lea_x86_avx2", "enc_bulk").enter("apart", 8)
    out, whole = m.base("out"), m.g.input("whole", 256)
    for at, part in ((5, m.g.input("byte", 8)), (24, m.g.input("word", 64)), (-8, m.g.input("lane", 128)), (16, m.g.input("half", 128))):
        m.put(out + 32, whole)
        assert m.get(out + 32, 32) is whole and m.get(out + 48, 16) == whole[128:]
        m.put(out + 32 + at, part)
        expected = [whole[8 * i : 8 * i + 8] for i in range(32)]
        for i in range(len(part) // 8):
            if at + i >= 0:
                expected[at + i] = part[8 * i : 8 * i + 8]
        assert m.get(out + 32, 32) == joined(expected)
    m.put(out + 32, whole)
    m.forget(out + 63)
    found = m.get(out + 32, 32)
    assert found[:248] == whole[:248] and set(found[248:]).isdisjoint(whole)


def test_memory_is_accessed_where_it_may_be():
    """Whatever has been accessed before: no input is written, nothing lies more than the red zone below the stack pointer, and a part of the
    stack ends when the pointer leaves it."""
    m, word = claim_of("lea_x86_avx2", "enc_bulk").enter("apart", 3), constant(0, 64)
    m.store(m.base("out"), word)
    m.load(m.base("in"), 8)
    with pytest.raises(Unproved, match="not its own"):
        m.store(m.base("in"), word)
    for below, deepest in ((0, 128), (64, 192), (0, 192)):
        m.r[4] = m.g.places.word(m.top - below)
        for offset in (8, 128, 16):
            m.store(m.top - below - offset, word)
        with pytest.raises(Unproved, match="below the stack pointer"):
            m.store(m.top - below - 136, word)
        assert m.deepest == deepest
    m.r[4] = m.g.places.word(m.top - 64)
    m.r[4] = m.align_stack(64)
    inner = m.address(m.r[4])
    for offset in (8, 128):
        m.store(inner - offset, word)
    assert m.deepest == 64 + 63 + 128
    m.store(m.top - 64, word)
    with pytest.raises(Unproved, match="below the stack pointer"):
        m.store(m.top - 72, word)
    m.r[4] = m.g.places.word(m.top - 64)
    m.store(m.top - 72, word)
    with pytest.raises(Unproved, match="below the stack pointer"):
        m.store(inner - 8, word)


@pytest.mark.guards("result")
def test_the_graph_for_many_blocks_computes_what_words_compute():
    """Sums, differences and exclusive ors in random order, against numbers; and sums in another order are the same bits."""
    g, drawn = WideGraph(), Random(1)
    words = [Word(g, g.input(f"word {i}", 16)) for i in range(4)]
    values = [[drawn.getrandbits(16) for _ in range(64)] for _ in words]
    known = {x >> 1: sum((v >> i & 1) << k for k, v in enumerate(value)) for w, value in zip(words, values) for i, x in enumerate(w.bits)}
    for n in range(60):
        a, b = drawn.sample(range(len(words)), 2)
        do = (lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x ^ y)[n % 3]
        words.append(do(words[a], words[b]).rol(n % 5))
        turned = lambda v: (v << n % 5 | v >> 16 - n % 5) & 0xFFFF  # noqa: E731
        values.append([turned(do(x, y) & 0xFFFF) for x, y in zip(values[a], values[b])])
    for w, value in zip(words, values):
        found = g.simulate(g.cone(w.bits), known, 64, {0: 0})
        assert [sum((found[x >> 1] >> k & 1 ^ x & 1) << i for i, x in enumerate(w.bits)) for k in range(64)] == value
    assert (words[0] + words[1]).bits == (words[1] + words[0]).bits
    assert (words[0] - words[1]).bits == tuple(x ^ 1 for x in (words[1] + Word(g, (x ^ 1 for x in words[0].bits))).bits)


def test_exclusive_ors_have_one_form():
    """In any order, and where terms cancel out; and one that is closed is a term of its own."""
    g, drawn = WideGraph(), Random(1)
    x = g.input("x", 2 * wide.FEW)
    for n in (2, 3, 8, len(x)):
        for _ in range(20):
            terms, twice = drawn.sample(x, n), drawn.choice(x)
            total = g.total(terms)
            drawn.shuffle(terms)
            assert total == g.xor(g.total([twice, *terms]), twice) and g.terms_of(total) == set(terms)
    closed = g.xor(x[0], x[1])
    g.close(closed)
    both = g.xor(closed, x[2])
    assert g.terms_of(both) == {closed, x[2]} and g.xor(both, x[2]) == closed == g.xor(x[1], x[0])
    assert g.xor(x[0], g.xor(x[1], x[2])) != both == g.xor(x[2], closed ^ 1) ^ 1


def test_exclusive_ors_of_the_same_number_are_compared(monkeypatch):
    """With numbers of few bits most are those of other exclusive ors, too."""
    monkeypatch.setattr(wide, "MARK", 3)
    g, drawn = WideGraph(), Random(1)
    x = g.input("x", 10)
    values = [sum((v >> i & 1) << v for v in range(1024)) for i in range(10)]
    inputs = {bit >> 1: value for bit, value in zip(x, values)}
    for _ in range(200):
        chosen = drawn.sample(range(10), drawn.randrange(2, 9))
        for found in (*reduce(g.xors, ((x[i],) for i in chosen)), g.total(x[i] for i in chosen)):
            assert g.simulate(g.cone((found,)), inputs, 1024, {0: 0})[found >> 1] == reduce(xor, (values[i] for i in chosen))


def look_ups(x: Bits, g: WideGraph) -> set[Bits]:
    """Looks up images of a word under random maps, compares what is found with numbers, and returns over which bits the look-ups are."""
    g.sees_affine, drawn = True, Random(1)
    table = drawn.sample(range(256), 256)
    inputs = dict(zip((bit >> 1 for bit in x), variables(len(x))))
    for _ in range(100):
        masks = [drawn.getrandbits(len(x)) for _ in range(8)]
        if len({reduce(xor, some) for n in range(9) for some in combinations(masks, n) if some}) < 255 or 0 in masks:
            continue  # an exclusive or of some bits is 0
        word = tuple(g.total(bit for i, bit in enumerate(x) if mask >> i & 1) ^ drawn.getrandbits(1) for mask in masks)
        found = Word(g, word).looked_up(table).bits
        value = g.simulate(g.cone((*word, *found)), inputs, 1 << len(x), {0: 0})
        image, result = ([value[y >> 1] ^ -(y & 1) for y in bits] for bits in (word, found))
        for n in range(1 << len(x)):
            assert sum((y >> n & 1) << i for i, y in enumerate(result)) == table[sum((y >> n & 1) << i for i, y in enumerate(image))]
    return {leaves for _, leaves in g.looked_up.values()}


def test_look_ups_behind_affine_maps_are_look_ups():
    """All over the same bits, whichever map comes first."""
    g = WideGraph()
    assert len(look_ups(g.input("x", 8), g)) == 1


def test_maps_to_the_same_numbers_are_compared(monkeypatch):
    """With numbers of few bits some words seem to be images of others and are not."""
    monkeypatch.setattr(wide, "MARK", 9)
    g = WideGraph()
    assert len(look_ups(g.input("x", 10), g)) > 10


def test_engines_and_solvers_know_exclusive_ors():
    g = WideGraph(abc)
    a, b, c = g.input("x", 3)
    odd = g.xor(g.xor(a, b), c)
    also = g.or_(g.and_(g.xor(a, b), c ^ 1), g.and_(g.xor(a, b) ^ 1, c))
    assert odd != also and g.differ((odd,), (also,)) is None
    found = g.differ((odd, a), (also, g.and_(odd, b)))["x"]
    assert found & 1 != found.bit_count() & found >> 1 & 1
    asked = Conditions(g)
    assert not asked.possible((odd, a, b, c ^ 1)) and asked.possible((odd, a, b, c)) and asked.equal([(odd, also)])
    assert g.truth((odd,), [x >> 1 for x in (a, b, c)]) == [0b10010110]


def test_words_are_alike_where_other_inputs_are_in_the_same_places():
    g = WideGraph()
    x, y, key = (g.input(name, 8) for name in ("x", "y", "key"))

    def mixed(byte: Bits, table: list[int]) -> Bits:
        both = g.xors(Word(g, byte).looked_up(table).bits, key)
        return (*both, g.and_(byte[0], both[1]), g.xor(byte[2], key[3]) ^ 1)

    inputs = dict(zip(x, y))
    one, other = (mixed(byte, SB[0]) for byte in (x, y))
    assert g.are_alike(one, other, inputs) and g.are_alike(one, other, inputs)
    for wrong in (one, mixed(y, SB[1]), (*other[:9], other[9] ^ 1), (*other[:8], g.and_(y[1], other[1]), other[9]), (other[1], *other[1:])):
        assert not g.are_alike(one, wrong, inputs)
    assert not g.are_alike(one[8:], one[8:], inputs) and not g.are_alike(one[:8], one[:8], inputs)


def longer(_: Graph, word: tuple, n: int) -> tuple:
    return word[0] + n, *word[1:]


def test_results_are_remembered_for_their_operands():
    """Also where Python puts a new operand in the place of one that is gone."""
    g = Graph()
    for turn in range(3):
        for n in range(2000):
            assert g.remembered(longer, (n, turn, 7), n) == (n + n, turn, 7)


def test_a_missing_mask_is_refused():
    (said,) = planted("enc_bulk", "apart", 2, "lea_x86_avx512", lambda i: bool(i.mask), bare)
    assert "accesses 64 bytes at out +0, which are not its own" in said


def test_masked_elements_behind_the_last_block_may_have_any_value():
    """A call for fewer blocks then computes what one for more does. No element with a bit in the mask is read there, and others than whole
    blocks behind the last one are zero."""
    claim = claim_of("lea_x86_avx512", "enc_bulk")
    m = claim.enter("apart", 2)
    into, load = m.base("in"), Instruction("vmovdqu64", 6, (Operand("v", 512, 3), Operand("m", 512, base="rdx")), mask=1, zeroing=True)
    m.k[1] = constant(0b1111, 64)
    SEMANTICS["vmovdqu64"](m, load)
    assert m.v[3] == sum(map(claim.block, range(4)), ())
    m.k[1] = constant(0b11, 64)
    SEMANTICS["vmovdqu64"](m, load)
    assert m.v[3] == claim.block(0) + (0,) * 128 + claim.block(2) + claim.block(3)
    before = m.v[3] = m.g.input("before", 512)
    SEMANTICS["vmovdqu64"](m, load._replace(zeroing=False))
    assert m.v[3] == claim.block(0) + before[128:]
    m.k[1] = constant(0b11111, 64)
    with pytest.raises(Unproved, match="not its own"):
        SEMANTICS["vmovdqu64"](m, load)
    assert m.unread(into + 32, 32) == claim.block(2) + claim.block(3) and m.unread(into + 16, 16) == (0,) * 128


def test_what_is_read_where_nothing_may_be_written_is_one_object():
    """The next run finds at once what this one has computed from it. What is put there later is read."""
    claim = claim_of("lea_x86_avx2", "enc_bulk")
    first, second = claim.enter("apart", 3), claim.enter("apart", 3)
    into = first.base("in")
    assert first.load(into, 32) is second.load(into, 32)
    other = second.copy()
    second.put(into, claim.block(2))
    assert second.load(into, 32) == claim.block(2) + claim.block(1) and other.load(into, 32) == claim.block(0) + claim.block(1)
    second.forget(into)
    assert second.load(into, 32)[8:] == (claim.block(2) + claim.block(1))[8:] != second.load(into, 32)
    out = first.base("out")
    first.store(out, claim.block(0))
    assert first.load(out, 16) == claim.block(0)
    first.store(out, claim.block(1))
    assert first.load(out, 16) == claim.block(1)


def test_a_load_beyond_the_buffer_is_refused():
    """The displacement of the load of the last vector grows by a lane."""
    farther = lambda code: code[:-1] + bytes([code[-1] + 16])  # noqa: E731
    last = lambda i: i.name == "vmovdqu" and i.operands[1].kind == "m" and i.operands[1].disp == 0x60 and i.size == 5  # noqa: E731
    (said,) = planted("enc_bulk", "apart", 8, "lea_x86_avx2", last, farther)
    assert "accesses 32 bytes at in +112, which are not its own" in said


# Of F1 of HIGHT, of SB2 of ARIA and of what SB4 inverts, as src/ has them.
F1_MATRIX, SB2_MATRIX, SB4_MATRIX = 0x3468D0A143860D1A, 0xEAFCB7C3C273C66F, 0x186450C737D6BDC9


@pytest.mark.guards("result", sample="ARIA-128")
@pytest.mark.parametrize("kernel,rows", [("aria_x86_avx2_gfni", SB2_MATRIX), ("aria_x86_avx2_gfni", SB4_MATRIX), pytest.param("hight_x86_avx2_gfni", F1_MATRIX, marks=LATER)])
def test_a_wrong_matrix_is_refused(kernel, rows):
    """One bit of the matrix is another one, wherever the library has it."""
    bulk = "hight" in kernel  # whose function for one block has no matrices
    claim = claim_of(kernel, "enc_bulk" if bulk else "enc")
    data = claim.library.data
    code = rows.to_bytes(8, "little")
    places = [at for at in data if data[at] == code[0] and all(data.get(at + i) == byte for i, byte in enumerate(code))]
    changed = {at: (rows ^ 1 << 20).to_bytes(8, "little") for at in places}
    found = wrong(claim_of(kernel, claim.operation, changed=changed), "apart" if bulk else "in place", 2 if bulk else 1)
    assert places and found == ["differs"]


@pytest.mark.slow
def test_a_missing_mask_is_refused_in_hight():
    (said,) = planted("enc_bulk", "apart", 2, "hight_x86_avx512_gfni", lambda i: bool(i.mask), bare)
    assert "which are not its own" in said


@pytest.mark.slow
def test_a_wrong_lane_is_refused_in_hight():
    """The last VPUNPCKLBW becomes VPUNPCKHBW."""
    swapped = lambda code: code[:-2] + bytes([code[-2] ^ 8]) + code[-1:]  # noqa: E731
    pick = lambda i: i.name == "vpunpcklbw" and i.operands[2].kind == "v"  # noqa: E731
    assert planted("enc_bulk", "apart", 9, "hight_x86_avx2_gfni", pick, swapped) == ["differs"]


def test_an_undefined_instruction_is_an_error():
    claim = claim_of("lea_x86_avx2", "enc_bulk")
    at = claim.d.function("bulk")
    changed = {at: bytes.fromhex("660f38f6c1")[:4]}  # ADCX in the place of ENDBR64, with as many bytes
    (said,) = wrong(claim_of("lea_x86_avx2", "enc_bulk", changed=changed), "apart", 2)
    assert "no semantics of" in said or "differently" in said


# ---- Instructions on this CPU.


@cache
def program() -> Path:
    folder = Path(__file__).parent
    objects = [build.compile("gcc", folder / name, ["-O1"]) for name in ("x86_cpu.c", "x86_cpu.S")]
    return build.link("gcc", objects, ["-Wl,-z,noexecstack"], build.BUILD / "host/x86_cpu")


def encodings() -> dict[bytes, Instruction]:
    """All encodings in the code that is proved, but for jumps and what reads the stack protector."""
    found = {}
    for compiler in COMPILERS:
        about = library(compiler)
        for start, end in reached(compiler):
            pc = start
            while pc < end:
                i = about.instruction(pc)
                if i.name in SEMANTICS and i.name not in JUMPS and not any(o.segment for o in i.operands):
                    found[about.read(pc, i.size)] = i
                pc += i.size
    return found


def reached(compiler: str) -> set[tuple[int, int]]:
    about = library(compiler)
    return {
        place for kernel in VECTOR for stated in claims(about, "", kernel)
        for place in x86_kernels.functions(about, stated.function)
    }  # fmt: skip


def form(i: Instruction) -> tuple:
    """What two encodings have in common that differ in registers and addresses alone."""
    return i.name, tuple((o.kind, o.bits, o.copies, o.at if o.kind == "i" else 0) for o in i.operands), i.mask > 0, i.zeroing


class Code:
    """A library that holds one instruction."""

    def __init__(self, raw: bytes, i: Instruction, at: int):
        self.data, self.functions, self.imports, self._i = {}, [], {}, i

    def instruction(self, pc: int) -> Instruction:
        return self._i


def prepared(raw: bytes, i: Instruction, drawn: Random) -> tuple[bytes, bytearray] | None:
    """The code and a random state in which its operand in memory lies in the memory of the state; None if there is none."""
    if i.name == "and" and (i.operands[0].kind, i.operands[0].at) == ("r", 4):  # which aligns the stack of a function
        return None
    numbers = [drawn.choice((0, (1 << 64) - 1, drawn.getrandbits(64), drawn.getrandbits(64))) for _ in range(16)]
    if i.name in ("push", "pop"):
        numbers[4] = PLACE
    if i.name.startswith(("shl", "shr", "sar", "rol", "ror")):
        numbers[1] = drawn.getrandbits(8)
    if i.name == "rep movsq":
        numbers[1], numbers[6], numbers[7] = drawn.randrange(5), PLACE, PLACE + 8 * drawn.randrange(-4, 5)
    for o in i.operands if i.name != "rep movsq" else ():
        if o.kind != "m":
            continue
        if o.base == "rip":
            to = PLACE - 0x10001000 - i.size
            old = o.disp.to_bytes(4, "little", signed=True)
            if raw.count(old) != 1:
                return None
            raw = raw.replace(old, to.to_bytes(4, "little", signed=True))
            continue
        if i.name == "lea":
            continue
        index = REGISTERS[o.index][1] if o.index else None
        base = REGISTERS[o.base][1] if o.base else None
        if base is None or base == index:
            return None
        if index is not None:
            numbers[index] = drawn.choice((0, 4, 8, 16))
        numbers[base] = (PLACE - o.disp - (numbers[index] * o.scale if index is not None else 0)) % (1 << 64)
    state = bytearray(drawn.randbytes(STATE))
    for n, value in enumerate(numbers):
        state[8 * n : 8 * n + 8] = value.to_bytes(8, "little")
    state[128:136] = (2 | sum(drawn.getrandbits(1) << bit for bit in FLAGS.values())).to_bytes(8, "little")
    return raw, state


def expected(raw: bytes, state: bytes) -> tuple[Machine, Instruction]:
    """What proof/x86.py makes of a state."""
    i = decoded(next(decoder().disasm(raw, 0x10001000, 1)))
    word = lambda at, size: constant(int.from_bytes(state[at : at + size], "little"), 8 * size)  # noqa: E731
    m = Machine(Graph(), Code(raw, i, 0))
    m.r = [word(8 * n, 8) for n in range(16)]
    m.v = [word(192 + 64 * n, 64) for n in range(32)]
    m.k = [word(2240 + 8 * n, 8) for n in range(8)]
    flags = int.from_bytes(state[128:136], "little")
    m.flags = {name: lambda bit=bit: flags >> bit & 1 for name, bit in FLAGS.items()}
    m.regions.append(("memory", range(MEMORY, MEMORY + SIZE), True))
    m.put(MEMORY, word(2304, SIZE))
    m.pc = 0x10001000
    return m, i


def differences(raw: bytes, state: bytes, answer: bytes) -> list[str]:
    """In what the CPU and proof/x86.py differ."""
    m, i = expected(raw, state)
    SEMANTICS[i.name](m, i)
    value = lambda at, size: int.from_bytes(answer[at : at + size], "little")  # noqa: E731
    found = [name for n, name in enumerate(NAMES) if number(m.r[n]) != value(8 * n, 8)]
    found += [f"zmm{n}" for n in range(32) if not is_constant(m.v[n]) or number(m.v[n]) != value(192 + 64 * n, 64)]
    found += [f"k{n}" for n in range(8) if number(m.k[n]) != value(2240 + 8 * n, 8)]
    found += [f"flag {name}" for name, literal in m.flags.items() if literal() != value(128, 8) >> FLAGS[name] & 1]
    return found + ["memory"] * (number(m.get(MEMORY, SIZE)) != value(2304, SIZE))


def compared(encodings: list[tuple[bytes, Instruction]], states: int) -> int:
    """Runs each encoding in so many states. Returns how many encodings were compared."""
    drawn, records = Random(1), []
    for raw, i in encodings:
        for _ in range(states):
            if found := prepared(raw, i, drawn):
                records.append(found)
    sent = b"".join(bytes([len(code)]) + code.ljust(15, b"\x90") + bytes(state) for code, state in records)
    answers = subprocess.run([program()], input=sent, capture_output=True, check=True).stdout
    assert len(answers) == STATE * len(records)
    for n, (code, state) in enumerate(records):
        assert differences(code, bytes(state), answers[STATE * n : STATE * n + STATE]) == [], code.hex()
    return len({code for code, _ in records})


@pytest.mark.guards("result", sample="an encoding of each instruction, with operands of each kind")
@pytest.mark.skipif(bool(ABSENT), reason=f"this CPU lacks {ABSENT}")
def test_instructions_do_what_the_cpu_does():
    kinds = {(i.name, *(o.kind for o in i.operands), i.mask > 0, i.zeroing): (raw, i) for raw, i in encodings().items()}
    assert compared(list(kinds.values()), 2) > 0.95 * len(kinds)


@pytest.mark.guards("result", sample="one encoding of each form, with all immediates")
@pytest.mark.slow
@pytest.mark.skipif(bool(ABSENT), reason=f"this CPU lacks {ABSENT}")
def test_all_forms_of_instructions_do_what_the_cpu_does():
    forms = {form(i): (raw, i) for raw, i in encodings().items()}
    assert compared(list(forms.values()), 8) > 0.95 * len(forms)


@pytest.mark.guards("result", sample="all encodings")
@pytest.mark.slow
@pytest.mark.skipif(bool(ABSENT), reason=f"this CPU lacks {ABSENT}")
def test_all_encodings_do_what_the_cpu_does():
    found = encodings()
    assert compared(list(found.items()), 8) > 0.95 * len(found)


@pytest.mark.guards("result")
@pytest.mark.skipif(bool(ABSENT), reason=f"this CPU lacks {ABSENT}")
def test_a_wrong_definition_is_noticed(monkeypatch):
    monkeypatch.setitem(SEMANTICS, "vpaddd", SEMANTICS["vpsubd"])
    chosen = [(raw, i) for raw, i in encodings().items() if i.name == "vpaddd"][:1]
    with pytest.raises(AssertionError):
        compared(chosen, 4)
