# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library under test as Python sees it: the public API and, below it, every kernel by its descriptor."""

import ctypes
from ctypes import c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from functools import cache

import native

OK, EKEY, ELEN, EAUTH, EROOM, EUSE, ELIMIT, ERESEED, ECPU = 0, -1, -2, -3, -4, -5, -6, -7, -8
FORWARD = ["lea128", "lea192", "lea256", "hight", "aria128", "aria192", "aria256"]
KEY_SIZE = {c: 16 if c == "hight" else int(c[-3:]) // 8 for c in FORWARD}
BLOCK = {c: 8 if c == "hight" else 16 for c in FORWARD}
GUARD = 64
ROOM = 776  # sizeof(haechi_any_key) on a 64-bit host
AEAD_HEAD = 520  # sizeof(haechi_aead)
AEAD_ROOM = AEAD_HEAD + ROOM  # sizeof(haechi_any_aead)
XTS_ROOM = 2 * ROOM  # sizeof(haechi_any_xts)


# Arguments of the public functions: p a pointer, n a size_t, q a 64-bit length, u an unsigned int.
FORMS = {"p": c_void_p, "n": c_size_t, "q": c_uint64, "u": c_uint}
WITH_IV = ["ctr", "ofb", *(f"{m}_{way}" for m in ("cbc", "cfb", "cfb8", "cfb64", "cfb1", "xts") for way in ("encrypt", "decrypt"))]
ARGUMENTS = {
    "init": "pnppn", "verify": "ppn", "wipe": "pn", "ecb": "pppn", **dict.fromkeys(WITH_IV, "ppppn"),
    "xts_init": "pnpppn", "cmac_update": "pppn", "cmac_tag": "pppn", "cmac_derive": "pp", "cmac_message": "pppnpn",
    "aead_init": "pnpppn",
    "seal": "ppnpnppnpn", "open": "ppnpnppnpn", "seal_jobs": "pppnn", "open_jobs": "pppnn",
    "ctr_jobs": "ppnn", "cmac_jobs": "ppnn", "aead_begin": "pppnqqn", "aead_aad": "pppn",
    "cbc_cts_encrypt": "ppuppn", "cbc_cts_decrypt": "ppuppn", "gmac": "ppnpnpn",
    "kw_wrap": "pppn", "kw_unwrap": "pppn", "kwp_wrap": "pppn", "kwp_unwrap": "ppppn",
    "aead_encrypt": "ppppn", "aead_decrypt": "ppppn", "aead_tag": "pppn", "aead_verify": "pppn",
}  # fmt: skip
STREAMS = ["ctr", "ofb", "cfb", "cfb64"]  # their position is a haechi_stream; other modes have an iv that changes


class Stream(ctypes.Structure):
    _fields_ = [("iv", c_uint8 * 16), ("left", c_uint8 * 16), ("used", c_uint8)]

    def __init__(self, iv: bytes = b""):
        super().__init__()
        self.iv[: len(iv)] = iv


class Cmac(ctypes.Structure):
    _fields_ = [("x", c_uint8 * 16), ("used", c_uint8)]


class AeadStream(ctypes.Structure):
    _fields_ = [
        ("phase", c_uint8), ("taglen", c_uint8), ("hashed", c_uint8), ("use", c_uint8), ("check", c_uint8 * 4),
        ("aadlen", c_uint64), ("len", c_uint64),
        ("text", Stream), ("mac", Cmac), ("mask", c_uint8 * 16),
    ]  # fmt: skip


class Descriptor(ctypes.Structure):
    """struct haechi_kernel of src/core/kernel.h."""

    _fields_ = [
        ("rk", c_uint16), ("needs", c_uint16), ("block", c_uint8), ("key", c_uint8), ("flags", c_uint8),
        ("expand", ctypes.CFUNCTYPE(None, c_void_p, c_void_p)),
        ("crypt", ctypes.CFUNCTYPE(None, c_void_p, c_void_p)),
        ("bulk", ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("ctr", ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("ctr_bytes", ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("cbc", ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("xex", ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("name", ctypes.c_char_p),
    ]  # fmt: skip


@cache
def library() -> ctypes.CDLL:
    """All of src/ and the baseline kernels, built for this host with every symbol visible."""
    sources = native.sources() + sorted(native.ROOT.glob("bench/declared/baseline/*.c"))
    lib = ctypes.CDLL(str(native.build("libhaechi.so", sources, [*native.USUAL, "-shared"])))
    for name, forms in ARGUMENTS.items():
        getattr(lib, f"haechi_{name}").argtypes = [FORMS[form] for form in forms]
    lib.haechi_wipe.restype = None
    lib.haechi_version.restype = lib.haechi_kernel_name.restype = ctypes.c_char_p
    lib.haechi_features.restype = c_uint32
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
    """One message through the public API, ECB or CTR."""
    k = Key(cipher, key)
    return k.ecb(data) if mode == "ecb" else k.ctr(Stream(iv), data)


class Mode:
    """A key and a position in a mode other than ECB; cipher is the forward one. CFB1 counts bits, and its data is whole
    bytes that hold them."""

    def __init__(self, cipher: str, mode: str, key: bytes, iv: bytes, decrypt: bool = False):
        way = "" if mode in ("ctr", "ofb") else "_decrypt" if decrypt else "_encrypt"
        self.run = getattr(library(), f"haechi_{mode}{way}")
        inverse = "_inv" * (decrypt and mode in ("cbc", "xts"))
        self.at = Stream(iv) if mode in STREAMS else ctypes.create_string_buffer(iv, len(iv))
        if mode == "xts":
            self.room = ctypes.create_string_buffer(XTS_ROOM)
            ciphers = constant(cipher + inverse), constant(cipher)
            error = library().haechi_xts_init(self.room, XTS_ROOM, *ciphers, key, len(key))
            assert error == OK, error
        else:
            self.room = Key(cipher + inverse, key).room

    def crypt(self, data: bytes, bits: int = 0) -> bytes:
        out = ctypes.create_string_buffer(len(data))
        error = self.run(self.room, ctypes.byref(self.at), out, data, bits or len(data))
        assert error == OK, error
        return out.raw


def cmac(cipher: str, key: bytes, message: bytes, size: int, pieces: list[int] = ()) -> bytes:
    """A CMAC of size bytes. The message goes in pieces that end at these places."""
    k, s, tag = Key(cipher, key), Cmac(), ctypes.create_string_buffer(size)
    for first, last in zip([0, *pieces], [*pieces, len(message)], strict=True):
        assert library().haechi_cmac_update(k.room, ctypes.byref(s), message[first:last], last - first) == OK
    assert library().haechi_cmac_tag(k.room, ctypes.byref(s), tag, size) == OK
    return tag.raw


def cmac_message(cipher: str, key: bytes, message: bytes, size: int) -> bytes:
    """The same in one call, under a subkey."""
    k, subkey, tag = Key(cipher, key), ctypes.create_string_buffer(17), guarded(size)
    assert library().haechi_cmac_derive(k.room, subkey) == OK
    assert library().haechi_cmac_message(k.room, subkey, message, len(message), at(tag), size) == OK
    assert intact(tag, 0, size)
    return bytes(tag)[GUARD : GUARD + size]


class Aead:
    """A key for gcm, ccm or eax."""

    def __init__(self, mode: str, cipher: str, key: bytes):
        self.room = ctypes.create_string_buffer(AEAD_ROOM)
        error = library().haechi_aead_init(self.room, AEAD_ROOM, constant(mode), constant(cipher), key, len(key))
        assert error == OK, error

    def seal(self, nonce: bytes, aad: bytes, text: bytes, size: int) -> tuple[bytes, bytes]:
        """Ciphertext and tag."""
        out, tag = ctypes.create_string_buffer(len(text)), ctypes.create_string_buffer(size)
        error = library().haechi_seal(
            self.room, nonce, len(nonce), aad, len(aad), out, text, len(text), tag, size
        )
        assert error == OK, error
        return out.raw, tag.raw

    def open(self, nonce: bytes, aad: bytes, text: bytes, tag: bytes) -> bytes | None:
        """The plaintext; None where the tag is wrong, and then nothing came out."""
        out = guarded(len(text))
        error = library().haechi_open(
            self.room, nonce, len(nonce), aad, len(aad), at(out), text, len(text), tag, len(tag)
        )
        assert intact(out, 0, len(text))
        plain = bytes(out)[GUARD : GUARD + len(text)]
        if error == EAUTH:
            assert plain == bytes(len(text))
            return None
        assert error == OK, error
        return plain


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


    def ctr(self, rk: bytes, counter: bytes, data: bytes | None, n: int) -> tuple[bytes, bytes]:
        """n blocks of output, or of key stream if data is None, and the next counter."""
        at, out = ctypes.create_string_buffer(counter, len(counter)), ctypes.create_string_buffer(n * self.d.block)
        self.d.ctr(rk, at, out, data, n)
        return out.raw, at.raw


def features(allowed: int = 0xFFFF) -> int:
    """Limits the CPU features by which haechi_init chooses; returns those in force."""
    library().haechi_features_limit(c_uint32(allowed))
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
