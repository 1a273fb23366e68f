# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of kernels for AArch64 and ARMv7: they are proved as compiled, and planted faults are refused."""

import re
import shutil
from functools import reduce
from itertools import permutations
from operator import xor
from pathlib import Path
from random import Random

from marks import LATER
import pytest

from bench.declared.model import load_cards
from bench.measured.measurement import read_rows
from bench.reported.compare import Proof
from proof import hosts
from proof.__main__ import HOSTS, RESULTS
from proof.arm import ARM
from proof.armv7 import ARMV7
from proof.bits import FORMS, ONES, Graph, Unproved, Word, constant
from proof.bytewise import ByteGraph
from proof.claims import breaches
from proof.neon import NEON
from proof.places import Places
from spec.aria import SB

pytestmark = pytest.mark.full  # too slow for make test-quick

# ---- Normal forms.


def test_an_s_box_behind_a_linear_map_is_the_same_literals():
    """SB4 is SB3 behind a linear map, and a wrong constant of that map makes another function."""
    g = ByteGraph()
    x, k = Word(g, g.input("x", 8)), Word(g, g.input("k", 8))
    before = [SB[0][y] for y in SB[3]]
    mapped = x.looked_up(before) ^ k.looked_up(before) ^ before[0]
    wanted = (x ^ k).looked_up(SB[3]).bits
    assert mapped.looked_up(SB[2]).bits == wanted
    assert (mapped ^ 1).looked_up(SB[2]).bits != wanted
    halves = [[SB[1][0] ^ SB[1][i & m] for i in range(256)] for m in (15, 240)]  # two look-ups, whose sum SB2 is not
    assert (x.looked_up(halves[0]) ^ x.looked_up(halves[1]) ^ SB[1][0]).bits != x.looked_up(SB[1]).bits


def test_all_that_a_bit_of_a_sum_consists_of_is_this_bit():
    """Code adds the lower seven bits of bytes and adds the highest ones without carries, in any order."""
    g, low = Graph(), lambda word: word[:7] + (0,)
    g.sees_sums = True
    a, b, other = (g.input(name, 8) for name in ("a", "b", "other"))
    total = g.add(a, b)[0]
    carry = g.add(low(a), low(b))[0][7]
    terms = [other[7], a[7], b[7], carry]
    for order in permutations(terms):
        assert g.total(order) == g.xor(other[7], total[7])
    assert g.total([other[7], a[7], carry, b[6]]) != g.xor(other[7], total[7])


def test_exclusive_ors_with_bits_of_sums_have_the_right_values():
    """Random exclusive ors of bits, sums, carries and of each other, in random values of the inputs."""
    g, drawn = Graph(), Random(1)
    g.sees_sums = True
    words = [g.input(name, 8) for name in "abc"]
    bits = [x for word in words for x in word]
    for _ in range(300):
        if drawn.random() < 0.2:
            a, b = (tuple(drawn.sample(bits, 8)) for _ in range(2))
            total, carry = g.add(a, b, drawn.choice([0, *bits]))
            bits += [*total, carry, *g.add(a[:7] + (0,), b[:7] + (0,))[0]]
        some = drawn.sample(bits, drawn.randrange(2, 6))
        bits.append(g.total(some))
        value = g.patterns(g.cone((*some, bits[-1])), {0: 0})
        of = lambda x: value[x >> 1] ^ -(x & 1) & ONES  # noqa: E731
        assert reduce(xor, map(of, some)) == of(bits[-1])


def test_an_or_that_adds_to_an_aligned_address():
    g = Graph()
    places = g.places = Places(g, 32, 0)
    at = places.base("buffer", 8, range(64))
    word = places.word(at + 16)
    four = constant(4, 32)
    assert places.address(tuple(map(g.or_, word, four))) == at + 20
    assert places.address(tuple(map(g.or_, places.word(at + 4), four))) == at + 4
    assert places.address(tuple(map(g.or_, word, constant(8, 32)))) is None


