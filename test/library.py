# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library under test, as Python sees it: the public API and, below it, every kernel by its descriptor."""

import ctypes
from ctypes import c_size_t, c_uint8, c_uint16, c_void_p
from functools import cache

import native

OK, EKEY, ELEN, EAUTH, EROOM, EUSE = 0, -1, -2, -3, -4, -5
FORWARD = ["lea128", "lea192", "lea256", "hight", "aria128", "aria192", "aria256"]
KEY_SIZE = {c: 16 if c == "hight" else int(c[-3:]) // 8 for c in FORWARD}
BLOCK = {c: 8 if c == "hight" else 16 for c in FORWARD}
GUARD = 64
ROOM = 776  # sizeof(haechi_any_key) on a 64-bit host


class Stream(ctypes.Structure):
    _fields_ = [("iv", c_uint8 * 16), ("left", c_uint8 * 16), ("used", c_uint8)]

    def __init__(self, iv: bytes = b""):
        super().__init__()
        self.iv[: len(iv)] = iv


class Descriptor(ctypes.Structure):
    """struct haechi_kernel of src/core/kernel.h."""

    _fields_ = [
        ("rk", c_uint16), ("needs", c_uint16), ("block", c_uint8), ("key", c_uint8), ("flags", c_uint8),
        ("expand", ctypes.CFUNCTYPE(None, c_void_p, c_void_p)),
        ("crypt", ctypes.CFUNCTYPE(None, c_void_p, c_void_p)),
        ("bulk", ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("ctr", ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
    ]  # fmt: skip


@cache
def library() -> ctypes.CDLL:
    """All of src/ and the baseline kernels for this host, every symbol visible."""
    flags = ["-std=c99", "-O2", "-shared", "-fPIC"]
    sources = native.sources() + sorted(native.ROOT.glob("bench/baseline/*.c"))
    lib = ctypes.CDLL(str(native.build("libhaechi.so", sources, flags)))
    lib.haechi_init.argtypes = [c_void_p, c_size_t, c_void_p, c_void_p, c_size_t]
    lib.haechi_ecb.argtypes = [c_void_p, c_void_p, c_void_p, c_size_t]
    lib.haechi_ctr.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p, c_size_t]
    lib.haechi_verify.argtypes = [c_void_p, c_void_p, c_size_t]
    lib.haechi_wipe.argtypes = [c_void_p, c_size_t]
    lib.haechi_wipe.restype = None
    return lib


def constant(cipher: str) -> int:
    """The address of haechi_<cipher>."""
    return ctypes.addressof(ctypes.c_char.in_dll(library(), "haechi_" + cipher))


class Key:
    """An expanded key; cipher is lea128 ... or, for the inverse, lea128_inv."""

    def __init__(self, cipher: str, key: bytes):
        self.room = ctypes.create_string_buffer(ROOM)
        error = library().haechi_init(self.room, ROOM, constant(cipher), key, len(key))
        assert error == OK, error

    def ecb(self, data: bytes) -> bytes:
        out = ctypes.create_string_buffer(len(data))
        assert library().haechi_ecb(self.room, out, data, len(data)) == OK
        return out.raw

    def ctr(self, stream: Stream, data: bytes) -> bytes:
        out = ctypes.create_string_buffer(len(data))
        assert library().haechi_ctr(self.room, ctypes.byref(stream), out, data, len(data)) == OK
        return out.raw


def crypt(cipher: str, mode: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    """One message through the public API."""
    k = Key(cipher, key)
    return k.ecb(data) if mode == "ecb" else k.ctr(Stream(iv), data)


class Kernel:
    """One kernel by its descriptor's name, like lea_c_128_inv; the slots run on bytes."""

    def __init__(self, name: str):
        self.d = Descriptor.in_dll(library(), "haechi_" + name)
        self.name, self.inverse = name, bool(self.d.flags & 1)

    def expand(self, key: bytes) -> bytes:
        rk = ctypes.create_string_buffer(self.d.rk)
        self.d.expand(rk, key)
        return rk.raw

    def crypt(self, rk: bytes, block: bytes) -> bytes:
        buf = ctypes.create_string_buffer(block, len(block))
        self.d.crypt(rk, buf)
        return buf.raw

    def bulk(self, rk: bytes, data: bytes) -> bytes:
        out = ctypes.create_string_buffer(len(data))
        self.d.bulk(rk, out, data, len(data) // self.d.block)
        return out.raw


def features(allowed: int = 0xFFFF) -> int:
    """Narrows the CPU features that haechi_init goes by; returns those in force."""
    library().haechi_features_limit(c_uint16(allowed))
    library().haechi_features.restype = c_uint16
    return library().haechi_features()


def guarded(size: int) -> ctypes.Array:
    """A buffer of size bytes between guard bytes that `intact` checks."""
    return (c_uint8 * (size + 2 * GUARD))(*([0xA5] * (size + 2 * GUARD)))


def at(buffer: ctypes.Array, offset: int = 0) -> int:
    """The address of the buffer's byte `offset` behind its first guard."""
    return ctypes.addressof(buffer) + GUARD + offset


def intact(buffer: ctypes.Array, first: int, last: int) -> bool:
    """Whether all bytes outside [first, last) still are as `guarded` left them."""
    raw = bytes(buffer)
    return set(raw[: GUARD + first]) | set(raw[GUARD + last :]) <= {0xA5}
