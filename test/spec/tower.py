# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Derives the tables of nibbles in src/aria/neon/aria_neon_tower.h.

GF(256) is represented as k + i s over GF(16) = GF(2)[z]/(z^4 + z + 1), with s^2 = a s + a. With N = k^2 + a i k + a i^2
the inverse of k + i s is ((k + a i) + i s)/N. Let j = i + k. Then

    io = 1/(1/i + a/k) + j = N/(k + a i)    and    jo = 1/(1/j + a/k) + i = N/(k + a j).

As i = ((k + a j) + (1 + a)(k + a i))/a^2, the inverse is linear in 1/io and 1/jo, so every step is a look-up of nibbles.
1/0 is written 80. That is outside of every table, and its look-up gives 0.
"""

from spec import aria, field
from spec.field import GF_16

SB1, SB2, SB3, SB4 = aria.SB
INV4 = [field.inverse(x, GF_16) for x in range(16)]
INV8 = [field.inverse(x) for x in range(256)]


def m4(a: int, b: int) -> int:
    return field.times(a, b, GF_16)


A = next(a for a in range(2, 16) if all(m4(s, s) ^ m4(a, s) ^ a for s in range(16)))  # s^2 + a s + a has no root


def product(x: int, y: int) -> int:
    """Of two bytes k + i s, with i in the upper nibble."""
    k, i, l, j = x & 15, x >> 4, y & 15, y >> 4
    ss = m4(i, j)
    return m4(k, l) ^ m4(A, ss) | (m4(k, j) ^ m4(i, l) ^ m4(A, ss)) << 4


def isomorphism() -> list[int]:
    """T with T(xy) = T(x) T(y): it maps x to a root of x^8 + x^4 + x^3 + x + 1, and is linear."""
    for root in range(2, 256):
        powers = [1]
        for _ in range(8):
            powers.append(product(powers[-1], root))
        if powers[8] ^ powers[4] ^ powers[3] ^ powers[1] ^ 1 == 0:
            return [aria.affine(powers[:8], 0, x) for x in range(256)]
    raise AssertionError


T = isomorphism()
BACK = [T.index(x) for x in range(256)]

# SB1 = OUT1(1/x) + 63 and SB2 = OUT2(1/x) + e2, where OUT1 and OUT2 are linear; SB3 and SB4 undo SB1 and SB2.
OUT1 = [SB1[INV8[x]] ^ 0x63 for x in range(256)]
OUT2 = [SB2[INV8[x]] ^ 0xE2 for x in range(256)]

Nibbles = list[list[int]]


def nibbles(f) -> Nibbles:
    """A linear map as two tables: of the lower nibble and of the upper one."""
    return [[f(n) for n in range(16)], [f(n << 4) for n in range(16)]]


def outputs(f) -> Nibbles:
    """f of the inverse, as tables of io and jo, which invert on the way."""
    a2 = INV4[m4(A, A)]
    of_io = [f(INV4[n] | m4(m4(a2, 1 ^ A), INV4[n]) << 4) for n in range(16)]
    return [of_io, [f(m4(a2, INV4[n]) << 4) for n in range(16)]]


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


def look_up(table: list[int], n: int) -> int:
    return table[n] if n < 16 else 0


def inverse(x: int, after: Nibbles) -> int:
    """The inverse of x and the linear map that `after` is, in six look-ups, as the kernel computes them."""
    invert, a_over = TABLES["INVERT"]
    i, k = x >> 4, x & 15
    j, ak = i ^ k, look_up(a_over, k)
    io = look_up(invert, look_up(invert, i) ^ ak) ^ j
    jo = look_up(invert, look_up(invert, j) ^ ak) ^ i
    return look_up(after[0], io) ^ look_up(after[1], jo)


def mapped(x: int, two: Nibbles) -> int:
    return two[0][x & 15] ^ two[1][x >> 4]


def in_c() -> str:
    """The tables as the header has them."""
    row = lambda values: "    { " + ", ".join(f"0x{n:02x}" for n in values) + " }"  # noqa: E731
    return "".join(
        f"static const uint8_t {name}[2][16] = {{\n" + ",\n".join(map(row, rows)) + "\n};\n" for name, rows in TABLES.items()
    )