# ---- Kernels.

CARDS = {kernel: card for card in load_cards() if card.machine == "neon" for kernel in card.kernels}


def claims(kernel: str, numbers: tuple[int, ...], planted: dict | None = None, host=NEON, compiled=None) -> list[hosts.HostClaim]:
    """The claims of a kernel as its first compiler makes it, or another one."""
    path = hosts.link(host, compiled or host.compiled[0], CARDS[kernel], planted)
    return hosts.claims(host, CARDS[kernel], kernel, path, numbers)


@pytest.mark.parametrize("target", ARM)
def test_every_claim_was_proved_of_the_code_there_is(target):
    """`make prove TARGET=neon` and `TARGET=armv7` write these rows of results/proofs.csv."""
    found = {(p.target, p.chip, p.cipher, p.kernel, p.operation): p.code for p in read_rows(RESULTS, Proof) if p.target == target}
    assert HOSTS[target]() == found


@pytest.mark.parametrize("operation, cipher, n", [
    ("enc_bulk", "LEA-128", 9), ("dks", "LEA-256", 0), pytest.param("dec_bulk", "LEA-192", 3, marks=LATER),
    pytest.param("ctr", "LEA-256", 2, marks=LATER), ("dec", "HIGHT", 1), pytest.param("ctr", "HIGHT", 5, marks=LATER),
    ("eks", "ARIA-128", 1), pytest.param("enc_bulk", "ARIA-192", 1, marks=LATER), pytest.param("ctr", "ARIA-256", 16, marks=LATER),
])  # fmt: skip
def test_sample(operation, cipher, n):
    kernel = {"LEA": "lea_neon", "HIGHT": "hight_neon_table", "ARIA": "aria_neon_aes"}[cipher[:5].split("-")[0]]
    (claim,) = (c for c in claims(kernel, (n,)) if (c.operation, c.cipher) == (operation, cipher))
    assert breaches(claim.stated, claim.prove()) == []


@pytest.mark.parametrize("compiled, operation, kernel, cipher, n", [
    ("gcc -O2 -marm", "enc_bulk", "lea_neon", "LEA-128", 9), ("clang -O3 -mthumb", "ctr", "lea_neon", "LEA-192", 9),
    ("gcc -O3 -mthumb", "dec", "hight_neon_pmull", "HIGHT", 1), pytest.param("clang -O2 -marm", "ctr", "hight_neon_shift", "HIGHT", 5, marks=LATER),
    ("clang -O2 -mthumb", "eks", "aria_neon_tower", "ARIA-128", 1), pytest.param("gcc -O2 -marm", "ctr", "aria_neon_tower", "ARIA-256", 16, marks=LATER),
])  # fmt: skip
def test_sample_on_armv7(compiled, operation, kernel, cipher, n):
    way = next(c for c in ARMV7.compiled if c.name == compiled)
    (claim,) = (c for c in claims(kernel, (n,), host=ARMV7, compiled=way) if (c.operation, c.cipher) == (operation, cipher))
    assert breaches(claim.stated, claim.prove()) == []


@pytest.mark.parametrize("kernel, operation, n", [("hight_neon_table", "enc_bulk", 3), pytest.param("lea_neon", "dec_bulk", 9, marks=LATER)])
def test_normal_forms_suffice(kernel, operation, n):
    """Where bits of sums are not single terms of exclusive ors, or exclusive ors of many terms have no normal form, an engine
    has to decide, which takes ten times as long."""
    claim = next(c for c in claims(kernel, (n,)) if c.operation == operation)
    fact = claim.prove()
    assert (breaches(claim.stated, fact), fact.decided) == ([], FORMS)


