# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ARIA as RFC 5794 defines it: sixteen bytes, 12, 14 or 16 rounds of substitution and diffusion.

Keys and blocks are lists of bytes. Round keys are a list of 13, 15 or 17 lists of sixteen bytes.
"""

from spec import field
from spec.word import join

WORD = 8  # bits
ROUNDS = {16: 12, 24: 14, 32: 16}  # by the key's size in bytes


def affine(columns: list[int], constant: int, x: int) -> int:
    """The affine map of a byte whose matrix has columns[i] as its column for bit i."""
    for i, column in enumerate(columns):
        constant ^= column * (x >> i & 1)
    return constant


def _sboxes() -> list[list[int]]:
    """SB1 is an affine map of x^254 and the S-box of AES; SB2 is one of x^247; SB3 and SB4 are their inverses."""
    a = [0x1F, 0x3E, 0x7C, 0xF8, 0xF1, 0xE3, 0xC7, 0x8F]
    b = [0xAC, 0xC5, 0x12, 0xCF, 0x5B, 0x5F, 0x85, 0xEE]
    sb1 = [affine(a, 0x63, field.power(x, 254)) for x in range(256)]
    sb2 = [affine(b, 0xE2, field.power(x, 247)) for x in range(256)]
    return [sb1, sb2, [sb1.index(x) for x in range(256)], [sb2.index(x) for x in range(256)]]


SB = _sboxes()
SL1, SL2 = SB, SB[2:] + SB[:2]  # the substitution layers: the S-boxes of bytes 0, 1, 2 and 3, and so on again
A = [  # the diffusion layer: byte i of the result is the sum of these bytes
    [3, 4, 6, 8, 9, 13, 14], [2, 5, 7, 8, 9, 12, 15], [1, 4, 6, 10, 11, 12, 15], [0, 5, 7, 10, 11, 13, 14],
    [0, 2, 5, 8, 11, 14, 15], [1, 3, 4, 9, 10, 14, 15], [0, 2, 7, 9, 10, 12, 13], [1, 3, 6, 8, 11, 12, 13],
    [0, 1, 4, 7, 10, 13, 15], [0, 1, 5, 6, 11, 12, 14], [2, 3, 5, 6, 8, 13, 15], [2, 3, 4, 7, 9, 12, 14],
    [1, 2, 6, 7, 9, 11, 12], [0, 3, 6, 7, 8, 10, 13], [0, 3, 4, 5, 9, 11, 14], [1, 2, 4, 5, 8, 10, 15],
]  # fmt: skip
CK = [
    bytes.fromhex("517cc1b727220a94fe13abe8fa9a6ee0"),
    bytes.fromhex("6db14acc9e21c820ff28b1d5ef5de2b0"),
    bytes.fromhex("db92371d2126e9700324977504e8c90e"),
]


def xor(a: list, b: list) -> list:
    return [x ^ y for x, y in zip(a, b, strict=True)]


def substituted(layer: list[list[int]], x: list) -> list:
    return [b.looked_up(layer[i % 4]) for i, b in enumerate(x)]


def diffused(x: list) -> list:
    out = []
    for row in A:
        y = x[row[0]]
        for i in row[1:]:
            y = y ^ x[i]
        out.append(y)
    return out


def one_round(layer: list[list[int]], x: list, k: list) -> list:
    return diffused(substituted(layer, xor(x, k)))


def turned(x: list, n: int) -> list:
    """Sixteen bytes as one number, the first byte its highest, rotated to the right by n bits."""
    return join(x[::-1]).ror(n).split(8)[::-1]


def round_keys(key: list) -> list[list]:
    zero = [key[0] ^ key[0]] * 16
    kl, kr = key[:16], (key[16:] + zero)[:16]
    first = len(key) // 8 - 2
    c = CK[first:] + CK[:first]
    w = [kl]
    w.append(xor(one_round(SL1, w[0], c[0]), kr))
    w.append(xor(one_round(SL2, w[1], c[1]), w[0]))
    w.append(xor(one_round(SL1, w[2], c[2]), w[1]))
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0)]
    keys = [xor(w[a], turned(w[b], n)) for n in (19, 31, 67, 97) for a, b in pairs] + [xor(w[0], turned(w[1], 109))]
    return keys[: ROUNDS[len(key)] + 1]


def inverse_round_keys(ek: list[list]) -> list[list]:
    """The round keys by which `encrypt` decrypts what it encrypted by those given."""
    return [ek[-1], *(diffused(k) for k in ek[-2:0:-1]), ek[0]]


def rounds(keys: list[list], x: list, first: int = 0) -> list:
    """All rounds from the first of these on, but for the last of all, each with its key."""
    for i, k in enumerate(keys, first):
        x = one_round(SL2 if i % 2 else SL1, x, k)
    return x


def last_round(keys: list[list], x: list) -> list:
    """The last round, with the last two keys."""
    return xor(substituted(SL2, xor(x, keys[0])), keys[1])


def encrypt(rk: list[list], x: list) -> list:
    return last_round(rk[-2:], rounds(rk[:-2], x))
