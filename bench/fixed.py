# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What counter mode for AVR needs when key and nonce are known at build time: python -m bench fixed writes it.

The nonce is all of the counter block but its last byte, which counts. All that both determine is worked out here: the
round keys, and of the first rounds whatever the last byte does not reach. A program includes the file that this writes
and then src/<cipher>/avr/<cipher>_avr_fixed.h, whose instructions take all these bytes as immediates.
"""

import re

from bench.declared.model import ROOT, VARIANTS, BenchError, Variant

MASK = 0xFFFFFFFF


def find(cipher: str) -> Variant:
    """By the name that results/ have: LEA-128."""
    for sizes in VARIANTS.values():
        for variant in sizes:
            if variant.cipher == cipher:
                return variant
    raise BenchError(f"no cipher {cipher}: {', '.join(v.cipher for sizes in VARIANTS.values() for v in sizes)}")


def include(cipher: str, key: bytes, nonce: bytes) -> str:
    """The text of the include file."""
    variant = find(cipher)
    for name, value, size in (("key", key, variant.key), ("nonce", nonce, variant.block - 1)):
        if len(value) != size:
            raise BenchError(f"{cipher} takes a {name} of {size} bytes, not {len(value)}")
    family = cipher.partition("-")[0]
    keys, cache = {"LEA": lea, "HIGHT": hight, "ARIA": aria}[family](key, nonce)
    return f"""/* {cipher} in counter mode with this key and this nonce; written by python -m bench fixed.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * As secret as the key.  For one message: another under the same nonce gives both away. */
