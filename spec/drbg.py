# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CTR_DRBG as SP 800-90A revision 1 defines it in 10.2.1, with the derivation function of 10.3, over bytes."""

from collections.abc import Callable


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


class CtrDrbg:
    """A generator. `encrypt(key, block)` is the block cipher; keylen and outlen are its sizes in bytes. Without the
    derivation function entropy has keylen + outlen bytes, other inputs at most that many, and there is no nonce."""

    def __init__(
        self, encrypt: Callable[[bytes, bytes], bytes], keylen: int, outlen: int, entropy: bytes, nonce: bytes = b"",
        personalization: bytes = b"", derivation: bool = True,
    ):  # fmt: skip
        self.encrypt, self.keylen, self.outlen, self.seedlen = encrypt, keylen, outlen, keylen + outlen
        self.derivation = derivation
        self.key, self.v = bytes(keylen), bytes(outlen)
        self.update(self.seed_material(entropy, nonce, personalization))

    def seed_material(self, entropy: bytes, nonce: bytes, additional: bytes) -> bytes:
        """What Instantiate (10.2.1.3) and Reseed (10.2.1.4) put in."""
        if self.derivation:
            return self.derive(entropy + nonce + additional)
        return xor(entropy, additional.ljust(self.seedlen, b"\0"))

    def update(self, provided: bytes) -> None:
        """10.2.1.2."""
        temp = xor(self.stream(self.seedlen), provided)
        self.key, self.v = temp[: self.keylen], temp[-self.outlen :]

    def stream(self, size: int) -> bytes:
        """Encryptions of the successors of V, cut to `size` bytes."""
        out = b""
        while len(out) < size:
            self.v = ((int.from_bytes(self.v, "big") + 1) % (1 << 8 * self.outlen)).to_bytes(self.outlen, "big")
            out += self.encrypt(self.key, self.v)
        return out[:size]

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """10.2.1.4."""
        self.update(self.seed_material(entropy, b"", additional))

    def read(self, size: int, additional: bytes = b"") -> bytes:
        """10.2.1.5."""
        if additional:
            additional = self.derive(additional) if self.derivation else additional.ljust(self.seedlen, b"\0")
            self.update(additional)
        out = self.stream(size)
        self.update(additional or bytes(self.seedlen))
        return out

    def derive(self, string: bytes) -> bytes:
        """Block_Cipher_df (10.3.2), for seedlen bytes."""
        s = len(string).to_bytes(4, "big") + self.seedlen.to_bytes(4, "big") + string + b"\x80"
        s += bytes(-len(s) % self.outlen)
        key, temp, i = bytes(range(self.keylen)), b"", 0
        while len(temp) < self.seedlen:
            temp += self.bcc(key, i.to_bytes(4, "big") + bytes(self.outlen - 4) + s)
            i += 1
        key, x, out = temp[: self.keylen], temp[self.keylen : self.seedlen], b""
        while len(out) < self.seedlen:
            x = self.encrypt(key, x)
            out += x
        return out[: self.seedlen]

    def bcc(self, key: bytes, data: bytes) -> bytes:
        """10.3.3."""
        chain = bytes(self.outlen)
        for at in range(0, len(data), self.outlen):
            chain = self.encrypt(key, xor(chain, data[at : at + self.outlen]))
        return chain
