# SPDX-License-Identifier: Apache-2.0 OR MIT
"""libcrypto by ctypes, with the provider loaded in a library context of its own."""

import ctypes
import ctypes.util
from ctypes import byref, c_char_p, c_int, c_size_t, c_ulong, c_void_p
from pathlib import Path

CRYPTO = ctypes.CDLL(ctypes.util.find_library("crypto") or "libcrypto.so.3")
for name, result, arguments in [
    ("OSSL_LIB_CTX_new", c_void_p, []),
    ("OSSL_PROVIDER_set_default_search_path", c_int, [c_void_p, c_char_p]),
    ("OSSL_PROVIDER_load", c_void_p, [c_void_p, c_char_p]),
    ("OSSL_PROVIDER_self_test", c_int, [c_void_p]),
    ("EVP_CIPHER_fetch", c_void_p, [c_void_p, c_char_p, c_char_p]),
    ("EVP_CIPHER_free", None, [c_void_p]),
    ("EVP_CIPHER_CTX_new", c_void_p, []),
    ("EVP_CIPHER_CTX_free", None, [c_void_p]),
    ("EVP_CIPHER_CTX_ctrl", c_int, [c_void_p, c_int, c_int, c_void_p]),
    ("EVP_CIPHER_CTX_set_padding", c_int, [c_void_p, c_int]),
    ("EVP_CIPHER_CTX_set_params", c_int, [c_void_p, c_void_p]),
    ("EVP_CIPHER_CTX_get_params", c_int, [c_void_p, c_void_p]),
    ("EVP_CipherInit_ex2", c_int, [c_void_p, c_void_p, c_char_p, c_char_p, c_int, c_void_p]),
    ("EVP_CipherUpdate", c_int, [c_void_p, c_void_p, c_void_p, c_char_p, c_int]),
    ("EVP_CipherFinal_ex", c_int, [c_void_p, c_void_p, c_void_p]),
    ("EVP_Q_mac", c_void_p, [c_void_p, c_char_p, c_char_p, c_char_p, c_void_p, c_char_p, c_size_t, c_char_p, c_size_t,
                             c_void_p, c_size_t, c_void_p]),
    ("ERR_get_error_all", c_ulong, [c_void_p] * 5),
    ("ERR_reason_error_string", c_char_p, [c_ulong]),
]:  # fmt: skip
    function = getattr(CRYPTO, name)
    function.restype, function.argtypes = result, arguments

SET_IVLEN, GET_TAG, SET_TAG = 0x9, 0x10, 0x11


class Refused(Exception):
    """libcrypto answered that a call failed; the text is the reason on its queue of errors."""


def reason() -> str:
    """The newest reason; the queue is empty afterwards."""
    text = "no reason"
    while code := CRYPTO.ERR_get_error_all(None, None, None, None, None):
        text = (CRYPTO.ERR_reason_error_string(code) or b"unknown").decode()
    return text


def check(done) -> None:
    if not done or done < 0:
        raise Refused(reason())


class Evp:
    """A library context with the default provider and ours."""

    def __init__(self, module: Path):
        self.context = CRYPTO.OSSL_LIB_CTX_new()
        check(CRYPTO.OSSL_PROVIDER_set_default_search_path(self.context, str(module.parent).encode()))
        self.provider = CRYPTO.OSSL_PROVIDER_load(self.context, module.stem.encode())
        check(self.provider)
        check(CRYPTO.OSSL_PROVIDER_load(self.context, b"default"))

    def fetch(self, name: str, provider: str = "haechi"):
        cipher = CRYPTO.EVP_CIPHER_fetch(self.context, name.encode(), f"provider={provider}".encode())
        check(cipher)
        return cipher

    def mac(self, name: str, cipher: str, key: bytes, data: bytes, iv: bytes = b"") -> bytes:
        """CMAC or GMAC of the default provider over a cipher of ours."""
        out, size = ctypes.create_string_buffer(16), c_size_t()
        parameters = _parameters(cipher=cipher.encode(), **({"iv": iv} if iv else {}))
        found = CRYPTO.EVP_Q_mac(
            self.context, name.encode(), b"?provider=haechi", None, parameters, key, len(key), data, len(data), out, 16, byref(size)
        )
        check(found)
        return out.raw[: size.value]


class _Parameter(ctypes.Structure):
    """OSSL_PARAM of openssl/core.h."""

    _fields_ = [("key", c_char_p), ("type", ctypes.c_uint), ("data", c_void_p), ("size", c_size_t), ("back", c_size_t)]


