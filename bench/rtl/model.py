# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HIGHT after the standard, in wire order, for the test bench of the cores."""


def _rol(x: int, n: int) -> int:
    return (x << n | x >> 8 - n) & 255


F0 = [_rol(x, 1) ^ _rol(x, 2) ^ _rol(x, 7) for x in range(256)]
F1 = [_rol(x, 3) ^ _rol(x, 4) ^ _rol(x, 6) for x in range(256)]


def _deltas() -> list[int]:
    s = [0, 1, 0, 1, 1, 0, 1]
    for n in range(128):
        s.append(s[n + 3] ^ s[n])
    return [sum(s[n + k] << k for k in range(7)) for n in range(128)]


DELTA = _deltas()


def subkeys(key: bytes) -> list[int]:
    return [(key[(n // 8 % 2) * 8 + (n % 8 - n // 16) % 8] + DELTA[n]) & 255 for n in range(128)]


def hight(key: bytes, block: bytes, dec: bool = False) -> bytes:
    """One block."""
    w, sk, x = key[12:] + key[:4], subkeys(key), list(block)
    sign = -1 if dec else 1
    first, last = (w[4:], w[:4]) if dec else (w[:4], w[4:])

    def whiten(x: list[int], w: bytes) -> None:
        for k in range(4):
            x[2 * k] = x[2 * k] ^ w[k] if k % 2 else (x[2 * k] + sign * w[k]) & 255

    whiten(x, first)
    if dec:
        x = x[-1:] + x[:-1]
    for r in reversed(range(32)) if dec else range(32):
        if dec:
            x = x[1:] + x[:1]
        for k in range(4):
            a, key_byte = x[2 * k], sk[4 * r + k]
            if k % 2:
                x[2 * k + 1] ^= (F0[a] + key_byte) & 255
            else:
                x[2 * k + 1] = (x[2 * k + 1] + sign * (F1[a] ^ key_byte)) & 255
        if not dec:
            x = x[-1:] + x[:-1]
    if not dec:
        x = x[1:] + x[:1]
    whiten(x, last)
    return bytes(x)
