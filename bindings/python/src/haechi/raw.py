# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RAW: encryption that does not authenticate. Whoever can change the ciphertext changes the message, and nobody notices.
Take LEAGCM, ARIACCM, HIGHTEAX and the like unless a standard or a device demands one of these.

    stream = raw.encryptor("LEA", "CTR", key, counter_block)
    sealed = stream.update(first) + stream.update(second)
    stream.finalize()

The modes are ECB, CBC (both take whole blocks in each call), CTR, OFB, CFB, CFB8 (any number of bytes in each call), and
CBC-CS1, CBC-CS2 and CBC-CS3, which is CBC with ciphertext stealing and takes the whole message in one call. iv is one
block, 16 bytes or for HIGHT 8; ECB has none. ValueError: there is no such cipher or mode, or a length does not fit.
"""

from ._haechi import AEAD, Pieces, Stream
from ._types import Buffer

__all__ = ["decryptor", "encryptor", "unverified_decryptor"]


def encryptor(cipher: str, mode: str, key: Buffer, iv: Buffer | None = None) -> Stream:
    """A stream that encrypts with "LEA", "HIGHT" or "ARIA"."""
    return Stream(cipher, mode, key, iv, False)


def decryptor(cipher: str, mode: str, key: Buffer, iv: Buffer | None = None) -> Stream:
    """A stream that decrypts what `encryptor` has encrypted with the same arguments."""
    return Stream(cipher, mode, key, iv, True)


def unverified_decryptor(
    aead: AEAD, nonce: Buffer, *, data_length: int | None = None, associated_data_length: int | None = None
) -> Pieces:
    """Decrypts one authenticated message in pieces, for messages that do not fit in memory.

    UPDATE RETURNS BYTES THAT NOBODY HAS VERIFIED. Until finalize_with_tag has returned they may come from anybody: do
    not act on them and do not pass them on. CCM must know both lengths (of the data without the tag) beforehand.
    """
    return Pieces(aead, nonce, True, data_length, associated_data_length)
