# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The instructions of kernels for AArch64 and ARMv7 do in the proof's machine what qemu does."""

import re
from collections.abc import Iterator
from types import SimpleNamespace

import capstone
import pytest
import states
from capstone import arm

from bench.declared.model import load_cards
from proof import armv7, ghash_neon, hosts, neon
from proof.bits import Unproved

pytestmark = pytest.mark.full  # too slow for make test-quick

AARCH64 = states.Processor(
    neon.NeonFrame, neon.ABI, "aarch64_states.c", "qemu-aarch64", neon.GCC, (),
    (*(f"x{i}" for i in range(31)), "sp"), tuple(f"q{i}" for i in range(32)), unused=1,
)  # fmt: skip
ARMV7 = states.Processor(
    armv7.ArmFrame, armv7.ABI, "armv7_states.c", "qemu-arm", armv7.GCC, ("-marm",),
    (*(f"r{i}" for i in range(13)), "sp", "lr"), tuple(f"d{i}" for i in range(32)),
)  # fmt: skip


def libraries(host: hosts.Host) -> Iterator[hosts.Library]:
    """Those of all kernels in NEON, which the portable ones are parts of."""
    for compiled in host.compiled:
        for card in load_cards():
            if card.machine == "neon":
                yield hosts.Library(hosts.link(host, compiled, card), 0)


# ---- AArch64.

# Branches and what depends on the program counter: B, BL, B.cond, CBZ, CBNZ, TBZ, TBNZ, BR, BLR, RET, ADR, ADRP, and LDR from a
# label.
FLOW = [
    (0x7C000000, 0x14000000), (0xFE000000, 0x54000000), (0x7E000000, 0x34000000), (0x7E000000, 0x36000000),
    (0xFE000000, 0xD6000000), (0x1F000000, 0x10000000), (0x3B000000, 0x18000000),
]  # fmt: skip


def on_aarch64() -> list[states.Code]:
    """The instructions of all kernels in NEON and of GHASH, whether they have claims or not, but for those of FLOW."""
    found = set()
    for library in (*libraries(neon.NEON), *(hosts.Library(ghash_neon.library(compiled), 0) for compiled in neon.NEON.compiled)):
        for at, size, _ in library.functions:
            code = library.read(at, size)
            found |= {code[i : i + 4] for i in range(0, size, 4)}
    flows = lambda code: any(int.from_bytes(code, "little") & mask == value for mask, value in FLOW)  # noqa: E731
    return [states.Code(code) for code in sorted(found) if not flows(code) and any(code)]


def defined_on_aarch64(codes: list[states.Code]) -> set[states.Code]:
    """For each instruction that proof/neon.py defines one encoding."""
    m, found = states.machine(AARCH64), {}
    for code in codes:
        try:
            found |= {op[3]: code for op in m._lifted(0x1000, code.raw)[1] if op[3] in neon.DEFINED.values()}
        except Unproved:
            continue
    assert found.keys() == set(neon.DEFINED.values())
    return set(found.values())


@pytest.mark.parametrize("every, times", [(300, 3), pytest.param(1, 4, marks=pytest.mark.slow)])
def test_instructions_of_aarch64(every, times, tmp_path):
    """In make test a part of the encodings, among which is one of each instruction that proof/neon.py defines."""
    codes = on_aarch64()
    chosen = {*codes[::every], *defined_on_aarch64(codes)}
    assert states.differing(AARCH64, chosen, times, tmp_path) == (set(), set())


# ---- ARMv7.

NOP = {False: bytes.fromhex("00f020e3"), True: bytes.fromhex("00bf")}  # in Arm and in Thumb state


DECODERS = {thumb: armv7.decoder(thumb) for thumb in NOP}
for each in DECODERS.values():
    each.detail = True


def instructions(library: hosts.Library) -> Iterator[states.Code]:
    """The instructions of a library, but for jumps and for what depends on the program counter. Those in IT blocks have an IT of their own."""
    end = max(at + size for at, size, _ in library.functions)
    for (at, kind), (behind, _) in zip(library.marks, [*library.marks[1:], (end, "")]):
        if kind == "d" or not any(first <= at < first + size for first, size, _ in library.functions):
            continue
        thumb, conditions = kind == "t", []
        for i in DECODERS[thumb].disasm(library.read(at, behind - at), at):
            if i.id == arm.ARM_INS_IT:
                conditions = [i.cc if x == "t" else (i.cc - 1 ^ 1) + 1 for x in i.mnemonic[1:]]
                continue
            it, conditions = conditions[:1], conditions[1:]
            flows = i.group(capstone.CS_GRP_JUMP) or i.group(capstone.CS_GRP_CALL)
            if flows or i.id == arm.ARM_INS_ADR or re.search(r"\bpc\b", i.op_str):
                continue
            raw = (bytes([it[0] - 1 << 4 | 8, 0xBF]) if it else b"") + bytes(i.bytes)
            yield states.Code(raw, (NOP[thumb] * 4)[: 8 - len(raw)], int(thumb))


def defined_on_armv7(codes: list[states.Code]) -> set[states.Code]:
    """For each instruction that proof/armv7.py defines, each type of lanes and each kind of operands one encoding. lr and r0 are of different
    kinds: VMOV to lr was once taken for one to a vector."""
    kind = lambda operand: re.sub(r"\d+", "", operand) if isinstance(operand, str) else type(operand)  # noqa: E731
    found = {}
    for code in codes:
        i = armv7.decoded(code.raw.ljust(4, b"\0"), bool(code.state))
        if not isinstance(i, tuple):
            found.setdefault((i.name, i.type, *map(kind, i.operands)), code)
    assert {name for name, *_ in found} == armv7.KNOWN
    return set(found.values())


def prepare(m: armv7.ArmFrame, code: states.Code) -> None:
    m.library = SimpleNamespace(marks=[(0, "t" if code.state else "a")], path="")
    m.conditions = ()


@pytest.mark.parametrize("every, times", [(500, 3), pytest.param(1, 1, marks=pytest.mark.slow)])
def test_instructions_of_armv7(every, times, tmp_path):
    """In make test a part of the encodings, among which is one of each instruction that proof/armv7.py defines."""
    codes = sorted({code for library in libraries(armv7.ARMV7) for code in instructions(library)})
    chosen = {*codes[::every], *defined_on_armv7(codes)}
    assert states.differing(ARMV7, chosen, times, tmp_path, prepare) == (set(), set())