BATCH = """    V x[2][4];
    READ(0) READ(1)
    encrypt(k, rounds, W, x);
"""
WHOLE = "    const size_t whole = n / BATCH;\n"
LOAD_BEHIND = '    __asm__ volatile("" ::"w"(vld1q_u8({})));\n'
HIGHT_READ = "    const uint8x16x4_t a = vld4q_u8(in), b = vld4q_u8(in + 64);\n"
HIGHT_WRITE = "    vst4q_u8(out, a);\n"
ARIA_READ = "    V x[16];\n#define IN(i) x[i] = LOAD(in + 16 * i);\n"
ARIA_KEYS = "    if (n == 0) return;\n    spread_keys"
DIFFERS = "differs from the specification"
PLANTED = {  # the kernel, the source, what stands there, what takes its place, the claim that is refused, and why
    "LEA: a wrong lane in one of eight blocks": (
        "lea_neon", "lea_neon.c",
        "x[g][3] = t.val[3];", "x[g][3] = g ? vsetq_lane_u32(vgetq_lane_u32(t.val[3], 2), t.val[3], 3) : t.val[3];",
        "enc_bulk", 8, DIFFERS,
    ),
    "LEA: a lost carry": (
        "lea_neon", "lea_neon.c",
        "carry = vcltq_u32(sum, start);", "carry = vsetq_lane_u32(0, vcltq_u32(sum, start), 1);", "ctr", 2, DIFFERS,
    ),
    "LEA: a load beyond the buffer by one lane": (
        "lea_neon", "lea_neon.c",
        BATCH, BATCH + '    __asm__ volatile("" ::"w"(vld1q_u32((const uint32_t *)(const void *)(in + 116))));\n',
        "enc_bulk", 8, r"reads ram\[in \+128\], which is not its own",
    ),
    "LEA: a clobbered v8": (
        "lea_neon", "lea_neon.c",
        WHOLE, WHOLE + '    __asm__ volatile("movi v8.16b, #1");\n', "enc_bulk", 1, "d8 is not as it was",
    ),
    "LEA: a branch on a round key": (
        "lea_neon", "lea_neon.c",
        BATCH, BATCH + '    if (k[0] & 1) __asm__ volatile("nop");\n', "enc_bulk", 8, "a branch on round keys 0",
    ),
    "HIGHT: a wrong lane in one of 16 blocks": (
        "hight_neon_table", "hight_neon_slices.h",
        HIGHT_WRITE, "    b.val[3] = vsetq_lane_u8(vgetq_lane_u8(b.val[3], 14), b.val[3], 15);\n" + HIGHT_WRITE,
        "enc_bulk", 16, DIFFERS,
    ),
    "HIGHT: a lost carry": (
        "hight_neon_table", "hight_neon.h",
        "carry = vcltq_u8(x[7], number);", "carry = vsetq_lane_u8(0, vcltq_u8(x[7], number), 3);", "ctr", 5, DIFFERS,
    ),
    "HIGHT: a load beyond the buffer by one lane": (
        "hight_neon_table", "hight_neon_slices.h", HIGHT_READ, HIGHT_READ + LOAD_BEHIND.format("in + 113"),
        "enc_bulk", 16, r"reads ram\[in \+128\], which is not its own",
    ),
    "HIGHT: a wrong constant in a table": (
        "hight_neon_table", "hight_neon_table.c", "NIBBLES(F1_OF, 4) };", "NIBBLES(F0_OF, 4) };", "enc_bulk", 15, DIFFERS,
    ),
    "ARIA: a wrong lane in one of 16 blocks": (
        "aria_neon_aes", "aria_neon_aes.c",
        "    transpose(y);\n", "    transpose(y);\n    y[2] = vsetq_lane_u8(vgetq_lane_u8(y[2], 2), y[2], 3);\n", "enc_bulk", 3, DIFFERS,
    ),
    "ARIA: a lost carry": (
        "aria_neon_aes", "aria_neon_aes.c",
        "carry = vcltq_u8(sum, number);", "carry = vsetq_lane_u8(0, vcltq_u8(sum, number), 1);", "ctr", 2, DIFFERS,
    ),
    "ARIA: a counter that carries into its first half once too seldom": (
        "aria_neon_tower", "aria_neon_tower.c", "i += 16, move_on(&next, 1)", "i += 16, next.low++", "ctr", 3, DIFFERS,
    ),
    "ARIA: a load beyond the buffer by one lane": (
        "aria_neon_aes", "aria_neon_aes.c", ARIA_READ, "    V x[16];\n" + LOAD_BEHIND.format("in + 241") + ARIA_READ[len("    V x[16];\n"):],
        "enc_bulk", 16, r"reads ram\[in \+256\], which is not its own",
    ),
    "ARIA: a wrong constant of an S-box": (
        "aria_neon_aes", "aria_neon_aes.c", "#define L_INVERSE_OF_0 0x04", "#define L_INVERSE_OF_0 0x05", "enc_bulk", 1, DIFFERS,
    ),
}  # fmt: skip