def _parameters(**values: bytes):
    """UTF-8 strings (4), but octets (5) for an IV and for the AAD of a TLS record."""
    made = [_Parameter(k.encode(), 5 if k in ("iv", "tlsaad") else 4, ctypes.cast(c_char_p(v), c_void_p), len(v), 0) for k, v in values.items()]
    return (_Parameter * (len(made) + 1))(*made)


class Cipher:
    """One EVP_CIPHER_CTX.  Every call raises Refused where libcrypto's fails."""

    def __init__(self, evp: Evp, name: str, encrypts: bool, provider: str = "haechi"):
        self.cipher, self.encrypts = evp.fetch(name, provider), encrypts
        self.context = CRYPTO.EVP_CIPHER_CTX_new()
        check(CRYPTO.EVP_CipherInit_ex2(self.context, self.cipher, None, None, encrypts, None))

    def __del__(self):
        if hasattr(self, "context"):
            CRYPTO.EVP_CIPHER_CTX_free(self.context)
            CRYPTO.EVP_CIPHER_free(self.cipher)

    def init(self, key: bytes | None, iv: bytes | None = None) -> "Cipher":
        check(CRYPTO.EVP_CipherInit_ex2(self.context, None, key, iv, self.encrypts, None))
        return self

    def control(self, number: int, value: int, data=None) -> None:
        check(CRYPTO.EVP_CIPHER_CTX_ctrl(self.context, number, value, data))

    def padding(self, pads: bool) -> None:
        check(CRYPTO.EVP_CIPHER_CTX_set_padding(self.context, pads))

    def set(self, **values: bytes) -> None:
        """Parameters that are strings."""
        check(CRYPTO.EVP_CIPHER_CTX_set_params(self.context, _parameters(**values)))

    def get(self, name: str) -> bytes:
        """A parameter that is a string."""
        wanted = _parameters(**{name: bytes(32)})
        check(CRYPTO.EVP_CIPHER_CTX_get_params(self.context, wanted))
        return ctypes.string_at(wanted[0].data, wanted[0].back)

    def aad(self, data: bytes | None, size: int | None = None) -> None:
        """Associated data; with None and a size, what CCM must know of the text's length."""
        check(CRYPTO.EVP_CipherUpdate(self.context, None, byref(c_int()), data, len(data) if size is None else size))

    def update(self, data: bytes) -> bytes:
        out, size = ctypes.create_string_buffer(len(data) + 32), c_int()
        check(CRYPTO.EVP_CipherUpdate(self.context, out, byref(size), data, len(data)))
        return out.raw[: size.value]

    def final(self) -> bytes:
        out, size = ctypes.create_string_buffer(32), c_int()
        check(CRYPTO.EVP_CipherFinal_ex(self.context, out, byref(size)))
        return out.raw[: size.value]

    def tag(self, size: int = 16) -> bytes:
        out = ctypes.create_string_buffer(16)
        self.control(GET_TAG, size, out)
        return out.raw[:size]

    def set_tag(self, tag: bytes) -> None:
        self.control(SET_TAG, len(tag), ctypes.create_string_buffer(tag, len(tag)))


def seal(evp: Evp, name: str, key: bytes, iv: bytes, aad: bytes, text: bytes, size: int = 16) -> tuple[bytes, bytes]:
    """Ciphertext and tag."""
    c = Cipher(evp, name, True)
    c.control(SET_IVLEN, len(iv))
    if name.endswith("CCM"):
        c.control(SET_TAG, size)
    c.init(key, iv)
    if name.endswith("CCM"):
        c.aad(None, len(text))
    if aad:
        c.aad(aad)
    out = c.update(text) if text or name.endswith("CCM") else b""
    return out + c.final(), c.tag(size)


def open_(evp: Evp, name: str, key: bytes, iv: bytes, aad: bytes, text: bytes, tag: bytes, late: bool = False) -> bytes:
    """The plaintext, or Refused.  late: CCM gets its tag, of the default length, after the associated data."""
    c = Cipher(evp, name, False)
    c.control(SET_IVLEN, len(iv))
    if name.endswith("CCM") and not late:
        c.set_tag(tag)
    c.init(key, iv)
    if name.endswith("CCM"):
        c.aad(None, len(text))
    if aad:
        c.aad(aad)
    if late:
        c.set_tag(tag)
    out = c.update(text) if text or name.endswith("CCM") else b""
    if not name.endswith("CCM"):
        c.set_tag(tag)  # as late as EVP allows
    return out + c.final()
