# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Modes of operation, over any block cipher.

A cipher is a function of one block: `encrypt` or `decrypt`, with the key already in it. Blocks and messages are bytes,
or lists of words of 8 bits of any kind (word.py); a mode answers with what it was given. Only GCM and XTS, which
multiply in GF(2^128), want integers.

ECB, CBC, CTR, OFB and CFB: SP 800-38A. CMAC: SP 800-38B. CCM: SP 800-38C. GCM: SP 800-38D. XTS: IEEE 1619.
EAX: Bellare, Rogaway and Wagner, FSE 2004.
"""

from collections.abc import Callable
from functools import wraps

from spec import field
from spec.word import Integer, in_bytes, join, words

Block = Callable[[list], list]


def on_bytes(mode):
    """The same mode, but bytes are also welcome: it then computes with Integers and answers with bytes."""

    @wraps(mode)
    def either(*arguments, **options):
        if not any(isinstance(a, bytes) for a in arguments):
            return mode(*arguments, **options)
        taken = [_on_words(a) if callable(a) else words(a) if isinstance(a, bytes) else a for a in arguments]
        result = mode(*taken, **options)
        return tuple(map(in_bytes, result)) if isinstance(result, tuple) else in_bytes(result)

    return either


def _on_words(cipher: Callable[[bytes], bytes]) -> Block:
    return lambda block: words(cipher(in_bytes(block)))


def xor(a: list, b: list) -> list:
    """As many words as the shorter of the two has."""
    return [x ^ y for x, y in zip(a, b, strict=False)]


def cut(data: list, size: int) -> list[list]:
    """The pieces of this size; the last may be shorter."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def number(value: int, size: int, word) -> list:
    """An integer as bytes, its highest byte first; they are of the kind of this word."""
    return [(word ^ word) + (value >> 8 * i & 255) for i in reversed(range(size))]


def counted(block: list, n: int) -> list:
    """The block, taken as a number whose first byte is the highest, plus n; it wraps."""
    return (join(block[::-1]) + n).split(8)[::-1]


# ---- Confidentiality.


@on_bytes
def ecb(cipher: Block, size: int, data: list) -> list:
    """Whole blocks of `size` bytes."""
    return sum((cipher(block) for block in cut(data, size)), [])


@on_bytes
def cbc_encrypt(encrypt: Block, iv: list, data: list) -> list:
    out, chain = [], iv
    for block in cut(data, len(iv)):
        chain = encrypt(xor(block, chain))
        out += chain
    return out


@on_bytes
def cbc_decrypt(decrypt: Block, iv: list, data: list) -> list:
    out, chain = [], iv
    for block in cut(data, len(iv)):
        out += xor(decrypt(block), chain)
        chain = block
    return out


@on_bytes
def ctr(encrypt: Block, counter: list, data: list, counting: Callable = counted) -> list:
    """Both directions. The whole block counts, unless another way of counting is given."""
    out = []
    for i, block in enumerate(cut(data, len(counter))):
        out += xor(block, encrypt(counting(counter, i)))
    return out


@on_bytes
def ofb(encrypt: Block, iv: list, data: list) -> list:
    """Both directions."""
    out, chain = [], iv
    for block in cut(data, len(iv)):
        chain = encrypt(chain)
        out += xor(block, chain)
    return out


@on_bytes
def cfb_encrypt(encrypt: Block, iv: list, data: list, segment: int) -> list:
    """segment: bytes that each call of the cipher serves, at most a block."""
    out, chain = [], iv
    for piece in cut(data, segment):
        out += xor(piece, encrypt(chain))
        chain = (chain + out[-len(piece) :])[-len(iv) :]
    return out


@on_bytes
def cfb_decrypt(encrypt: Block, iv: list, data: list, segment: int) -> list:
    out, chain = [], iv
    for piece in cut(data, segment):
        out += xor(piece, encrypt(chain))
        chain = (chain + piece)[-len(iv) :]
    return out


