# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LEA, HIGHT and ARIA, the Korean standard block ciphers.

    from haechi import ARIAGCM
    aead = ARIAGCM(key)                                    # 16, 24 or 32 bytes
    sealed = aead.encrypt(nonce, data, associated_data)    # the nonce must never repeat under a key
    data = aead.decrypt(nonce, sealed, associated_data)    # InvalidTag if it is not what was encrypted

haechi.columns works on whole columns of messages, haechi.duckdb brings them to SQL,
haechi.open_file reads and writes the files of the haechi command, and haechi.raw has what does not authenticate.

Data and keys are bytes or any other contiguous buffer (bytearray, memoryview, mmap, numpy arrays): they are read where
they are. Wrong types raise TypeError, wrong lengths ValueError, what is not authentic InvalidTag. Calls on 2 KiB or more
let other threads run. A key object is constant, so that threads may share it, and its memory is wiped when it is freed;
`wipe` does the same for a bytearray that held a key. Python cannot wipe bytes objects.
"""

from ._haechi import InvalidTag, wipe
from ._haechi import version as __version__
from .aead import ARIACCM, ARIAEAX, ARIAGCM, LEACCM, LEAEAX, LEAGCM, HIGHTEAX
from .files import open_file
from .keys import CMAC, CTRDRBG, XTS, key_unwrap, key_unwrap_with_padding, key_wrap, key_wrap_with_padding

__all__ = [
    "ARIACCM", "ARIAEAX", "ARIAGCM", "CMAC", "CTRDRBG", "HIGHTEAX", "InvalidTag", "LEACCM", "LEAEAX", "LEAGCM", "XTS",
    "__version__", "key_unwrap", "key_unwrap_with_padding", "key_wrap", "key_wrap_with_padding", "open_file", "wipe",
]  # fmt: skip
