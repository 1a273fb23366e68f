# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random differential tests of the modes beside Crypto++, and beside OpenSSL where it has ARIA in the mode."""

import ctypes
from ctypes import c_bool, c_char_p, c_size_t
from functools import cache
from random import Random

import native
import pytest
from library import BLOCK, KEY_SIZE, Aead, Mode, cmac, FORWARD
from test_modes import PAIRS, SEALED, nonce_for, tag_for, text_for

MOST = 4096
ROUNDS = [25, pytest.param(1000, marks=pytest.mark.slow)]


@cache
def peers():
    flags = ["-std=c++17", "-O2", "-shared", "-fPIC"]
    path = native.build("libmodepeers.so", [native.ROOT / "test/mode/mode_peers.cc"], flags, "g++", ["-lcryptopp", "-lcrypto"])
    lib = ctypes.CDLL(str(path))
    p, n = c_char_p, c_size_t
    forms = {
        "cryptopp_plain": [p, p, c_bool, p, n, p, p, p, n],
        "cryptopp_seal": [p, p, p, n, p, n, p, n, p, p, n, p, n],
        "cryptopp_cmac": [p, p, n, p, n, p],
        "openssl_plain": [p, c_bool, p, p, p, p, n],
        "openssl_seal": [p, c_bool, p, p, n, p, n, p, p, n, p, n],
    }
    for name, arguments in forms.items():
        getattr(lib, name).argtypes, getattr(lib, name).restype = arguments, c_bool
    return lib


def family(cipher):
    return cipher.rstrip("0123456789").encode()


def openssl(cipher, mode):
    """OpenSSL's name: aria-128-cfb."""
    return f"{cipher[:-3]}-{cipher[-3:]}-{mode}".upper().encode()


@pytest.mark.parametrize("messages", ROUNDS)
@pytest.mark.parametrize("mode, cipher", PAIRS)
def test_plain(mode, cipher, messages):
    random, asked = Random(mode + cipher), 0
    for _ in range(messages if mode != "cfb1" else 3):
        key = random.randbytes(KEY_SIZE[cipher] * (2 if mode == "xts" else 1))
        iv = random.randbytes(BLOCK[cipher])
        text = text_for(mode, cipher, random, MOST if mode != "cfb1" else 300)
        for decrypt in (False, True):
            bits = 8 * len(text) if mode == "cfb1" else 0
            ours = Mode(cipher, mode, key, iv, decrypt).crypt(text, bits)
            out = ctypes.create_string_buffer(len(text) or 1)
            # Crypto++'s CFB accepts only whole segments
            whole = len(text) // 8 * 8 if mode == "cfb64" else len(text)
            if mode != "cfb1":
                assert peers().cryptopp_plain(
                    mode.encode(), family(cipher), decrypt, key, len(key), iv, out, text, whole
                )
                assert out.raw[:whole] == ours[:whole], f"{len(text)} bytes, key {key.hex()}"
                asked += 1
            if "aria" in cipher and mode not in ("cfb64", "xts"):
                assert peers().openssl_plain(openssl(cipher, mode), decrypt, key, iv, out, text, len(text))
                assert out.raw[: len(text)] == ours
                asked += 1
    assert asked or mode == "cfb1"


@pytest.mark.parametrize("messages", ROUNDS)
@pytest.mark.parametrize("mode, cipher", SEALED)
def test_sealed(mode, cipher, messages):
    random = Random(mode + cipher)
    for _ in range(messages):
        key, nonce, size = random.randbytes(KEY_SIZE[cipher]), nonce_for(mode, random), tag_for(mode, cipher, random)
        aad, text = (random.randbytes(random.randrange(most)) for most in (random.choice([1, 50, 700]), MOST))
        ours = Aead(mode, cipher, key).seal(nonce, aad, text, size)
        assert Aead(mode, cipher, key).open(nonce, aad, *ours) == text
        out, tag = ctypes.create_string_buffer(len(text) or 1), ctypes.create_string_buffer(size)
        sizes = nonce, len(nonce), aad, len(aad), out, text, len(text), tag, size
        assert peers().cryptopp_seal(mode.encode(), family(cipher), key, len(key), *sizes)
        assert (out.raw[: len(text)], tag.raw) == ours
        if "aria" in cipher and mode != "eax" and len(nonce) <= 16:
            assert peers().openssl_seal(openssl(cipher, mode), mode == "ccm", key, *sizes)
            assert (out.raw[: len(text)], tag.raw) == ours


@pytest.mark.parametrize("cipher", FORWARD)
def test_cmac(cipher):
    random = Random(cipher)
    for size in [*range(40), *(random.randrange(MOST) for _ in range(30))]:
        key, message = random.randbytes(KEY_SIZE[cipher]), random.randbytes(size)
        tag = ctypes.create_string_buffer(BLOCK[cipher])
        assert peers().cryptopp_cmac(family(cipher), key, len(key), message, size, tag)
        assert tag.raw == cmac(cipher, key, message, BLOCK[cipher])


def test_disagreement_would_be_noticed():
    out = ctypes.create_string_buffer(16)
    assert peers().cryptopp_plain(b"cbc", b"lea", False, bytes(16), 16, bytes(16), out, bytes(16), 16)
    assert out.raw != Mode("lea128", "cbc", bytes(16), b"\1" + bytes(15)).crypt(bytes(16))
