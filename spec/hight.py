# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HIGHT as ISO/IEC 18033-3 defines it: eight bytes, 32 rounds of addition, rotation and XOR.

Keys and blocks are lists of bytes in wire order: a key begins with MK0, a block with P0. Round keys are a pair: the
whitening keys WK0 to WK7 and the subkeys SK0 to SK127.
"""

WORD = 8  # bits
ROUNDS = 32


def _deltas() -> list[int]:
    """The constants of the key schedule: successive states of the shift register x^7 + x^3 + 1."""
    s = [0, 1, 0, 1, 1, 0, 1]
    for i in range(7, 134):
        s.append(s[i - 4] ^ s[i - 7])
    return [sum(s[i + j] << j for j in range(7)) for i in range(128)]


DELTA = _deltas()


def F0(x):
    return x.rol(1) ^ x.rol(2) ^ x.rol(7)


def F1(x):
    return x.rol(3) ^ x.rol(4) ^ x.rol(6)


def F1_inverse(x):
    return x.rol(2) ^ x.rol(3) ^ x.rol(4) ^ x.rol(5) ^ x.rol(7)


def round_keys(mk: list) -> tuple[list, list]:
    sk = []
    for i in range(8):
        sk += [mk[(j - i) % 8] + DELTA[16 * i + j] for j in range(8)]
        sk += [mk[(j - i) % 8 + 8] + DELTA[16 * i + j + 8] for j in range(8)]
    return mk[12:] + mk[:4], sk


def whitened(x: list, wk: list) -> list:
    """The initial transformation with WK0 to WK3; the final one with WK4 to WK7."""
    return [x[0] + wk[0], x[1], x[2] ^ wk[1], x[3], x[4] + wk[2], x[5], x[6] ^ wk[3], x[7]]


def unwhitened(x: list, wk: list) -> list:
    return [x[0] - wk[0], x[1], x[2] ^ wk[1], x[3], x[4] - wk[2], x[5], x[6] ^ wk[3], x[7]]


def one_round(x: list, k: list) -> list:
    """One round with four subkeys."""
    return [
        x[7] ^ (F0(x[6]) + k[3]), x[0], x[1] + (F1(x[0]) ^ k[0]), x[2],
        x[3] ^ (F0(x[2]) + k[1]), x[4], x[5] + (F1(x[4]) ^ k[2]), x[6],
    ]  # fmt: skip


def one_round_back(x: list, k: list) -> list:
    return [
        x[1], x[2] - (F1(x[1]) ^ k[0]), x[3], x[4] ^ (F0(x[3]) + k[1]),
        x[5], x[6] - (F1(x[5]) ^ k[2]), x[7], x[0] ^ (F0(x[7]) + k[3]),
    ]  # fmt: skip


def rounds(x: list, sk: list) -> list:
    """All rounds without whitening. The last round does not move the bytes on, so they are moved back behind it."""
    for i in range(0, 4 * ROUNDS, 4):
        x = one_round(x, sk[i : i + 4])
    return x[1:] + x[:1]


def encrypt(rk: tuple[list, list], x: list) -> list:
    wk, sk = rk
    return whitened(rounds(whitened(x, wk[:4]), sk), wk[4:])


def decrypt(rk: tuple[list, list], x: list) -> list:
    wk, sk = rk
    x = unwhitened(x, wk[4:])
    x = x[7:] + x[:7]
    for i in reversed(range(0, 4 * ROUNDS, 4)):
        x = one_round_back(x, sk[i : i + 4])
    return unwhitened(x, wk[:4])