ON_ARMV7 = {  # the same for ARMv7, whose rounds of LEA are another file
    "LEA: a load beyond the buffer by one lane": (
        "lea_neon", "lea_neon.c", WHOLE, WHOLE + "    if (n >= BATCH) " + LOAD_BEHIND.format("in + 113").lstrip(), "enc_bulk", 8, r"reads ram\[in \+128\], which is not its own",
    ),
    "LEA: a clobbered d8": ("lea_neon", "lea_neon.c", WHOLE, WHOLE + '    __asm__ volatile("vmov.i8 d8, #1");\n', "enc_bulk", 1, "d8 is not as it was"),
    "LEA: a branch on a round key": (
        "lea_neon", "lea_neon.c",
        WHOLE, WHOLE + '    if (*(const uint8_t *)rk & 1) __asm__ volatile("nop");\n', "enc_bulk", 8, "a branch on round keys 0",
    ),
    "LEA: a store of words that need not be aligned": (
        "lea_neon", "lea_neon.c", WHOLE, WHOLE + '    if (n) __asm__ volatile("stm %0, {r0, r1}" ::"r"(out) : "memory");\n', "enc_bulk", 1, "need not be a multiple of 4",
    ),
    **{name: PLANTED[name] for name in (
        "LEA: a lost carry", "HIGHT: a wrong lane in one of 16 blocks", "HIGHT: a lost carry", "HIGHT: a load beyond the buffer by one lane",
        "HIGHT: a wrong constant in a table", "ARIA: a counter that carries into its first half once too seldom",
    )},
}  # fmt: skip
FAULTS = [*((NEON, name) for name in PLANTED), *((ARMV7, name) for name in ON_ARMV7)]
QUICK = ("LEA: a clobbered d8", "LEA: a load beyond the buffer by one lane", "LEA: a clobbered v8", "HIGHT: a load beyond the buffer by one lane")


def planted(kernel: str, name: str, there: str, instead: str, folder: Path) -> dict[Path, Path]:
    """The kernel's sources with a fault in one of them."""
    own = CARDS[kernel].folder
    planted_in = shutil.copytree(own, folder / "neon") / name
    assert planted_in.read_text().count(there) == 1
    planted_in.write_text(planted_in.read_text().replace(there, instead))
    return {path: folder / "neon" / path.name for path in own.glob("*.c")}


@pytest.mark.parametrize("host, fault", [pytest.param(*f, id=f"{f[1]}, {f[0].name}", marks=() if f[1] in QUICK else LATER) for f in FAULTS])
def test_planted_faults_are_refused(host, fault, tmp_path):
    kernel, name, there, instead, operation, n, why = (PLANTED if host is NEON else ON_ARMV7)[fault]
    changed = planted(kernel, name, there, instead, tmp_path)
    claim = next(c for c in claims(kernel, (n,), changed, host) if c.operation == operation)
    assert re.search(why, "; ".join(breaches(claim.stated, claim.prove())))


