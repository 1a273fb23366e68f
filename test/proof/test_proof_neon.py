# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of AArch64's kernels: instructions do what qemu does, kernels are proved as compiled, and planted faults are
refused."""

import re
import shutil
import struct
import subprocess
from pathlib import Path
from random import Random

from marks import LATER
import pytest
from elftools.elf.elffile import ELFFile

from bench.declared.model import ROOT, load_cards
from bench.made import build
from bench.measured.measurement import read_rows
from bench.reported.compare import Proof
from proof import ghash_neon, hosts
from proof.__main__ import HOSTS, RESULTS
from proof.bits import FORMS, Graph, Unproved, Word, number
from proof.bytewise import ByteGraph
from proof.claims import breaches
from proof.machine import Machine
from proof.neon import ABI, DEFINED, GCC, NEON, NeonFrame
from spec.aria import SB

pytestmark = pytest.mark.full  # too slow for make test-quick

WINDOW, MOST = 16384, 64  # as in neon_states.c
STATE = "<31QQQQ512s"
# Branches and what depends on the program counter: B, BL, B.cond, CBZ, CBNZ, TBZ, TBNZ, BR, BLR, RET, ADR, ADRP, and LDR from a
# label.
FLOW = [
    (0x7C000000, 0x14000000), (0xFE000000, 0x54000000), (0x7E000000, 0x34000000), (0x7E000000, 0x36000000),
    (0xFE000000, 0xD6000000), (0x1F000000, 0x10000000), (0x3B000000, 0x18000000),
]  # fmt: skip


def encodings(ways: tuple[hosts.Compiled, ...]) -> list[bytes]:
    """The instructions of all kernels in NEON and of GHASH that are compiled in these ways, whether they have claims or not, but
    for those of FLOW."""
    found = set()
    for compiled in ways:
        paths = [hosts.link(NEON, compiled, card) for card in load_cards() if card.machine == "neon"]
        for library in (hosts.Library(path, 0) for path in (*paths, ghash_neon.library(compiled))):
            for at, size, _ in library.functions:
                code = library.read(at, size)
                found |= {code[i : i + 4] for i in range(0, size, 4)}
    flows = lambda code: any(int.from_bytes(code, "little") & mask == value for mask, value in FLOW)  # noqa: E731
    return sorted(code for code in found if not flows(code) and any(code))


def defined(m: NeonFrame, codes: list[bytes]) -> set[bytes]:
    """For each instruction that proof/neon.py defines one encoding."""
    found = {}
    for code in codes:
        try:
            found |= {op[3]: code for op in m._lifted(0x1000, code)[1] if op[3] in DEFINED.values()}
        except Unproved:
            continue
    assert found.keys() == set(DEFINED.values())
    return set(found.values())


class Step:
    """Single instructions on concrete states, by their lifted operations."""

    def __init__(self, window: int, content: bytes):
        self.window, self.content = window, content
        self.m = NeonFrame.__new__(NeonFrame)
        Machine.__init__(self.m, Graph(), ABI.language, {}, ABI.data, ABI.flash)
        self.m.library, self.m.back = None, 0
        self.m.region("window", window, content, write=True)
        self.base = self.m.memory

    def draw(self, random: Random) -> bytes:
        """A state. In half of the states all registers are pointers or small."""
        pointer = lambda: self.window + random.randrange(4096, 4224)  # noqa: E731
        some = [pointer, lambda: random.randrange(64)]
        if random.random() < 0.5:
            some += [lambda: random.getrandbits(64), lambda: random.getrandbits(32), lambda: (1 << 64) - 1, lambda: 0]
        lanes = [lambda: random.randbytes(16), lambda: bytes([random.choice([0, 1, 127, 128, 255]) for _ in range(16)])]
        lanes += [lambda: bytes(random.randrange(20) for _ in range(16))]  # among which TBL finds entries
        vectors = b"".join(random.choice(lanes)() for _ in range(32))
        return struct.pack(STATE, *(random.choice(some)() for _ in range(31)), pointer() & ~15, random.getrandbits(4) << 28, 0, vectors)

    def lifted(self, code: bytes, state: bytes) -> tuple[bytes, int, bytes]:
        m = self.m
        *x, sp, flags, _, q = struct.unpack(STATE, state)
        m.pc, m.memory, m.code = 0x1000, dict(self.base), dict(enumerate(code, 0x1000))
        for i, value in enumerate([*x, sp]):
            m.set_register(f"x{i}" if i < 31 else "sp", value)
        for i in range(32):
            m.set_register(f"q{i}", int.from_bytes(q[16 * i :][:16], "little"))
        for bit, name in enumerate(FLAGS):
            m.set_register(name, flags >> 28 + bit & 1)
        assert Machine.step(m) == 0x1004
        x = [number(m.register(f"x{i}")) for i in range(31)]
        flags = sum(m.register(name)[0] << 28 + bit for bit, name in enumerate(FLAGS))
        q = b"".join(number(m.register(f"q{i}")).to_bytes(16, "little") for i in range(32))
        after = bytes(number(m.get(ABI.data, self.window + i, 1)) for i in range(WINDOW)) if m.fresh else self.content
        first = next((i for i in range(WINDOW) if after[i] != self.content[i]), WINDOW)
        return struct.pack(STATE, *x, number(m.register("sp")), flags, 0, q), first, after[first:][:MOST].ljust(MOST, b"\0")


FLAGS = ("OV", "CY", "ZR", "NG")


# ---- Instructions.


@pytest.mark.parametrize("every, states", [(300, 3), pytest.param(1, 4, marks=pytest.mark.slow)])
def test_lifted_instructions_do_what_qemu_does(every, states, tmp_path):
    """In make test a part of the encodings, among which is one of each instruction that proof/neon.py defines."""
    flags = ["-O1", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-Wl,-N"]
    program = build.link(GCC, [build.compile(GCC, ROOT / "test/proof/neon_states.c", flags)], flags, tmp_path / "states")
    with program.open("rb") as file:
        window = next(s["st_value"] for s in ELFFile(file).get_section_by_name(".symtab").iter_symbols() if s.name == "window")
    content = Random(1).randbytes(WINDOW)
    step, given, wanted, idle = Step(window, content), [content], [], []
    codes = encodings(NEON.compiled)
    for code in sorted({*codes[::every], *defined(step.m, codes)}):
        random, agreed = Random(code), 0
        for _ in range(400):
            state = step.draw(random)
            try:
                wanted.append((code, step.lifted(code, state)))
            except Unproved as error:
                if "no semantics" in str(error):  # a proof refuses it
                    agreed = states
                    break
                continue
            given += [code.ljust(8, b"\0"), state]
            agreed += 1
            if agreed == states:
                break
        idle += [] if agreed == states else [code.hex()]
    done = subprocess.run(["qemu-aarch64", program], input=b"".join(given), capture_output=True, check=True).stdout
    size = struct.calcsize(STATE) + 8 + MOST
    assert idle == [] and len(done) == size * len(wanted)
    wrong = set()
    for i, (code, (state, first, changed)) in enumerate(wanted):
        after = state + first.to_bytes(8, "little") + changed
        if after != done[size * i :][:size]:
            wrong.add(code.hex())
    assert wrong == set()


# ---- Look-ups.


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


# ---- Kernels.

CARDS = {kernel: card for card in load_cards() if card.machine == "neon" for kernel in card.kernels}


def claims(kernel: str, numbers: tuple[int, ...], planted: dict | None = None, compiled=NEON.compiled[0]):
    path = hosts.link(NEON, compiled, CARDS[kernel], planted)
    return hosts.claims(NEON, CARDS[kernel], kernel, path, numbers)


def test_every_claim_was_proved_of_the_code_there_is():
    """`make prove TARGET=neon` writes these rows of results/proofs.csv."""
    found = {(p.target, p.chip, p.cipher, p.kernel, p.operation): p.code for p in read_rows(RESULTS, Proof) if p.target == NEON.name}
    assert HOSTS[NEON.name]() == found


@pytest.mark.parametrize("operation, cipher, n", [
    ("enc_bulk", "LEA-128", 9), ("dks", "LEA-256", 0), pytest.param("dec_bulk", "LEA-192", 3, marks=LATER),
    pytest.param("ctr", "LEA-256", 2, marks=LATER), ("dec", "HIGHT", 1), pytest.param("ctr", "HIGHT", 5, marks=LATER),
    ("eks", "ARIA-128", 1), pytest.param("enc_bulk", "ARIA-192", 1, marks=LATER), pytest.param("ctr", "ARIA-256", 16, marks=LATER),
])  # fmt: skip
def test_sample(operation, cipher, n):
    kernel = {"LEA": "lea_neon", "HIGHT": "hight_neon_table", "ARIA": "aria_neon_aes"}[cipher[:5].split("-")[0]]
    (claim,) = (c for c in claims(kernel, (n,)) if (c.operation, c.cipher) == (operation, cipher))
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


QUICK = ("LEA: a load beyond the buffer by one lane", "LEA: a clobbered v8", "HIGHT: a load beyond the buffer by one lane")


def planted(kernel: str, name: str, there: str, instead: str, folder: Path) -> dict[Path, Path]:
    """The kernel's sources with a fault in one of them."""
    own = CARDS[kernel].folder
    planted_in = shutil.copytree(own, folder / "neon") / name
    assert planted_in.read_text().count(there) == 1
    planted_in.write_text(planted_in.read_text().replace(there, instead))
    return {path: folder / "neon" / path.name for path in own.glob("*.c")}


