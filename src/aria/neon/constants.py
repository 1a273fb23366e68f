# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Derives the tables of nibbles in aria_neon_tower.h and compares; prints them where they differ.

    python constants.py

GF(256) as k + i s over GF(16) = GF(2)[z]/(z^4 + z + 1) with s^2 = a s + a. With N = k^2 + a i k + a i^2 the inverse is
((k + a i) + i s)/N. Let j = i + k. Then io = 1/(1/i + a/k) + j and jo = 1/(1/j + a/k) + i are N/(k + a i) and
N/(k + a j), and i = ((k + a j) + (1 + a)(k + a i))/a^2: so the inverse is linear in 1/io and 1/jo, and everything is a
look-up of nibbles. 1/0 is written 80, which is outside of every table: its look-up is 0.
"""

import re
from functools import reduce
from pathlib import Path

HERE = Path(__file__).parent


def times(a, b, modulus, bits):
    product = 0
    for i in range(bits):
        product ^= (a << i) if b >> i & 1 else 0
    for i in range(2 * bits - 2, bits - 1, -1):
        product ^= (modulus << (i - bits)) if product >> i & 1 else 0
    return product


def m4(a, b):
    return times(a, b, 0x13, 4)


def m8(a, b):
    return times(a, b, 0x11B, 8)


INV4 = [0] + [next(b for b in range(16) if m4(a, b) == 1) for a in range(1, 16)]
INV8 = [0] + [next(b for b in range(256) if m8(a, b) == 1) for a in range(1, 256)]
A = next(a for a in range(2, 16) if all(m4(s, s) ^ m4(a, s) ^ a for s in range(16)))  # s^2 + a s + a has no root


def tower(x, y):
    """The product of k + i s, bytes with i in the upper nibble."""
    k, i, l, j = x & 15, x >> 4, y & 15, y >> 4
    ss = m4(i, j)
    return m4(k, l) ^ m4(A, ss) | (m4(k, j) ^ m4(i, l) ^ m4(A, ss)) << 4


def linear(images):
    """The linear map with these images of 1, 2, 4 ... as a table of 256."""
    return [reduce(lambda s, b: s ^ (images[b] if x >> b & 1 else 0), range(8), 0) for x in range(256)]


def isomorphism():
    """T with T(xy) = T(x) T(y): the image of x is a root of x^8 + x^4 + x^3 + x + 1."""
    for root in range(2, 256):
        powers = [1]
        for _ in range(8):
            powers.append(tower(powers[-1], root))
        if powers[8] ^ powers[4] ^ powers[3] ^ powers[1] ^ 1 == 0:
            return linear(powers[:8])
    raise AssertionError


T = isomorphism()
BACK = [T.index(x) for x in range(256)]
table = re.sub(r"/\*.*?\*/", "", (HERE.parent / "c/aria_c_table.c").read_text(), flags=re.S)
boxes = [int(n, 0) for n in re.findall(r"0x[0-9a-f]+", table[table.index("SB[4][256]") :].partition(";")[0])]
SB1, SB2, SB3, SB4 = (boxes[n : n + 256] for n in range(0, 1024, 256))

# SB1 = OUT1(1/x) + 63, SB2 = OUT2(1/x) + e2; SB3 and SB4 undo them
OUT1 = [SB1[INV8[x]] ^ 0x63 for x in range(256)]
OUT2 = [SB2[INV8[x]] ^ 0xE2 for x in range(256)]
for x in range(256):
    assert OUT1[x ^ 1] == OUT1[x] ^ OUT1[1] and OUT2[x ^ 1] == OUT2[x] ^ OUT2[1]
    assert SB3[SB1[x]] == x and SB4[SB2[x]] == x


def nibbles(f):
    """A linear map as two tables: of the lower nibble and of the upper one."""
    return [[f(n) for n in range(16)], [f(n << 4) for n in range(16)]]


def outputs(f):
    """f of the inverse by 1/io and 1/jo, both of which the tables invert."""
    over, a2 = [INV4[n] for n in range(16)], INV4[m4(A, A)]
    of_io = [f(over[n] | m4(m4(a2, 1 ^ A), over[n]) << 4) for n in range(16)]
    return [of_io, [f(m4(a2, over[n]) << 4) for n in range(16)]]


TABLES = {
    "INVERT": [[INV4[n] or 0x80 for n in range(16)], [m4(A, INV4[n]) or 0x80 for n in range(16)]],
    "TO_TOWER": nibbles(lambda x: T[x]),
    "FROM_TOWER": nibbles(lambda x: BACK[x]),
    "BEFORE_SB3": nibbles(lambda x: T[OUT1.index(BACK[x])]),
    "BEFORE_SB4": nibbles(lambda x: T[OUT2.index(BACK[x])]),
    "AFTER_SB1": outputs(lambda x: T[OUT1[BACK[x]]]),
    "AFTER_SB2": outputs(lambda x: T[OUT2[BACK[x]]]),
    "AFTER_SB34": outputs(lambda x: x),
}


def look_up(t, n):
    return t[n] if n < 16 else 0


def inverse(x, after):
    """As the kernel does it."""
    invert, a_over = TABLES["INVERT"]
    i, k = x >> 4, x & 15
    j, ak = i ^ k, look_up(a_over, k)
    io = look_up(invert, look_up(invert, i) ^ ak) ^ j
    jo = look_up(invert, look_up(invert, j) ^ ak) ^ i
    return look_up(after[0], io) ^ look_up(after[1], jo)


def mapped(x, two):
    return two[0][x & 15] ^ two[1][x >> 4]


for x in range(256):
    t = mapped(x, TABLES["TO_TOWER"])
    assert mapped(t, TABLES["FROM_TOWER"]) == x
    assert BACK[inverse(t, TABLES["AFTER_SB1"])] == SB1[x] ^ 0x63
    assert BACK[inverse(t, TABLES["AFTER_SB2"])] == SB2[x] ^ 0xE2
    assert BACK[inverse(mapped(t, TABLES["BEFORE_SB3"]), TABLES["AFTER_SB34"])] == SB3[x ^ 0x63]
    assert BACK[inverse(mapped(t, TABLES["BEFORE_SB4"]), TABLES["AFTER_SB34"])] == SB4[x ^ 0xE2]

text = "".join(
    f"static const uint8_t {name}[2][16] = {{\n"
    + ",\n".join("    { " + ", ".join(f"0x{n:02x}" for n in row) + " }" for row in rows)
    + "\n};\n"
    for name, rows in TABLES.items()
)
header = HERE / "aria_neon_tower.h"
if not header.exists() or text not in header.read_text():
    raise SystemExit(text)
print("all as derived")