# ---- Every number of blocks.


def some_calls(claim: hosts.HostClaim) -> str:
    """What is wrong with a turn of the loop over batches of LEA, or with calls for 1 and 15 blocks."""
    calls = hosts.Calls(claim, Graph(), ("apart",))
    calls.few = 1, 15
    try:
        found = list(calls.runs())
    except Unproved as error:
        return str(error)
    assert len(found) > 2
    return "" if all(got == wanted for _, got, wanted in found) else DIFFERS


@pytest.mark.guards("result", sample="every number of blocks, AArch64 and ARMv7")
@pytest.mark.parametrize("host, operation", [(NEON, "ctr"), (NEON, "enc_bulk"), (ARMV7, "ctr"), (ARMV7, "enc_bulk")])
def test_a_turn_of_the_loop(host, operation):
    """The calls come to the loop with unknown bytes in scratch registers, and with what began before any number of batches in others.
    `make prove` takes all numbers and places of the input."""
    assert some_calls(next(c for c in claims("lea_neon", (), host=host) if (c.operation, c.cipher) == (operation, "LEA-128"))) == ""


@pytest.mark.slow
@pytest.mark.parametrize("host", ARM.values(), ids=ARM)
@pytest.mark.parametrize("kernel, operation", [("lea_neon", "ctr"), ("lea_neon", "dec_bulk"), ("hight_neon_table", "enc_bulk")])
def test_every_number_of_blocks(kernel, operation, host):
    claim = next(c for c in claims(kernel, (), host=host) if c.operation == operation)
    assert claim.counts == () and breaches(claim.stated, claim.prove()) == []


INPUT = "                       (const uint8_t *)in, n);"
WHOLE_ONES = "    in += 16 * BATCH * whole, out += 16 * BATCH * whole, n %= BATCH;"
EACH = "    for (; n; n--, in += 16 * BATCH, out += 16 * BATCH) batch(k, rounds, W, out, in);"
LONG = {  # the operation, what stands there, what takes its place, and why it is refused; calls for few blocks are right
    "blocks counted in 32 bits": ("ctr", INPUT, INPUT.replace("n)", "(uint32_t)n)"), "comes back to|does not come to the head|what turns leave"),
    "another input from 1000 blocks on": ("ctr", INPUT, INPUT.replace("in,", "in + (n >= 1000),"), "an address depends on 64 bits"),
    "batches counted in 32 bits behind the loop": (
        "enc_bulk", WHOLE_ONES, WHOLE_ONES.replace("in += 16 * BATCH * whole", "in += 16 * BATCH * (uint32_t)whole"), "an address depends on 64 bits",
    ),
    "a block too far behind the loop": ("enc_bulk", WHOLE_ONES, WHOLE_ONES.replace("in += 16 * BATCH * whole", "in += 16 * (BATCH * whole + (whole > 99))"), "which is not its own"),
    "another round key from the hundredth batch on": (
        "enc_bulk", EACH, EACH.replace("for (; n; n--,", "for (size_t i = 0; n; n--, i++,").replace("batch(k,", "batch(k + (i > 99),"), "an address depends on 62 bits",
    ),
    "another number of blocks behind the loop": ("enc_bulk", WHOLE_ONES, WHOLE_ONES.replace("n %= BATCH", "n = n < 99 ? n % BATCH : 0"), "which nobody wrote"),
}  # fmt: skip


@pytest.mark.parametrize("fault", [pytest.param(f, marks=() if f == "blocks counted in 32 bits" else LATER) for f in LONG])
def test_faults_of_long_calls_are_refused(fault, tmp_path):
    operation, there, instead, why = LONG[fault]
    changed = planted("lea_neon", "lea_neon.c", there, instead, tmp_path)
    said = some_calls(next(c for c in claims("lea_neon", (), changed) if c.operation == operation))
    assert re.search(why, said)
