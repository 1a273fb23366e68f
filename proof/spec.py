# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LEA, HIGHT and ARIA as their standards write them, over words that know ^, +, rol and looked_up (bits.Word).

Bytes and words of a block or key are lists in wire order: HIGHT's list begins with P0 or MK0. Round keys:
LEA: six words a round. HIGHT: whitening keys WK0..7 and subkeys SK0..127. ARIA: 16 bytes a round and 16 more.
"""

from proof.bits import Word, join

# ---- LEA, ISO/IEC 29192-2.

DELTA = [0xC3EFE9DB, 0x44626B02, 0x79E27C8A, 0x78DF30EC, 0x715EA49E, 0xC785DA0A, 0xE04EF22A, 0xE5C40957]
ROTATIONS = [1, 3, 6, 11, 13, 17]
LEA_ROUNDS = {16: 24, 24: 28, 32: 32}  # by bytes of key


def rol32(x: int, n: int) -> int:
    return (x << n % 32 | x >> -n % 32) & 0xFFFFFFFF


def lea_states(key: list) -> list[list]:
    """The key schedule's T before the first round and behind each."""
    T, n = list(key), len(key)
    states = [list(T)]
    for i in range(LEA_ROUNDS[4 * n]):
        for j in range(min(n, 6)):
            at = j if n < 8 else (6 * i + j) % 8
            T[at] = (T[at] + rol32(DELTA[i % n], i + j)).rol(ROTATIONS[j])
        states.append(list(T))
    return states


def lea_states_back(last: list) -> list[list]:
    """The same from the last of them."""
    T, n = list(last), len(last)
    states = [list(T)]
    for i in reversed(range(LEA_ROUNDS[4 * n])):
        for j in range(min(n, 6)):
            at = j if n < 8 else (6 * i + j) % 8
            T[at] = T[at].ror(ROTATIONS[j]) - rol32(DELTA[i % n], i + j)
        states.append(list(T))
    return states[::-1]


def lea_rounds(states: list[list]) -> list[list]:
    n = len(states[0])
    order, turn = [0, 1, 2, 1, 3, 1] if n == 4 else range(6), 6 if n == 8 else 0
    return [[T[(turn * i + j) % n] for j in order] for i, T in enumerate(states[1:])]


def lea_keys(key: list) -> list[list]:
    return lea_rounds(lea_states(key))


def lea_encrypt(rk: list[list], x: list) -> list:
    for k in rk:
        x = [
            ((x[0] ^ k[0]) + (x[1] ^ k[1])).rol(9),
            ((x[1] ^ k[2]) + (x[2] ^ k[3])).rol(27),
            ((x[2] ^ k[4]) + (x[3] ^ k[5])).rol(29),
            x[0],
        ]
    return x


def lea_decrypt(rk: list[list], x: list) -> list:
    for k in rk[::-1]:
        a = x[3]
        b = (x[0].ror(9) - (a ^ k[0])) ^ k[1]
        c = (x[1].ror(27) - (b ^ k[2])) ^ k[3]
        x = [a, b, c, (x[2].ror(29) - (c ^ k[4])) ^ k[5]]
    return x


# ---- HIGHT, ISO/IEC 18033-3.


def hight_deltas() -> list[int]:
    s = [0, 1, 0, 1, 1, 0, 1]
    for i in range(7, 134):
        s.append(s[i - 4] ^ s[i - 7])
    return [sum(s[i + j] << j for j in range(7)) for i in range(128)]


def F0(x):
    return x.rol(1) ^ x.rol(2) ^ x.rol(7)


def F1(x):
    return x.rol(3) ^ x.rol(4) ^ x.rol(6)


def hight_keys(mk: list) -> tuple[list, list]:
    delta, sk = hight_deltas(), []
    for i in range(8):
        sk += [mk[(j - i) % 8] + delta[16 * i + j] for j in range(8)]
        sk += [mk[(j - i) % 8 + 8] + delta[16 * i + j + 8] for j in range(8)]
    return mk[12:] + mk[:4], sk


def hight_encrypt(rk: tuple[list, list], x: list) -> list:
    wk, sk = rk
    x = [x[0] + wk[0], x[1], x[2] ^ wk[1], x[3], x[4] + wk[2], x[5], x[6] ^ wk[3], x[7]]
    for i in range(32):
        k = sk[4 * i : 4 * i + 4]
        x = [
            x[7] ^ (F0(x[6]) + k[3]), x[0], x[1] + (F1(x[0]) ^ k[0]), x[2],
            x[3] ^ (F0(x[2]) + k[1]), x[4], x[5] + (F1(x[4]) ^ k[2]), x[6],
        ]  # fmt: skip
    x = x[1:] + x[:1]
    return [x[0] + wk[4], x[1], x[2] ^ wk[5], x[3], x[4] + wk[6], x[5], x[6] ^ wk[7], x[7]]


