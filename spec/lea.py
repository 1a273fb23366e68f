# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LEA as ISO/IEC 29192-2 defines it: four words of 32 bits, 24, 28 or 32 rounds of addition, rotation and XOR.

A key is a list of 4, 6 or 8 words, a block a list of 4. Round keys are a list of rounds, each with six words.
"""

WORD = 32  # bits
ROUNDS = {16: 24, 24: 28, 32: 32}  # by the key's size in bytes
DELTA = [0xC3EFE9DB, 0x44626B02, 0x79E27C8A, 0x78DF30EC, 0x715EA49E, 0xC785DA0A, 0xE04EF22A, 0xE5C40957]
ROTATIONS = [1, 3, 6, 11, 13, 17]


def rol32(x: int, n: int) -> int:
    return (x << n % 32 | x >> -n % 32) & 0xFFFFFFFF


def states(key: list) -> list[list]:
    """The state T of the key schedule: the key itself, and what T is after each round."""
    T, n = list(key), len(key)
    found = [list(T)]
    for i in range(ROUNDS[4 * n]):
        for j in range(min(n, 6)):
            at = j if n < 8 else (6 * i + j) % 8
            T[at] = (T[at] + rol32(DELTA[i % n], i + j)).rol(ROTATIONS[j])
        found.append(list(T))
    return found


def states_back(last: list) -> list[list]:
    """The same list of states, computed from the last of them."""
    T, n = list(last), len(last)
    found = [list(T)]
    for i in reversed(range(ROUNDS[4 * n])):
        for j in range(min(n, 6)):
            at = j if n < 8 else (6 * i + j) % 8
            T[at] = T[at].ror(ROTATIONS[j]) - rol32(DELTA[i % n], i + j)
        found.append(list(T))
    return found[::-1]


def rounds_of(states: list[list]) -> list[list]:
    """The round keys that these states of the key schedule give."""
    n = len(states[0])
    order, turn = [0, 1, 2, 1, 3, 1] if n == 4 else range(6), 6 if n == 8 else 0
    return [[T[(turn * i + j) % n] for j in order] for i, T in enumerate(states[1:])]


def round_keys(key: list) -> list[list]:
    return rounds_of(states(key))


def encrypt(rk: list[list], x: list) -> list:
    for k in rk:
        x = [
            ((x[0] ^ k[0]) + (x[1] ^ k[1])).rol(9),
            ((x[1] ^ k[2]) + (x[2] ^ k[3])).ror(5),
            ((x[2] ^ k[4]) + (x[3] ^ k[5])).ror(3),
            x[0],
        ]
    return x


def decrypt(rk: list[list], x: list) -> list:
    for k in reversed(rk):
        a = x[3]
        b = (x[0].ror(9) - (a ^ k[0])) ^ k[1]
        c = (x[1].rol(5) - (b ^ k[2])) ^ k[3]
        x = [a, b, c, (x[2].rol(3) - (c ^ k[4])) ^ k[5]]
    return x
