# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the header that puts a key and a nonce into an AVR program: docs/fixed.md says how to use it.

    python3 -m tools.fixed_key --cipher LEA-128 --key HEX --nonce HEX > fixed.h

The nonce is the whole counter block but its last byte, which counts. The header holds everything that key and nonce
determine: the round keys, and those values of the first rounds that the last byte does not reach yet.
"""

import argparse

import spec
from spec import aria, hight, lea
from spec.word import Integer, in_bytes, words


def include(cipher: str, key: bytes, nonce: bytes) -> str:
    """The text of the header. Raises ValueError for an unknown cipher, and for a key or nonce of a wrong size."""
    c = spec.find(cipher)
    for name, value, size in (("key", key, c.key), ("nonce", nonce, c.block - 1)):
        if len(value) != size:
            raise ValueError(f"{cipher} takes a {name} of {size} bytes, not {len(value)}")
    keys, cache = {"LEA": of_lea, "HIGHT": of_hight, "ARIA": of_aria}[c.family](key, nonce)
    return f"""/* {cipher} in counter mode with this key and this nonce; written by python3 -m tools.fixed_key.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * As secret as the key.  For one message: another under the same nonce gives both away. */
#define FIXED_{c.family} {8 * c.key}
{_define("FIXED_KEYS", in_bytes(keys))}
{_define("FIXED_CACHE", in_bytes(cache))}
"""


def _define(name: str, values: bytes) -> str:
    lines = [", ".join(f"{b:#04x}" for b in values[at : at + 16]) for at in range(0, len(values), 16)]
    return f"#define {name} \\\n    " + ", \\\n    ".join(lines)


Words = list[Integer]


def of_lea(key: bytes, nonce: bytes) -> tuple[Words, Words]:
    """The round keys from the fourth round on, as the kernels of src/lea/avr store them, and the cache that
    lea_avr_ctr.h describes.

    The counter's last byte is the top byte of x3. A sum to which unknown bits will be added is kept as far as it is
    known: `low` takes its lower bits, and the cache holds what the rest of the sum is added to."""
    rounds = lea.round_keys(words(key, 32))
    names = (1, 4, (1, 2), 0) if len(key) == 16 else (1, 3, 5, (3, 4), (1, 2), 0)
    pick = lambda rk, n: rk[n] if isinstance(n, int) else rk[n[0]] ^ rk[n[1]]  # noqa: E731
    keys = [pick(rk, n) for rk in rounds[3:] for n in names]

    cache: Words = []
    low = lambda word, bits: word & (1 << bits) - 1  # noqa: E731

    def put(word: Integer, first: int, end: int = 4) -> None:
        """Bytes of a word."""
        cache.extend(word.split(8)[first:end])

    x0, x1, x2, x3 = words(nonce + b"\0", 32)
    rk = rounds[0]
    s0, s1 = (x0 ^ rk[0]) + (x1 ^ rk[1]), (x1 ^ rk[2]) + (x2 ^ rk[3])
    s2 = (x2 ^ rk[4]) + low(x3 ^ rk[5], 24)
    put(rk[5], 3)
    put(s2, 3)
    x0, x1, x2, x3 = s0.rol(9), s1.ror(5), low(s2, 24).ror(3), x0

    rk = rounds[1]
    put(x2 ^ rk[3], 2)
    put(x2 ^ rk[4], 2)
    s0, s1 = (x0 ^ rk[0]) + (x1 ^ rk[1]), (x1 ^ rk[2]) + low(x2 ^ rk[3], 16)
    s2 = low(x2 ^ rk[4], 16) + (x3 ^ rk[5])
    put(s1, 2)
    put(s2, 2)
    x0, x1, x2, x3 = s0.rol(9), low(s1, 16).ror(5), low(s2, 16).ror(3), x0

    rk = rounds[2]
    put(x1 ^ rk[1], 1)
    put(x2 ^ rk[3], 0)
    put(low(x2 ^ rk[4], 8) + (x3 ^ rk[5]), 0)
    put(rk[3] ^ rk[4], 1)
    put(x1 ^ rk[2], 0, 1)
    put(rk[1] ^ rk[2], 1)
    put((x0 ^ rk[0]) + low(x1 ^ rk[1], 8), 0)
    put(x0, 0)
    return keys, cache


def of_hight(key: bytes, nonce: bytes) -> tuple[Words, Words]:
    """WK0 to WK3, SK0 to SK127 with the inverse of F1 applied to those that F1 takes, WK4 to WK7; and the cache that
    hight_avr_ctr_cache.h describes: the bytes k0 to k6 of the block, SK4, and the terms to_1, to_3, to_5 and to_7."""
    wk, sk = hight.round_keys(words(key))
    turned = [k if n % 2 else hight.F1_inverse(k) for n, k in enumerate(sk)]
    k = hight.whitened([*words(nonce), Integer(0, 8)], wk)

    def term(n: int, x: int) -> Integer:
        """What the subkey SKn and the byte k[x] give."""
        return hight.F0(k[x]) + sk[n] if n % 2 else hight.F1(k[x]) ^ sk[n]

    def step(n: int, y: int, x: int) -> None:
        k[y] = k[y] ^ term(n, x) if n % 2 else k[y] + term(n, x)

    for n, y, x in ((0, 1, 0), (1, 3, 2), (2, 5, 4)):
        step(n, y, x)
    to_1 = term(3, 6)
    for n, y, x in ((5, 2, 1), (6, 4, 3), (7, 6, 5)):
        step(n, y, x)
    to_3 = term(8, 6)
    for n, y, x in ((10, 3, 2), (11, 5, 4), (12, 6, 5), (15, 4, 3), (16, 5, 4)):
        step(n, y, x)
    to_5 = term(17, 6)
    step(21, 6, 5)
    to_7 = term(26, 6)
    return [*wk[:4], *turned, *wk[4:]], [*k[:7], turned[4], to_1, to_3, to_5, to_7]


def of_aria(key: bytes, nonce: bytes) -> tuple[Words, Words]:
    """The round keys from ek4 on, and the cache that aria_avr_ctr.h describes: k, d and z."""
    ek = aria.round_keys(words(key))
    zero = Integer(0, 8)
    moving = [i for i, row in enumerate(aria.A) if 15 in row]  # bytes that the last one reaches in the first diffusion
    s = aria.substituted(aria.SL1, aria.xor(words(nonce + b"\0"), ek[0]))
    y = aria.xor(aria.diffused([*s[:15], zero]), ek[1])
    t = [zero if i in moving else b for i, b in enumerate(aria.substituted(aria.SL2, y))]
    z = aria.xor(aria.diffused(t), ek[2])
    return sum(ek[3:], []), [ek[0][15], *(y[i] for i in moving), *z]


def main() -> None:
    parser = argparse.ArgumentParser("python3 -m tools.fixed_key", description=__doc__.partition("\n")[0])
    parser.add_argument("--cipher", required=True, help=", ".join(spec.CIPHERS))
    parser.add_argument("--key", required=True, type=bytes.fromhex, help="in hexadecimal")
    parser.add_argument("--nonce", required=True, type=bytes.fromhex, help="the counter block but for its last byte")
    asked = parser.parse_args()
    try:
        print(include(asked.cipher, asked.key, asked.nonce), end="")
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
