# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of AArch64's kernels: instructions do what qemu does, kernels are proved as compiled, and planted faults are
refused."""

import re
import struct
import subprocess
from random import Random

from marks import LATER
import pytest
from elftools.elf.elffile import ELFFile

from bench.declared.model import ROOT, load_cards
from bench.made import build
from bench.measured.measurement import read_rows
from bench.reported.compare import Proof
from proof import hosts
from proof.__main__ import RESULTS
from proof.bits import Graph, Unproved, number
from proof.claims import breaches
from proof.machine import Machine
from proof.neon import ABI, DEFINED, GCC, NEON, NeonFrame

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
    """The instructions of all kernels in NEON that are compiled in these ways, whether they have claims or not, but for
    those of FLOW."""
    found = set()
    for compiled in ways:
        for card in (card for card in load_cards() if card.machine == "neon"):
            library = hosts.Library(hosts.link(NEON, compiled, card), 0)
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


@pytest.mark.parametrize("every, states", [(150, 3), pytest.param(1, 4, marks=pytest.mark.slow)])
def test_lifted_instructions_do_what_qemu_does(every, states, tmp_path):
    """In make test a part of the encodings at -O2, among which is one of each instruction that proof/neon.py
    defines."""
    flags = ["-O1", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-Wl,-N"]
    program = build.link(GCC, [build.compile(GCC, ROOT / "test/proof/neon_states.c", flags)], flags, tmp_path / "states")
    with program.open("rb") as file:
        window = next(s["st_value"] for s in ELFFile(file).get_section_by_name(".symtab").iter_symbols() if s.name == "window")
    content = Random(1).randbytes(WINDOW)
    step, given, wanted, idle = Step(window, content), [content], [], []
    codes = encodings(NEON.compiled if every == 1 else NEON.compiled[::2])
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


# ---- Kernels.

CARDS = {kernel: card for card, kernel in hosts.kernels(NEON)}


def claims(kernel: str, numbers: tuple[int, ...], planted: dict | None = None, compiled=NEON.compiled[0]):
    path = hosts.link(NEON, compiled, CARDS[kernel], planted)
    return hosts.claims(NEON, CARDS[kernel], kernel, path, numbers)


def test_every_claim_was_proved_of_the_code_there_is():
    """`make prove TARGET=neon` writes these rows of results/proofs.csv."""
    found = {(p.target, p.chip, p.cipher, p.kernel, p.operation): p.code for p in read_rows(RESULTS, Proof) if p.target == NEON.name}
    assert hosts.every(NEON) == found


@pytest.mark.parametrize("operation, cipher, n", [
    ("enc_bulk", "LEA-128", 9), ("dks", "LEA-256", 0), pytest.param("dec_bulk", "LEA-192", 3, marks=LATER),
    pytest.param("ctr", "LEA-256", 2, marks=LATER),
])  # fmt: skip
def test_sample(operation, cipher, n):
    (claim,) = (c for c in claims("lea_neon", (n,)) if (c.operation, c.cipher) == (operation, cipher))
    assert breaches(claim.stated, claim.prove()) == []


BATCH = """    V x[2][4];
    READ(0) READ(1)
    encrypt(k, rounds, W, x);
"""
WHOLE = "    const size_t whole = n / BATCH;\n"
PLANTED = {  # what stands in lea_neon.c, what takes its place, the claim that is refused, and why
    "a wrong lane in one of eight blocks": (
        "x[g][3] = t.val[3];", "x[g][3] = g ? vsetq_lane_u32(vgetq_lane_u32(t.val[3], 2), t.val[3], 3) : t.val[3];",
        "enc_bulk", 8, "differs from the specification",
    ),
    "a lost carry": (
        "carry = vcltq_u32(sum, start);", "carry = vsetq_lane_u32(0, vcltq_u32(sum, start), 1);",
        "ctr", 2, "differs from the specification",
    ),
    "a load beyond the buffer by one lane": (
        BATCH, BATCH + '    __asm__ volatile("" ::"w"(vld1q_u32((const uint32_t *)(const void *)(in + 116))));\n',
        "enc_bulk", 8, r"reads ram\[in \+128\], which is not its own",
    ),
    "a clobbered v8": (
        WHOLE, WHOLE + '    __asm__ volatile("movi v8.16b, #1");\n', "enc_bulk", 1, "d8 is not as it was",
    ),
    "a branch on a round key": (BATCH, BATCH + '    if (k[0] & 1) __asm__ volatile("nop");\n', "enc_bulk", 8, "a branch on round keys 0"),
}  # fmt: skip


QUICK = ("a load beyond the buffer by one lane", "a clobbered v8")


@pytest.mark.parametrize("fault", [pytest.param(f, marks=() if f in QUICK else LATER) for f in PLANTED])
def test_planted_faults_are_refused(fault, tmp_path):
    there, planted, operation, n, why = PLANTED[fault]
    source = CARDS["lea_neon"].folder / "lea_neon.c"
    assert source.read_text().count(there) == 1
    changed = tmp_path / "lea_neon.c"
    changed.write_text(source.read_text().replace(there, planted))
    claim = next(c for c in claims("lea_neon", (n,), {source: changed}) if c.operation == operation)
    assert re.search(why, "; ".join(breaches(claim.stated, claim.prove())))
