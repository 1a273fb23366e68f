# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cases for runner.c: the known answers, and random messages with the answers of the library built for this host."""

import random

from bench.declared import rsp
from library import BLOCK, FORWARD, KEY_SIZE, Aead, Mode, cmac, crypt


def line(cipher: str, mode: str, *fields: bytes) -> str:
    """A line of a case: key, iv, in, out, and aad and tag, which may be missing."""
    return " ".join([cipher, mode, *(f.hex() or "-" for f in (*fields, b"", b"")[:6])]) + "\n"


def known() -> tuple[str, int]:
    """All known answers, both directions: text for runner.c and the number of cases."""
    lines = []
    for a in [*rsp.own(), *(a for a in rsp.more() if a.mode in ("ecb", "ctr") and len(a.pt) <= 2000)]:
        lines.append(line(a.cipher, a.mode, a.key, a.iv, a.pt, a.ct))
        back = a.cipher if a.mode == "ctr" else a.cipher + "_inv"
        lines.append(line(back, a.mode, a.key, a.iv, a.ct, a.pt))
    return "".join(lines), len(lines)


def drawn(lengths: list[int], seed: int = 1) -> tuple[str, int]:
    """A random message of each length for every cipher in counter mode, and in ECB where the length allows."""
    lines, r = [], random.Random(seed)
    for cipher in FORWARD:
        n = BLOCK[cipher]
        for size in lengths:
            key, message = r.randbytes(KEY_SIZE[cipher]), r.randbytes(size)
            iv = r.choice([r.randbytes(n), b"\xff" * (n - 1) + b"\xf9", b"\x01" + b"\xff" * (n - 1)])
            lines.append(line(cipher, "ctr", key, iv, message, crypt(cipher, "ctr", key, iv, message)))
            if size % n == 0:
                for c in (cipher, cipher + "_inv"):
                    lines.append(line(c, "ecb", key, b"", message, crypt(c, "ecb", key, b"", message)))
    return "".join(lines), len(lines)


def modes(lengths: list[int]) -> tuple[str, int]:
    """Random messages in all other modes."""
    lines, r = [], random.Random(2)
    for cipher in FORWARD:
        n, size = BLOCK[cipher], KEY_SIZE[cipher]
        for length in lengths:
            key, iv, text, aad = (r.randbytes(x) for x in (size, n, length, length % 70))
            for mode in ["ofb", "cfb", "cfb8", *["cbc"] * (length % n == 0)]:
                out = Mode(cipher, mode, key, iv).crypt(text)
                lines.append(line(cipher, mode, key, iv, text, out))
                if mode == "cbc":
                    lines.append(line(cipher + "_inv", mode, key, iv, out, text))
                elif mode != "ofb":
                    lines.append(line(cipher, mode + "_d", key, iv, out, text))
            if n == 16 and length >= 16:
                two = key + r.randbytes(size)
                out = Mode(cipher, "xts", two, iv).crypt(text)
                lines.append(line(cipher, "xts", two, iv, text, out))
                lines.append(line(cipher + "_inv", "xts", two, iv, out, text))
            lines.append(line(cipher, "cmac", key, b"", text, cmac(cipher, key, text, n)))
            for mode in ["gcm", "ccm", "eax"] if n == 16 else ["eax"]:
                nonce = r.randbytes(12 if mode == "ccm" or length % 2 else 20)
                out, tag = Aead(mode, cipher, key).seal(nonce, aad, text, 8)
                lines.append(line(cipher, mode, key, nonce, text, out, aad, tag))
    return "".join(lines), len(lines)


LENGTHS = [0, 1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 40, 48, 63, 64, 65, 127, 128, 136, 255, 256, 511, 512, 513, 520]
LENGTHS += [1023, 1024, 1025, 1040, 1100]
SHORT = [0, 1, 16, 17, 48, 300]
