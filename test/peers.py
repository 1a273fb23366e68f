# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ciphers of other libraries, through test/core/peers.cc."""

import ctypes
from functools import cache

import native

from bench.measured import host


@cache
def peers():
    flags = [*host.CXX, "-O2", "-shared", "-fPIC"]
    libraries = [library for _, library, _, _ in host.PEERS.values()]
    path = native.build("libpeers.so", [native.ROOT / "test/core/peers.cc"], flags, "g++", libraries)
    lib = ctypes.CDLL(str(path))
    lib.peer_crypt.restype = ctypes.c_char_p
    lib.peer_open.restype = ctypes.c_void_p
    lib.peer_block.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return lib


def title(cipher):
    """As peers.cc has it: LEA-128."""
    return (cipher.upper() if cipher == "hight" else f"{cipher[:-3].upper()}-{cipher[-3:]}").encode()