def hight_decrypt(rk: tuple[list, list], x: list) -> list:
    wk, sk = rk
    x = [x[0] - wk[4], x[1], x[2] ^ wk[5], x[3], x[4] - wk[6], x[5], x[6] ^ wk[7], x[7]]
    x = x[7:] + x[:7]
    for i in reversed(range(32)):
        k = sk[4 * i : 4 * i + 4]
        x = [
            x[1], x[2] - (F1(x[1]) ^ k[0]), x[3], x[4] ^ (F0(x[3]) + k[1]),
            x[5], x[6] - (F1(x[5]) ^ k[2]), x[7], x[0] ^ (F0(x[7]) + k[3]),
        ]  # fmt: skip
    return [x[0] - wk[0], x[1], x[2] ^ wk[1], x[3], x[4] - wk[2], x[5], x[6] ^ wk[3], x[7]]


# ---- ARIA, RFC 5794.


def times(a: int, b: int) -> int:
    """In GF(2^8) modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    for i in range(8):
        product ^= (a << i) * (b >> i & 1)
    for i in range(14, 7, -1):
        product ^= (0x11B << i - 8) * (product >> i & 1)
    return product


def power(x: int, n: int) -> int:
    y = 1
    for bit in f"{n:b}":
        y = times(y, y)
        y = times(y, x) if bit == "1" else y
    return y


def affine(columns: list[int], constant: int, x: int) -> int:
    """columns[i] is the matrix's column for bit i."""
    for i, column in enumerate(columns):
        constant ^= column * (x >> i & 1)
    return constant


def sboxes() -> list[list[int]]:
    """SB1 is that of AES; SB2 of x^247; SB3 and SB4 undo them."""
    a = [0x1F, 0x3E, 0x7C, 0xF8, 0xF1, 0xE3, 0xC7, 0x8F]
    b = [0xAC, 0xC5, 0x12, 0xCF, 0x5B, 0x5F, 0x85, 0xEE]
    sb1 = [affine(a, 0x63, power(x, 254)) for x in range(256)]
    sb2 = [affine(b, 0xE2, power(x, 247)) for x in range(256)]
    return [sb1, sb2, [sb1.index(x) for x in range(256)], [sb2.index(x) for x in range(256)]]


SB = sboxes()
SL1, SL2 = SB, SB[2:] + SB[:2]
A = [
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
ARIA_ROUNDS = {16: 12, 24: 14, 32: 16}  # by bytes of key


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


def aria_round(layer: list[list[int]], x: list, k: list) -> list:
    return diffused(substituted(layer, xor(x, k)))


def aria_keys(key: list) -> list[list]:
    """key: bytes, with zeros where it is shorter than 32."""
    zero = [key[0] ^ key[0]] * 16
    kl, kr = key[:16], (key[16:] + zero)[:16]
    first = len(key) // 8 - 2
    c = CK[first:] + CK[:first]
    w = [kl]
    w.append(xor(aria_round(SL1, w[0], c[0]), kr))
    w.append(xor(aria_round(SL2, w[1], c[1]), w[0]))
    w.append(xor(aria_round(SL1, w[2], c[2]), w[1]))
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0)]
    keys = [xor(w[a], turned(w[b], n)) for n in (19, 31, 67, 97) for a, b in pairs] + [xor(w[0], turned(w[1], 109))]
    return keys[: ARIA_ROUNDS[len(key)] + 1]


def turned(x: list, n: int) -> list:
    """128 bits, bytes with the highest first, rotated to the right."""
    return join(x[::-1]).ror(n).split(8)[::-1]


def aria_inverse_keys(ek: list[list]) -> list[list]:
    return [ek[-1], *(diffused(k) for k in ek[-2:0:-1]), ek[0]]


def aria_encrypt(rk: list[list], x: list) -> list:
    for i, k in enumerate(rk[:-2]):
        x = aria_round(SL2 if i % 2 else SL1, x, k)
    return xor(substituted(SL2, xor(x, rk[-2])), rk[-1])


# ---- All of them, blocks and keys as one word; counter mode.

WIDTH = {"LEA": 32, "HIGHT": 8, "ARIA": 8}
EXPAND = {"LEA": lea_keys, "HIGHT": hight_keys, "ARIA": aria_keys}
ENCRYPT = {"LEA": lea_encrypt, "HIGHT": hight_encrypt, "ARIA": aria_encrypt}
DECRYPT = {"LEA": lea_decrypt, "HIGHT": hight_decrypt, "ARIA": aria_encrypt}


def round_keys(cipher: str, key: Word, inverse: bool = False):
    rounds = EXPAND[cipher](key.split(WIDTH[cipher]))
    return aria_inverse_keys(rounds) if cipher == "ARIA" and inverse else rounds


def crypt(cipher: str, rounds, block: Word, inverse: bool = False) -> Word:
    return join((DECRYPT if inverse else ENCRYPT)[cipher](rounds, block.split(WIDTH[cipher])))


def counter_plus(counter: Word, n: int) -> Word:
    """The whole block counts, its first byte the highest; it wraps."""
    turned = lambda w: join(w.split(8)[::-1])  # noqa: E731
    return turned(turned(counter) + n)
