# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CMAC, XTS, key wrap and CTR_DRBG. Wherever a cipher is asked for, it is "LEA", "HIGHT" or "ARIA"; the length of the key
chooses between LEA-128, LEA-192 and LEA-256."""

from . import _haechi
from ._types import Buffer

__all__ = ["CMAC", "CTRDRBG", "XTS", "key_unwrap", "key_unwrap_with_padding", "key_wrap", "key_wrap_with_padding"]


class CMAC(_haechi.CMAC):
    """CMAC (SP 800-38B) of one message: CMAC(cipher, key), then update as often as you like, then finalize or verify.

    key: 16, 24 or 32 bytes; HIGHT's has 16. ValueError: a length does not fit, or the message has ended.
    """

    __slots__ = ()


class CTRDRBG(_haechi.DRBG):
    """CTR_DRBG (SP 800-90A, 10.2.1), whose entropy the caller provides: CTRDRBG(cipher, key_length, entropy, nonce=None,
    personalization=None, derivation_function=True, prediction_resistance=False).

    key_length: bytes of the cipher's key, 16, 24 or 32. With the derivation function, entropy is at least as long as the
    key and the nonce at least half as long; without it, entropy is as long as key and block together, and there is no
    nonce. Most programs want os.urandom instead. ValueError: a length does not fit.
    """

    __slots__ = ()


class XTS(_haechi.XTS):
    """XTS with ciphertext stealing (IEEE 1619), for data that is stored in sectors, with "LEA" or "ARIA".

    key: two keys of 16, 24 or 32 bytes that differ. Each call works on one sector of 16 to 16777216 bytes; its tweak is
    16 bytes, which `tweak` makes of the sector's number. XTS hides data and does not authenticate it.
    """

    __slots__ = ()

    @staticmethod
    def tweak(sector: int) -> bytes:
        """The number of a sector, 0 to 2^128 - 1, as 16 bytes, little-endian. OverflowError: it is another number."""
        return sector.to_bytes(16, "little")


def key_wrap(cipher: str, wrapping_key: Buffer, key_to_wrap: Buffer) -> bytes:
    """KW (SP 800-38F, RFC 3394) of a key of 16 bytes or more, a multiple of 8: 8 bytes more, encrypted and authenticated.
    cipher is "LEA" or "ARIA". Equal keys give equal wrapped keys. ValueError: a length does not fit."""
    return _haechi.wrap(cipher, wrapping_key, key_to_wrap, False, False)


def key_unwrap(cipher: str, wrapping_key: Buffer, wrapped_key: Buffer) -> bytes:
    """The key that key_wrap has wrapped. InvalidTag: this is not what was wrapped."""
    return _haechi.wrap(cipher, wrapping_key, wrapped_key, True, False)


def key_wrap_with_padding(cipher: str, wrapping_key: Buffer, key_to_wrap: Buffer) -> bytes:
    """KWP (SP 800-38F, RFC 5649) of a key of any length from 1 byte on."""
    return _haechi.wrap(cipher, wrapping_key, key_to_wrap, False, True)


def key_unwrap_with_padding(cipher: str, wrapping_key: Buffer, wrapped_key: Buffer) -> bytes:
    """The key that key_wrap_with_padding has wrapped. InvalidTag: this is not what was wrapped."""
    return _haechi.wrap(cipher, wrapping_key, wrapped_key, True, True)
