# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Authenticated encryption, with the interface of cryptography.hazmat.primitives.ciphers.aead."""

import os
from typing import ClassVar

from . import _haechi
from ._haechi import Pieces
from ._types import Buffer


class AEAD(_haechi.AEAD):
    """What LEAGCM, ARIACCM, HIGHTEAX and the like have in common.

    encrypt, decrypt, encrypt_into and decrypt_into work on whole messages, encryptor on pieces of one. (To decrypt in
    pieces gives out data that nobody has verified: haechi.raw.unverified_decryptor.)
    """

    __slots__ = ()
    _cipher: ClassVar[str]
    _mode: ClassVar[str]
    _key_bits: ClassVar[tuple[int, ...]] = (128, 192, 256)

    @classmethod
    def generate_key(cls, bit_length: int = 128) -> bytes:
        """A random key of 128, 192 or 256 bits; HIGHT has 128 alone. ValueError: the cipher has no such keys."""
        if bit_length not in cls._key_bits:
            raise ValueError(f"{cls._cipher} has no keys of {bit_length} bits; it has {', '.join(map(str, cls._key_bits))}")
        return os.urandom(bit_length // 8)

    def encryptor(self, nonce: Buffer, *, data_length: int | None = None, associated_data_length: int | None = None) -> Pieces:
        """Encrypts one message in pieces: authenticate_additional_data and then update, as often as you like, then
        finalize; `tag` is the tag from then on. CCM must know both lengths beforehand; GCM and EAX ignore them.
        ValueError: the nonce or a length does not fit, or the calls come in another order."""
        return Pieces(self, nonce, False, data_length, associated_data_length)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}, tag of {self.tag_length} bytes>"


class LEAGCM(AEAD):
    """LEA in GCM (SP 800-38D). key: 16, 24 or 32 bytes. nonce: 1 byte or more; 12 is fastest. tag_length: 4, 8 or 12 to
    16 bytes. data: at most 2^36 - 32 bytes. ValueError: a length does not fit."""

    __slots__ = ()
    _cipher, _mode = "LEA", "GCM"


class LEACCM(AEAD):
    """LEA in CCM (SP 800-38C). key: 16, 24 or 32 bytes. nonce: 7 to 13 bytes. tag_length: 4, 6, 8, 10, 12, 14 or 16
    bytes. data: at most 2^(8(15 - bytes of the nonce)) - 1 bytes. ValueError: a length does not fit."""

    __slots__ = ()
    _cipher, _mode = "LEA", "CCM"


class LEAEAX(AEAD):
    """LEA in EAX (Bellare, Rogaway, Wagner 2004). key: 16, 24 or 32 bytes. nonce: 1 byte or more. tag_length: 4 to 16
    bytes. ValueError: a length does not fit."""

    __slots__ = ()
    _cipher, _mode = "LEA", "EAX"


class ARIAGCM(AEAD):
    """ARIA in GCM (SP 800-38D). key: 16, 24 or 32 bytes. nonce: 1 byte or more; 12 is fastest. tag_length: 4, 8 or 12 to
    16 bytes. data: at most 2^36 - 32 bytes. ValueError: a length does not fit."""

    __slots__ = ()
    _cipher, _mode = "ARIA", "GCM"


class ARIACCM(AEAD):
    """ARIA in CCM (SP 800-38C). key: 16, 24 or 32 bytes. nonce: 7 to 13 bytes. tag_length: 4, 6, 8, 10, 12, 14 or 16
    bytes. data: at most 2^(8(15 - bytes of the nonce)) - 1 bytes. ValueError: a length does not fit."""

    __slots__ = ()
    _cipher, _mode = "ARIA", "CCM"


class ARIAEAX(AEAD):
    """ARIA in EAX (Bellare, Rogaway, Wagner 2004). key: 16, 24 or 32 bytes. nonce: 1 byte or more. tag_length: 4 to 16
    bytes. ValueError: a length does not fit."""

    __slots__ = ()
    _cipher, _mode = "ARIA", "EAX"


class HIGHTEAX(AEAD):
    """HIGHT, in wire order, in EAX (Bellare, Rogaway, Wagner 2004). key: 16 bytes. nonce: 1 byte or more. tag_length: 4
    to 8 bytes. Blocks of 64 bits limit how much data one key may encrypt: 1 MiB at an advantage of 2^-26
    (docs/limits.md). ValueError: a length does not fit."""

    __slots__ = ()
    _cipher, _mode = "HIGHT", "EAX"
    _key_bits = (128,)