@pytest.mark.parametrize("fault", [pytest.param(f, marks=() if f in QUICK else LATER) for f in PLANTED])
def test_planted_faults_are_refused(fault, tmp_path):
    kernel, name, there, instead, operation, n, why = PLANTED[fault]
    changed = planted(kernel, name, there, instead, tmp_path)
    claim = next(c for c in claims(kernel, (n,), changed) if c.operation == operation)
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


@pytest.mark.guards("result", sample="every number of blocks, AArch64")
@pytest.mark.parametrize("operation", ["ctr", "enc_bulk"])
def test_a_turn_of_the_loop(operation):
    """The calls come to the loop with unknown bytes in scratch registers, and with what began before any number of batches in others.
    `make prove` takes all numbers and places of the input."""
    assert some_calls(next(c for c in claims("lea_neon", ()) if (c.operation, c.cipher) == (operation, "LEA-128"))) == ""


@pytest.mark.slow
@pytest.mark.parametrize("kernel, operation", [("lea_neon", "ctr"), ("lea_neon", "dec_bulk"), ("hight_neon_table", "enc_bulk")])
def test_every_number_of_blocks(kernel, operation):
    claim = next(c for c in claims(kernel, ()) if c.operation == operation)
    assert claim.counts == () and breaches(claim.stated, claim.prove()) == []