#define FIXED_{family} {8 * variant.key}
{_list("FIXED_KEYS", keys)}
{_list("FIXED_CACHE", cache)}
"""


def _list(name: str, values: bytes) -> str:
    lines = [", ".join(f"{b:#04x}" for b in values[at : at + 16]) for at in range(0, len(values), 16)]
    return f"#define {name} \\\n    " + ", \\\n    ".join(lines)


# ---- LEA: the round keys as lea_avr_rounds.h draws them, the cache as lea_avr_ctr_rounds.h describes it.

DELTAS = 0xC3EFE9DB, 0x44626B02, 0x79E27C8A, 0x78DF30EC, 0x715EA49E, 0xC785DA0A, 0xE04EF22A, 0xE5C40957


def _rol(x: int, n: int) -> int:
    n %= 32
    return (x << n | x >> (32 - n)) & MASK


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def _lea_round_keys(key: bytes) -> list[list[int]]:
    """RK0 to RK5 of each round."""
    t, found = _words(key), []
    words = len(t)
    for i in range({4: 24, 6: 28, 8: 32}[words]):
        made = []
        for j, by in enumerate((1, 3, 6, 11, 13, 17)[: min(words, 6)]):
            place = (6 * i + j) % 8 if words == 8 else j
            t[place] = _rol((t[place] + _rol(DELTAS[i % words], i + j)) & MASK, by)
            made.append(t[place])
        found.append(made if words > 4 else [made[0], made[1], made[2], made[1], made[3], made[1]])
    return found


def lea(key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
    """Round keys, from the fourth round on the only ones that blocks take, and the cache."""
    rounds = _lea_round_keys(key)
    combined = [
        (rk[1], rk[4], rk[1] ^ rk[2], rk[0]) if len(key) == 16
        else (rk[1], rk[3], rk[5], rk[3] ^ rk[4], rk[1] ^ rk[2], rk[0])
        for rk in rounds
    ]  # fmt: skip
    keys = b"".join(word.to_bytes(4, "little") for words in combined[3:] for word in words)

    cache = bytearray()

    def put(word: int, first: int) -> None:
        cache.extend((word & MASK).to_bytes(4, "little")[first:])

    x0, x1, x2, x3 = _words(nonce + b"\0")
    rk = rounds[0]
    s0, s1 = (x0 ^ rk[0]) + (x1 ^ rk[1]), (x1 ^ rk[2]) + (x2 ^ rk[3])
    s2 = (x2 ^ rk[4]) + ((x3 ^ rk[5]) & 0xFFFFFF)
    put(rk[5], 3)
    put(s2, 3)
    x0, x1, x2, x3 = _rol(s0 & MASK, 9), _rol(s1 & MASK, 27), _rol(s2 & 0xFFFFFF, 29), x0

    rk = rounds[1]
    put(x2 ^ rk[3], 2)
    put(x2 ^ rk[4], 2)
    s0, s1 = (x0 ^ rk[0]) + (x1 ^ rk[1]), (x1 ^ rk[2]) + ((x2 ^ rk[3]) & 0xFFFF)
    s2 = ((x2 ^ rk[4]) & 0xFFFF) + (x3 ^ rk[5])
    put(s1, 2)
    put(s2, 2)
    x0, x1, x2, x3 = _rol(s0 & MASK, 9), _rol(s1 & 0xFFFF, 27), _rol(s2 & 0xFFFF, 29), x0

    rk = rounds[2]
    put(x1 ^ rk[1], 1)
    put(x2 ^ rk[3], 0)
    put(((x2 ^ rk[4]) & 0xFF) + (x3 ^ rk[5]), 0)
    put(rk[3] ^ rk[4], 1)
    cache.append((x1 ^ rk[2]) & 0xFF)
    put(rk[1] ^ rk[2], 1)
    put((x0 ^ rk[0]) + ((x1 ^ rk[1]) & 0xFF), 0)
    put(x0, 0)
    return keys, bytes(cache)


# ---- HIGHT: WK0 to WK3, SK0 to SK127 with F1^-1 of those that F1 takes, WK4 to WK7; the cache of hight_avr_ctr_cache.h.


def _by_rotations(x: int, *rotations: int) -> int:
    y = 0
    for n in rotations:
        y ^= x << n | x >> (8 - n)
    return y & 0xFF


def _f0(x: int) -> int:
    return _by_rotations(x, 1, 2, 7)


def _f1(x: int) -> int:
    return _by_rotations(x, 3, 4, 6)


def hight(key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
    """Round keys and cache: k0 to k6, SK4, to_1, to_3, to_5 and to_7."""
    delta, sk = 0x5A, []
    for n in range(128):
        i, j = n // 16, n % 8
        sk.append((key[(j - i) % 8 + (n & 8)] + delta) & 0xFF)
        delta = delta >> 1 | ((delta >> 3 ^ delta) & 1) << 6
    wk = key[12:] + key[:4]
    inverse = [_by_rotations(k, 2, 3, 4, 5, 7) if n % 2 == 0 else k for n, k in enumerate(sk)]

    k = list(nonce)
    k[0], k[2], k[4], k[6] = k[0] + wk[0] & 0xFF, k[2] ^ wk[1], k[4] + wk[2] & 0xFF, k[6] ^ wk[3]

    def step(n: int, y: int, x: int) -> None:
        """Of SK n: onto k[y] from k[x]."""
        k[y] = k[y] ^ (_f0(k[x]) + sk[n] & 0xFF) if n % 2 else k[y] + (_f1(k[x]) ^ sk[n]) & 0xFF

    for n, y, x in ((0, 1, 0), (1, 3, 2), (2, 5, 4)):
        step(n, y, x)
    to_1 = _f0(k[6]) + sk[3] & 0xFF
    for n, y, x in ((5, 2, 1), (6, 4, 3), (7, 6, 5)):
        step(n, y, x)
    to_3 = _f1(k[6]) ^ sk[8]
    for n, y, x in ((10, 3, 2), (11, 5, 4), (12, 6, 5), (15, 4, 3), (16, 5, 4)):
        step(n, y, x)
    to_5 = _f0(k[6]) + sk[17] & 0xFF
    step(21, 6, 5)
    to_7 = _f1(k[6]) ^ sk[26]
    return bytes([*wk[:4], *inverse, *wk[4:]]), bytes([*k, inverse[4], to_1, to_3, to_5, to_7])


# ---- ARIA: the standard's round keys, the cache as aria_avr_ctr.h has it.

PI = bytes.fromhex("517cc1b727220a94fe13abe8fa9a6ee06db14acc9e21c820ff28b1d5ef5de2b0db92371d2126e9700324977504e8c90e")
DIFFUSION = (
    "3 4 6 8 9 13 14, 2 5 7 8 9 12 15, 1 4 6 10 11 12 15, 0 5 7 10 11 13 14, 0 2 5 8 11 14 15, 1 3 4 9 10 14 15, "
    "0 2 7 9 10 12 13, 1 3 6 8 11 12 13, 0 1 4 7 10 13 15, 0 1 5 6 11 12 14, 2 3 5 6 8 13 15, 2 3 4 7 9 12 14, "
    "1 2 6 7 9 11 12, 0 3 6 7 8 10 13, 0 3 4 5 9 11 14, 1 2 4 5 8 10 15"
)
MOVING = 1, 2, 4, 5, 8, 10, 15  # bytes that the last byte of the counter reaches in the first diffusion layer


def _sboxes() -> list[bytes]:
    """SB1 to SB4, from where the kernels have them."""
    text = (ROOT / "src/aria/aria_sboxes.h").read_text()
    table = bytes(int(b, 16) for b in re.findall(r"0x([0-9a-f]{2})", text))
    return [table[at : at + 256] for at in range(0, 1024, 256)]


def _a(x: bytes) -> bytes:
    out = []
    for row in DIFFUSION.split(", "):
        y = 0
        for i in row.split():
            y ^= x[int(i)]
        out.append(y)
    return bytes(out)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def _ror128(x: bytes, n: int) -> bytes:
    v = int.from_bytes(x, "big")
    n %= 128
    return ((v >> n | v << (128 - n)) & ((1 << 128) - 1)).to_bytes(16, "big")


def aria(key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
    """Round keys from ek4 on, the only ones that blocks take, and the cache: k, d, z."""
    boxes = _sboxes()
    sl1 = lambda x: bytes(boxes[i % 4][b] for i, b in enumerate(x))  # noqa: E731
    sl2 = lambda x: bytes(boxes[(i + 2) % 4][b] for i, b in enumerate(x))  # noqa: E731
    first = (len(key) - 16) // 8
    ck = [PI[16 * ((first + i) % 3) :][:16] for i in range(3)]
    kl, kr = key[:16], key[16:].ljust(16, b"\0")
    w = [kl, _xor(_a(sl1(_xor(kl, ck[0]))), kr)]
    w.append(_xor(_a(sl2(_xor(w[1], ck[1]))), w[0]))
    w.append(_xor(_a(sl1(_xor(w[2], ck[2]))), w[1]))
    rounds = 12 + 2 * first
    ek = [_xor(w[n % 4], _ror128(w[(n + 1) % 4], (19, 31, -61, -31, -19)[n // 4])) for n in range(rounds + 1)]

    s = bytearray(sl1(_xor(nonce + b"\0", ek[0])))
    s[15] = 0
    y = _xor(_a(s), ek[1])
    t = bytearray(sl2(y))
    for i in MOVING:
        t[i] = 0
    cache = bytes([ek[0][15], *(y[i] for i in MOVING)]) + _xor(_a(t), ek[2])
    return b"".join(ek[3:]), cache
