# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inputs for kernels that hold two bytes of HIGHT's block in one register, as those of src/hight/armv7m do. Bytes i and
i + 4 are in the two halves, which are called lanes.

An addition in the lower lane leaves bits above its byte. They do no harm unless all of them are ones and a carry comes
from below: then the carry reaches the upper lane. A kernel masks such bits. If a mask is missing, one random round in
five hundred shows it. The inputs that this module makes show it in every second round.
"""

from collections.abc import Iterator
from random import Random

from spec import hight
from spec.word import Integer, in_bytes, words

F0, F1 = ([int(f(Integer(x, 8))) for x in range(256)] for f in (hight.F0, hight.F1))

# Keys and blocks such that, in each round of one of them, x1 carries into a byte that is all ones unless it is masked.
CARRIES = [
    ("5d66813a2a3ded506b5f4778ccf49127", "3d2a737b9f86ce79"),
    ("742b4f3cb914565b851e3573213bc090", "109624558542d301"),
    ("d47791ea1a41874b88b8ba8c5c044d33", "ba26399913a6c209"),
    ("73dc6cc736e0b0669ced2501742cbd5f", "ba857bae5be12f18"),
    ("223bfd4904678f17976f4a140f6c34fb", "5ed40806f3b37cf0"),
    ("6b38b6569a2833100326bec0e3324953", "d364c244ea419e24"),
    ("c395c4a5025122162058d83f56319a1a", "793ec5c91a29d7f6"),
    ("dc5c9da99c1f37c10582685f89f5a5ee", "02715b10b97826a1"),
    ("b7e14a09e782deb8d88d62761dab6a2c", "1bdcdcffa81c891e"),
    ("b22835f135fc91928ffef9b639a12221", "6d98ce1c462ee01f"),
    ("c5e29d7381f8f639c9648a7e3cc08873", "01a897d615c47570"),
    ("83866bfba51376544851cc2c81eb86ee", "447a4c27fa3dbdce"),
    ("d6c2496f1f4ed0f3bd639ddbd4d8cb88", "65e3d86f9656ff0f"),
    ("55521f757a1ad447f46772c6dc1c5021", "b04cb6c1b85adf60"),
    ("0957ff486cc8ff6b8471c61c4b22f48a", "8d0a9b7791ae6e92"),
]


def one_round(x: bytes, sk: bytes) -> bytes:
    """The same as hight.one_round, which would take ten times as long; this module computes half a million rounds."""
    x0, x1, x2, x3, x4, x5, x6, x7 = x
    return bytes([
        x7 ^ (F0[x6] + sk[3] & 255), x0, x1 + (F1[x0] ^ sk[0]) & 255, x2,
        x3 ^ (F0[x2] + sk[1] & 255), x4, x5 + (F1[x4] ^ sk[2]) & 255, x6,
    ])  # fmt: skip


def rounds(x: bytes, sk: bytes) -> bytes:
    """The same as hight.rounds."""
    for i in range(0, 4 * hight.ROUNDS, 4):
        x = one_round(x, sk[i : i + 4])
    return bytes([*x[1:], x[0]])


def whiten(x: bytes, wk: bytes) -> bytes:
    return in_bytes(hight.whitened(words(x), words(wk)))


def unwhiten(x: bytes, wk: bytes) -> bytes:
    return in_bytes(hight.unwhitened(words(x), words(wk)))


def leading_to(wanted: tuple[int, int, int, int], x: bytes) -> bytes:
    """The subkeys of a round after which bytes 0, 2, 4 and 6 are as wanted."""
    w0, w2, w4, w6 = wanted
    x0, x1, x2, x3, x4, x5, x6, x7 = x
    return bytes([
        (w2 - x1 & 255) ^ F1[x0], (x3 ^ w4) - F0[x2] & 255, (w6 - x5 & 255) ^ F1[x4], (x7 ^ w0) - F0[x6] & 255,
    ])  # fmt: skip


def beside_F1(x0: int, x4: int) -> int:
    """The bits above F1(x0) before the subkey is added."""
    xx = 0x101 * x0 | 0x1010000 * x4
    return (xx ^ xx >> 2 ^ xx >> 3) >> 10 & 255


def beside_F0(x2: int, x6: int) -> int:
    """The bits above F0 of the complement of x2."""
    xx = 0x101 * (x2 ^ 255) | 0x1010000 * (x6 ^ 255)
    return (xx ^ xx >> 5 ^ xx >> 6) >> 9 & 255


ALL_ONES = [[x6 for x6 in range(256) if beside_F0(x2, x6) == 255] for x2 in range(256)]
ALL_ONES_UNDER = [[x2 for x2 in range(256) if beside_F0(x2, x6) == 255] for x6 in range(256)]

# One test of a round: bytes 0, 1, 2, 4 and 6 before it, and its subkeys; None for a subkey that does not matter.
Test = tuple[list[int], list[int | None]]


def tests_of_F1(random: Random) -> Iterator[Test]:
    """Every x0 with every SK0, and every x4 with every SK2. If it can, x1 makes a carry into a byte of ones."""
    other = random.sample(range(1 << 16), 1 << 16)
    for n, m in zip(random.sample(range(1 << 16), 1 << 16), other, strict=True):
        x0, k0, x4, k2 = n & 255, n >> 8, m & 255, m >> 8
        term = F1[x0] ^ k0
        x1 = random.randint(256 - term, 255) if term else random.randrange(256)
        k1 = -(255 ^ beside_F1(x0, x4)) & 255  # its negative is beside SK0
        yield [x0, x1, random.randrange(256), x4, random.randrange(256)], [k0, k1, k2, None]


def tests_of_F0(random: Random) -> Iterator[Test]:
    """Every x2 with every SK1, and every x6 with every SK3. The other byte is chosen so that a carry meets ones, if
    such a choice exists. SK2 = 255 makes a carry meet ones in the word of subkeys."""
    for n in random.sample(range(1 << 16), 1 << 16):
        x2, k1 = n & 255, n >> 8
        x6 = random.choice(ALL_ONES[x2] or range(256))
        yield [*random.randbytes(2), x2, random.randrange(256), x6], [None, k1, 255, None]
    for n in random.sample(range(1 << 16), 1 << 16):
        x6, k3 = n & 255, n >> 8
        x2 = random.choice(ALL_ONES_UNDER[x6] or range(256))
        term = F0[x2 ^ 255]
        k1 = -random.randint(256 - term, 255) & 255 if term else random.randrange(256)
        yield [*random.randbytes(2), x2, random.randrange(256), x6], [None, k1, 255, k3]


def calls(tests: Iterator[Test], random: Random) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yields the block before and after all rounds, and the subkeys, of as many calls as make all of the tests. A test
    takes every second round of a call: the even rounds of one call, the odd rounds of the next. The rounds between them
    lead to the bytes that the next test needs. Only x1, which was x0 a round ago, must be left by the test before, or
    the block begins with it."""
    tests = list(tests)
    for first in range(0, len(tests), hight.ROUNDS // 2):
        mine = tests[first : first + hight.ROUNDS // 2]
        odd = first // (hight.ROUNDS // 2) % 2
        x0, x1, x2, x4, x6 = mine[0][0]
        a, b, c = random.randbytes(3)
        x = block = bytes([x1 if odd else x0, x1, x2, a, x4, b, x6, c])
        sk = b""
        for number, ((x0, _, x2, x4, x6), subkeys) in enumerate(mine):
            if odd or number:
                key = leading_to((x0, x2, x4, x6), x)
                x, sk = one_round(x, key), sk + key
            key = bytes(random.randrange(256) if k is None else k for k in subkeys)
            if subkeys[3] is None and number + 1 < len(mine):
                key = key[:3] + leading_to((mine[number + 1][0][1], 0, 0, 0), x)[3:]
            x, sk = one_round(x, key), sk + key
        sk += random.randbytes(4 * hight.ROUNDS - len(sk))
        yield block, rounds(block, sk), sk