@on_bytes
def xts(cipher: Block, encrypt_tweak: Block, tweak: list, data: list, decrypt: bool = False) -> list:
    """`cipher` is keyed by the first half of the key and decrypts if `decrypt` says so; `encrypt_tweak` is keyed by the
    second half. At least one block of 16 bytes; a shorter last one steals its end from the one before."""
    tweaks = [join(encrypt_tweak(tweak))]
    for _ in range(len(data) // 16):
        tweaks.append(Integer(field.times(int(tweaks[-1]), 2, field.BLOCKS[16]), 128))

    def one(block: list, i: int) -> list:
        mask = tweaks[i].split(8)
        return xor(cipher(xor(block, mask)), mask)

    blocks = cut(data, 16)
    short = len(data) % 16
    whole = len(blocks) - (2 if short else 0)
    out = sum((one(block, i) for i, block in enumerate(blocks[:whole])), [])
    if short:
        first, second = (whole + 1, whole) if decrypt else (whole, whole + 1)
        stolen = one(blocks[whole], first)
        out += one(blocks[-1] + stolen[short:], second) + stolen[:short]
    return out


# ---- Authentication.


def doubled(block: list) -> list:
    """The product with x in the field of the block's size: SP 800-38B, 6.1."""
    x = join(block[::-1]).rol(1)
    top, taps = x & 1, field.BLOCKS[len(block)]
    for n in range(1, 8):
        if taps >> n & 1:
            x = x ^ top.rol(n)
    return x.split(8)[::-1]


@on_bytes
def cmac(encrypt: Block, zero: list, message: list) -> list:
    """zero: a block of zeros."""
    n = len(zero)
    subkey = doubled(encrypt(zero))
    blocks = cut(message, n) or [[]]
    if len(blocks[-1]) < n:
        subkey = doubled(subkey)
        missing = n - len(blocks[-1])
        blocks[-1] = blocks[-1] + number(1 << 8 * missing - 1, missing, zero[0])
    blocks[-1] = xor(blocks[-1], subkey)
    return cbc_encrypt(encrypt, zero, sum(blocks, []))[-n:]


@on_bytes
def ccm(encrypt: Block, nonce: list, aad: list, text: list, tag: int, decrypt: bool = False) -> tuple[list, list]:
    """The text encrypted, or decrypted, and the tag of `tag` bytes that belongs to it. Blocks have 16 bytes."""
    q, word = 15 - len(nonce), nonce[0]
    counter = number(q - 1, 1, word) + nonce + number(0, q, word)
    out = ctr(encrypt, counted(counter, 1), text)
    flags = 64 * bool(aad) + 8 * ((tag - 2) // 2) + q - 1
    blocks = number(flags, 1, word) + nonce + number(len(text), q, word)
    for part in (_length(len(aad), word) + aad if aad else []), out if decrypt else text:
        blocks += part + number(0, -len(part) % 16, word)
    mac = cbc_encrypt(encrypt, number(0, 16, word), blocks)[-16:]
    return out, xor(mac, encrypt(counter))[:tag]


def _length(n: int, word) -> list:
    """The length of additional data, in front of it: SP 800-38C, A.2.2."""
    if n < 0xFF00:
        return number(n, 2, word)
    return number(0xFFFE, 2, word) + number(n, 4, word) if n < 1 << 32 else number(0xFFFF, 2, word) + number(n, 8, word)


@on_bytes
def eax(encrypt: Block, zero: list, nonce: list, aad: list, text: list, decrypt: bool = False) -> tuple[list, list]:
    """The text encrypted, or decrypted, and the tag of one block that belongs to it. zero: a block of zeros."""
    omac = lambda t, message: cmac(encrypt, zero, number(t, len(zero), zero[0]) + message)  # noqa: E731
    N = omac(0, nonce)
    out = ctr(encrypt, N, text)
    return out, xor(xor(N, omac(1, aad)), omac(2, text if decrypt else out))


def reflected(block: int) -> int:
    """SP 800-38D has the first bit of a block as the constant term."""
    return int(f"{block:0128b}"[::-1], 2)


def ghash(h: bytes, aad: bytes, text: bytes) -> bytes:
    """GHASH over additional data, ciphertext and both lengths."""
    padded = b"".join(part + bytes(-len(part) % 16) for part in (aad, text))
    padded += (8 * len(aad)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
    factor, y = reflected(int.from_bytes(h, "big")), 0
    for block in cut(padded, 16):
        y = field.times(y ^ reflected(int.from_bytes(block, "big")), factor, field.BLOCKS[16])
    return reflected(y).to_bytes(16, "big")


@on_bytes
def gcm(encrypt: Block, nonce: list, aad: list, text: list, decrypt: bool = False) -> tuple[list, list]:
    """The text encrypted, or decrypted, and the tag of 16 bytes that belongs to it."""
    h = in_bytes(encrypt(words(bytes(16))))
    first = nonce + words(b"\0\0\0\1") if len(nonce) == 12 else words(ghash(h, b"", in_bytes(nonce)))
    out = ctr(encrypt, first, text, lambda block, i: block[:12] + counted(block[12:], i + 1))
    tag = ghash(h, in_bytes(aad), in_bytes(text if decrypt else out))
    return out, xor(words(tag), encrypt(first))
