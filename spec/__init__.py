# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LEA, HIGHT and ARIA, modes of operation and CTR_DRBG in readable Python; README.md says what for.

A block or a key is one word here; its lowest byte is the first in memory. The families' own modules (lea, hight and
aria) have it as a list of smaller words.
"""

from collections.abc import Callable
from dataclasses import dataclass

from spec import aria, hight, lea
from spec.word import in_bytes, join, words

FAMILIES = {"LEA": lea, "HIGHT": hight, "ARIA": aria}


@dataclass(frozen=True)
class Cipher:
    """One cipher with one size of key."""

    name: str
    family: str
    key: int  # bytes
    block: int  # bytes

    def encryption(self, key: bytes) -> Callable[[bytes], bytes]:
        """The function that encrypts a block under this key. Raises ValueError for bytes of a wrong size."""
        return self._keyed(key, False)

    def decryption(self, key: bytes) -> Callable[[bytes], bytes]:
        return self._keyed(key, True)

    def _keyed(self, key: bytes, inverse: bool) -> Callable[[bytes], bytes]:
        self._check("key", key, self.key)
        rounds = round_keys(self.family, join(words(key)), inverse)

        def one(block: bytes) -> bytes:
            self._check("block", block, self.block)
            return in_bytes([crypt(self.family, rounds, join(words(block)), inverse)])

        return one

    def _check(self, what: str, value: bytes, size: int) -> None:
        if len(value) != size:
            raise ValueError(f"{self.name} takes a {what} of {size} bytes, not {len(value)}")


CIPHERS = {
    c.name: c
    for c in (
        *(Cipher(f"LEA-{8 * size}", "LEA", size, 16) for size in lea.ROUNDS),
        Cipher("HIGHT", "HIGHT", 16, 8),
        *(Cipher(f"ARIA-{8 * size}", "ARIA", size, 16) for size in aria.ROUNDS),
    )
}


def find(name: str) -> Cipher:
    """The cipher of this name. Raises ValueError, which lists the names, if there is none."""
    if name not in CIPHERS:
        raise ValueError(f"there is no cipher {name}: {', '.join(CIPHERS)}")
    return CIPHERS[name]


def round_keys(family: str, key, inverse: bool = False):
    """The round keys of a key; those of decryption are other ones only for ARIA."""
    module = FAMILIES[family]
    rounds = module.round_keys(key.split(module.WORD))
    return aria.inverse_round_keys(rounds) if module is aria and inverse else rounds


def crypt(family: str, rounds, block, inverse: bool = False):
    """A block encrypted, or decrypted."""
    module = FAMILIES[family]
    go = module.decrypt if inverse and module is not aria else module.encrypt
    return join(go(rounds, block.split(module.WORD)))


def counter_plus(counter, n: int):
    """A counter block n blocks later. The whole block counts, its first byte is the highest, and it wraps."""
    turned = lambda w: join(w.split(8)[::-1])  # noqa: E731
    return turned(turned(counter) + n)
