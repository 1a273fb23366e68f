# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ciphers of other libraries, through test/core/peers.cc."""

import ctypes
import subprocess
from functools import cache

import native

from bench.measured import host


@cache
def gcrypt_has_aria() -> bool:
    """libgcrypt does since version 1.11."""
    probe = "#include <gcrypt.h>\n#if GCRYPT_VERSION_NUMBER < 0x010b00\n#error older\n#endif\n"
    return subprocess.run(["gcc", "-E", "-"], input=probe, capture_output=True, text=True).returncode == 0


@cache
def peers():
    flags = [*host.CXX, "-O2", "-shared", "-fPIC"]
    libraries = [library for _, library, _, _ in host.PEERS.values()]
    if gcrypt_has_aria():
        flags, libraries = [*flags, "-DWITH_GCRYPT"], [*libraries, "-lgcrypt"]
    path = native.build("libpeers.so", [native.ROOT / "test/core/peers.cc"], flags, "g++", libraries)
    lib = ctypes.CDLL(str(path))
    lib.peer_crypt.restype = ctypes.c_char_p
    lib.peer_open.restype = ctypes.c_void_p
    lib.peer_block.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return lib


def title(cipher):
    """The name that peers.cc uses: LEA-128."""
    return (cipher.upper() if cipher == "hight" else f"{cipher[:-3].upper()}-{cipher[-3:]}").encode()
