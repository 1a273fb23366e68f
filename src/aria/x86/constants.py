# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the constants of the x86 kernels against the S-boxes of aria_c_table.c and the diffusion layer of diffusion.py.

    python constants.py

The headers beside this file hold them: matrices and constants for GFNI, the map L by nibbles, the terms of the
diffusion layer by columns, and the 49 XORs with where they leave the bytes."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "avr"))
from diffusion import MATRIX, ROWS, run  # noqa: E402


def text(name: str) -> str:
    return re.sub(r"\\\n|//.*|/\*.*?\*/", "", (HERE / name).read_text(), flags=re.S)


def numbers(source: str, begin: str, end: str = ";") -> list:
    part = source[source.index(begin) + len(begin) :]
    return [int(n, 0) for n in re.findall(r"\b(?:0x[0-9a-f]+|\d+)\b", part[: part.index(end)])]


def times(a: int, b: int) -> int:
    product = 0
    for i in range(8):
        product ^= (a if b >> i & 1 else 0) << i
    for i in range(14, 7, -1):
        product ^= (0x11B if product >> i & 1 else 0) << (i - 8)
    return product


def affine(matrix: int, constant: int, x: int) -> int:
    """As gf2p8affineqb: bit i is the parity of x and byte 7 - i, and the constant."""
    return constant ^ sum(((matrix >> 8 * (7 - i) & x & 255).bit_count() & 1) << i for i in range(8))


INVERSE = [0] + [next(b for b in range(256) if times(a, b) == 1) for a in range(1, 256)]

table = re.sub(r"/\*.*?\*/", "", (HERE.parent / "c/aria_c_table.c").read_text(), flags=re.S)
boxes = numbers(table, "SB[4][256]")[-1024:]
SB1, SB2, SB3, SB4 = (boxes[i : i + 256] for i in range(0, 1024, 256))

gfni = text("aria_x86_gfni.h")
m = {name: int(re.search(rf"#define {name} UINT64_C\((0x\w+)\)", gfni)[1], 16) for name in ("M1", "M2", "N1", "N2", "ID")}
for x in range(256):
    assert SB1[x] == affine(m["M1"], 0x63, INVERSE[x]) and SB2[x] == affine(m["M2"], 0xE2, INVERSE[x])
    assert SB3[x] == INVERSE[affine(m["N1"], 0x05, x)] and SB4[x] == INVERSE[affine(m["N2"], 0x2C, x)]
    assert affine(m["ID"], 0, x) == x
for n in "12":
    late = [int(v, 0) for v in re.search(rf"#define LATE_{n} (.*)", gfni)[1].split(",")]
    after = [int(v, 0) for v in re.search(rf"#define A_LATE_{n} (.*)", gfni)[1].split(",")]
    for i, row in enumerate(MATRIX):
        total = 0
        for j in row:
            total ^= late[j]
        assert total == after[i]

aes = text("aria_x86_aes.h")
L, L_inverse = (numbers(aes, name)[-32:] for name in (" L[2][16]", " L_INVERSE[2][16]"))
for x in range(256):
    assert SB2[x] == L[SB1[x] & 15] ^ L[16 + (SB1[x] >> 4)]
    assert SB4[x] == SB3[L_inverse[x & 15] ^ L_inverse[16 + (x >> 4)]]

head = text("aria_x86.h")
terms = {n: re.search(rf"#define TERM_{n}\(X\) X\((.*)\)", head)[1].split(", ") for n in (f"{c}{k}" for c in range(4) for k in "AB")}
for i, row in enumerate(MATRIX):
    assert sorted(int(t[i]) for t in terms.values() if t[i] != "NO") == list(row)
    assert all(int(t[i]) % 4 == int(n[0]) for n, t in terms.items() if t[i] != "NO")

slots = text("aria_x86_slots.h")
turned = [int(n) for n in re.findall(r"TURNED_\d+ = (\d+)", slots)]
there, back = (
    [(int(a), int(b)) for a, b in re.findall(r"ADD\((\d+), (\d+)\)", part)]
    for part in slots[slots.index("#define ADD(") : slots.index("#undef ADD\n")].split("A_back(")
)
x = run(there)
assert [x[p] for p in turned] == ROWS and back == [(b, a) for a, b in reversed(there)]
print("all as derived")
