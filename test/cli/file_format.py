# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A reader and a writer of encrypted files, written only after docs/file-format.md, SP 800-38B, SP 800-38D and the
paper on EAX. They use single blocks of the library, and no more of it. This file has its own CMAC, GCM and EAX, because
files have megabytes and spec/ takes a millisecond for a block. Argon2id and NFC are those of argon2-cffi and of Python.

A secret is a key (bytes), for a file of version 1, or a passphrase (str), for version 2."""

import unicodedata
from functools import cache

import argon2
import library

MAGIC = b"\x89HAECHI\n"
CHUNK, RUN = 65536, 16
HEADER = {1: 64, 2: 80}
USUAL_COST = 4, 3, 65536  # lanes, passes, KiB
CIPHERS = {1: "lea128", 2: "lea192", 3: "lea256", 4: "aria128", 5: "aria192", 6: "aria256", 7: "hight"}


class Unreadable(Exception):
    """A file that cannot be read: the reason, and the plaintext that was verified before."""

    def __init__(self, why: str, verified: bytes = b""):
        super().__init__(why)
        self.verified = verified


class Cipher:
    """A cipher by single blocks, and CMAC over it."""

    def __init__(self, name: str, key: bytes):
        self.size = library.BLOCK[name]
        self.ecb = library.Key(name, key).ecb
        self.double_1 = self.double(int.from_bytes(self.ecb(bytes(self.size)), "big"))
        self.double_2 = self.double(self.double_1)

    def double(self, x: int) -> int:
        bits, polynomial = 8 * self.size, 0x87 if self.size == 16 else 0x1B
        return (x << 1) & ((1 << bits) - 1) ^ (polynomial if x >> (bits - 1) else 0)

    def cmac(self, message: bytes) -> bytes:
        n, chain = self.size, 0
        whole = message and len(message) % n == 0
        if not whole:
            message += b"\x80" + bytes(-(len(message) + 1) % n)
        for at in range(0, len(message), n):
            block = int.from_bytes(message[at : at + n], "big")
            if at + n == len(message):
                block ^= self.double_1 if whole else self.double_2
            chain = int.from_bytes(self.ecb((chain ^ block).to_bytes(n, "big")), "big")
        return chain.to_bytes(n, "big")

    def counter_mode(self, counter: int, data: bytes, bits: int) -> bytes:
        """Counter mode in which only the lowest `bits` bits of the counter count."""
        n, low = self.size, (1 << bits) - 1
        count = range(-(-len(data) // n))
        stream = self.ecb(b"".join(((counter & ~low) | (counter + i & low)).to_bytes(n, "big") for i in count))
        return xor(data, stream[: len(data)])


def xor(a: bytes, b: bytes) -> bytes:
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


class Gcm:
    tag = 16

    def __init__(self, cipher: Cipher):
        self.cipher = cipher
        power, self.tables = int.from_bytes(cipher.ecb(bytes(16)), "big"), []
        for _ in range(16):  # for each byte of a factor, what it adds to the product
            bits = []
            for _ in range(8):
                bits.append(power)
                power = power >> 1 ^ (0xE1 << 120 if power & 1 else 0)
            table = [0]
            for bit in reversed(bits):
                table += [x ^ bit for x in table]
            self.tables.append(table)

    def hash(self, data: bytes) -> bytes:
        y = bytes(16)
        for at in range(0, len(data), 16):
            product = 0
            for table, byte in zip(self.tables, xor(y, data[at : at + 16]), strict=True):
                product ^= table[byte]
            y = product.to_bytes(16, "big")
        return y

    def seal(self, nonce: bytes, text: bytes) -> tuple[bytes, bytes]:
        out = self.cipher.counter_mode(int.from_bytes(nonce + b"\0\0\0\2", "big"), text, 32)
        return out, self.tag_of(nonce, out)

    def tag_of(self, nonce: bytes, out: bytes) -> bytes:
        hashed = self.hash(out + bytes(-len(out) % 16) + bytes(8) + (8 * len(out)).to_bytes(8, "big"))
        return xor(hashed, self.cipher.ecb(nonce + b"\0\0\0\1"))

    def open(self, nonce: bytes, out: bytes, tag: bytes) -> bytes | None:
        return self.seal(nonce, out)[0] if self.tag_of(nonce, out) == tag else None


class Eax:
    tag = 8

    def __init__(self, cipher: Cipher):
        self.cipher = cipher

    def omac(self, number: int, message: bytes) -> bytes:
        return self.cipher.cmac(number.to_bytes(self.cipher.size, "big") + message)

    def counter_mode(self, nonce: bytes, text: bytes) -> bytes:
        return self.cipher.counter_mode(int.from_bytes(self.omac(0, nonce), "big"), text, 8 * self.cipher.size)

    def tag_of(self, nonce: bytes, out: bytes) -> bytes:
        return xor(xor(self.omac(0, nonce), self.omac(1, b"")), self.omac(2, out))

    def seal(self, nonce: bytes, text: bytes) -> tuple[bytes, bytes]:
        out = self.counter_mode(nonce, text)
        return out, self.tag_of(nonce, out)

    def open(self, nonce: bytes, out: bytes, tag: bytes) -> bytes | None:
        return self.counter_mode(nonce, out) if self.tag_of(nonce, out) == tag else None


class File:
    """The keys that follow from a header and a key; makes the header if there is none yet."""

    def __init__(self, number: int, secret: bytes | str, salt: bytes, cost: tuple[int, int, int] = USUAL_COST):
        self.name, size = CIPHERS[number], library.KEY_SIZE[CIPHERS[number]]
        if isinstance(secret, bytes):
            self.head, self.key = MAGIC + bytes([1, number]) + bytes(6) + salt, secret
        else:
            lanes, passes, memory = cost
            self.head = MAGIC + bytes([2, number, lanes, passes]) + memory.to_bytes(4, "big") + salt
            stretched = argon2.low_level.hash_secret_raw(
                unicodedata.normalize("NFC", secret).encode(), self.head, passes, memory, lanes, 64, argon2.Type.ID, 0x13
            )
            self.key = stretched[:size]
        self.user = Cipher(self.name, self.key)
        proof = self.derive(b"haechi check", self.head, 16) if isinstance(secret, bytes) else stretched[32:]
        self.header = self.head + proof
        self.run = cache(self.run)

    def derive(self, label: bytes, context: bytes, length: int) -> bytes:
        out = b""
        while len(out) < length:
            number = len(out) // self.user.size + 1
            tail = label + b"\0" + context + (8 * length).to_bytes(4, "big")
            out += self.user.cmac(number.to_bytes(4, "big") + tail)
        return out[:length]

    def run(self, number: int) -> Gcm | Eax:
        key = self.derive(b"haechi chunks", self.head + number.to_bytes(8, "big"), len(self.key))
        return (Eax if self.name == "hight" else Gcm)(Cipher(self.name, key))


def nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def read(data: bytes, secret: bytes | str) -> bytes:
    """Reads a file; returns the plaintext."""
    version, number = data[8:10]
    if data[:8] != MAGIC or len(data) < HEADER.get(version, len(data) + 1) or number not in CIPHERS:
        raise Unreadable("not such a file")
    header, body = data[: HEADER[version]], data[HEADER[version] :]
    if version == 1 and any(header[10:16]):
        raise Unreadable("not such a file")
    if (version == 1) != isinstance(secret, bytes):
        raise Unreadable("wants a key or a passphrase")
    if version == 1 and len(secret) != library.KEY_SIZE[CIPHERS[number]]:
        raise Unreadable("another key")
    file = File(number, secret, header[16:48], (header[10], header[11], int.from_bytes(header[12:16], "big")))
    if file.header != header:
        raise Unreadable("another key or passphrase, or a damaged header")
    tag = 8 if header[9] == 7 else 16
    out, number = b"", 0
    while True:
        piece, body = body[: CHUNK + tag], body[CHUNK + tag :]
        if len(piece) < tag or (len(piece) == tag and number):
            raise Unreadable("the end is missing", out)
        text = file.run(number // RUN).open(nonce(number, not body), piece[:-tag], piece[-tag:])
        if text is None:
            raise Unreadable(f"chunk {number}", out)
        out, number = out + text, number + 1
        if not body:
            return out


def write(text: bytes, number: int, secret: bytes | str, salt: bytes, cost: tuple[int, int, int] = USUAL_COST) -> bytes:
    """Writes a file; returns its bytes."""
    file = File(number, secret, salt, cost)
    pieces = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)] or [b""]
    out = file.header
    for i, piece in enumerate(pieces):
        out += b"".join(file.run(i // RUN).seal(nonce(i, i == len(pieces) - 1), piece))
    return out