INPUT = "                       (const uint8_t *)in, n);"
WHOLE_ONES = "    in += 16 * BATCH * whole, out += 16 * BATCH * whole, n %= BATCH;"
EACH = "    for (; n; n--, in += 16 * BATCH, out += 16 * BATCH) batch(k, rounds, W, out, in);"
UNBOUNDED = r"an address depends on 6\d bits"  # how many it takes to tell one from another is not the point
LONG = {  # the operation, what stands there, what takes its place, and why it is refused; calls for few blocks are right
    "blocks counted in 32 bits": ("ctr", INPUT, INPUT.replace("n)", "(uint32_t)n)"), "comes back to|does not come to the head|what turns leave"),
    "another input from 1000 blocks on": ("ctr", INPUT, INPUT.replace("in,", "in + (n >= 1000),"), UNBOUNDED),
    "batches counted in 32 bits behind the loop": (
        "enc_bulk", WHOLE_ONES, WHOLE_ONES.replace("in += 16 * BATCH * whole", "in += 16 * BATCH * (uint32_t)whole"), UNBOUNDED,
    ),
    "a block too far behind the loop": ("enc_bulk", WHOLE_ONES, WHOLE_ONES.replace("in += 16 * BATCH * whole", "in += 16 * (BATCH * whole + (whole > 99))"), "which is not its own"),
    "another round key from the hundredth batch on": (
        "enc_bulk", EACH, EACH.replace("for (; n; n--,", "for (size_t i = 0; n; n--, i++,").replace("batch(k,", "batch(k + (i > 99),"), UNBOUNDED,
    ),
    "another number of blocks behind the loop": ("enc_bulk", WHOLE_ONES, WHOLE_ONES.replace("n %= BATCH", "n = n < 99 ? n % BATCH : 0"), "which nobody wrote"),
}  # fmt: skip


@pytest.mark.parametrize("fault", [pytest.param(f, marks=() if f == "blocks counted in 32 bits" else LATER) for f in LONG])
def test_faults_of_long_calls_are_refused(fault, tmp_path):
    operation, there, instead, why = LONG[fault]
    changed = planted("lea_neon", "lea_neon.c", there, instead, tmp_path)
    said = some_calls(next(c for c in claims("lea_neon", (), changed) if c.operation == operation))
    assert re.search(why, said)
