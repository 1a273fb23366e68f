# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bad input gets a negative code; the output is zeroed, and nothing else is written."""

import ctypes

import pytest
from library import (BLOCK, EAUTH, EKEY, ELEN, EROOM, EUSE, FORWARD, GUARD, KEY_SIZE, OK, ROOM, Stream, at, constant,
                     guarded, intact, library)  # fmt: skip

ALL = FORWARD + [c + "_inv" for c in FORWARD]
NULL = None


def zeroed(buffer, size):
    return bytes(buffer)[GUARD : GUARD + size] == bytes(size) and intact(buffer, 0, size)


def key_size(cipher):
    return KEY_SIZE[cipher.removesuffix("_inv")]


@pytest.mark.parametrize("cipher", ALL)
def test_wrong_key_length(cipher):
    for size in sorted({0, 1, 15, 16, 17, 24, 31, 32, 33, 64, 255, 256, 256 + key_size(cipher)} - {key_size(cipher)}):
        k = guarded(ROOM)
        assert library().haechi_init(at(k), ROOM, constant(cipher), bytes(size), size) == EKEY
        assert zeroed(k, ROOM)


@pytest.mark.parametrize("cipher", ALL)
def test_too_little_room(cipher):
    n = key_size(cipher)
    fits = [room for room in range(ROOM + 1) if room_suffices(cipher, room)]
    assert fits == list(range(fits[0], ROOM + 1))
    assert fits[0] == ctypes.sizeof(ctypes.c_void_p) + round_key_bytes(cipher)
    for room in range(fits[0]):
        k = guarded(ROOM)
        assert library().haechi_init(at(k), room, constant(cipher), bytes(n), n) == EROOM
        assert zeroed(k, room)


def room_suffices(cipher, room):
    n, k = key_size(cipher), guarded(ROOM)
    error = library().haechi_init(at(k), room, constant(cipher), bytes(n), n)
    assert intact(k, 0, room)
    return error == OK


def round_key_bytes(cipher):
    """Key objects have the sizes of haechi.h's key types."""
    size = {"lea128": 384, "lea192": 672, "lea256": 768, "hight": 136, "aria128": 208, "aria192": 240, "aria256": 272}
    return size[cipher.removesuffix("_inv")]


def test_null_to_init():
    k = guarded(ROOM)
    assert library().haechi_init(at(k), ROOM, NULL, bytes(16), 16) == EKEY
    assert zeroed(k, ROOM)
    k = guarded(ROOM)
    assert library().haechi_init(at(k), ROOM, constant("hight"), NULL, 16) == EKEY
    assert zeroed(k, ROOM)
    assert library().haechi_init(NULL, ROOM, constant("hight"), bytes(16), 16) == EROOM
    assert library().haechi_init(NULL, 0, constant("hight"), bytes(15), 15) == EKEY


def init(cipher):
    k = ctypes.create_string_buffer(ROOM)
    assert library().haechi_init(k, ROOM, constant(cipher), bytes(range(32)), key_size(cipher)) == OK
    return k


def failed():
    k = ctypes.create_string_buffer(ROOM)
    assert library().haechi_init(k, ROOM, constant("lea128"), bytes(15), 15) == EKEY
    return k


@pytest.mark.parametrize("size", [0, 1, 16, 160])
@pytest.mark.parametrize("key", [NULL, "failed"])
def test_key_that_failed(key, size):
    k = failed() if key else NULL
    out = guarded(size)
    assert library().haechi_ecb(k, at(out), bytes(size), size) == EKEY
    assert zeroed(out, size)
    s, out = Stream(bytes(range(16))), guarded(size)
    before = bytes(s)
    assert library().haechi_ctr(k, ctypes.byref(s), at(out), bytes(size), size) == EKEY
    assert zeroed(out, size) and bytes(s) == before


@pytest.mark.parametrize("cipher", ALL)
def test_ecb_of_no_whole_block(cipher):
    k, block = init(cipher), BLOCK[cipher.removesuffix("_inv")]
    for size in range(4 * block):
        out = guarded(size)
        error = library().haechi_ecb(k, at(out), bytes(size), size)
        assert error == (ELEN if size % block else OK)
        assert intact(out, 0, size) and (error == OK or zeroed(out, size))


@pytest.mark.parametrize("cipher", FORWARD)
def test_ctr_with_an_inverse_key(cipher):
    k, s, out = init(cipher + "_inv"), Stream(bytes(range(16))), guarded(40)
    before = bytes(s)
    assert library().haechi_ctr(k, ctypes.byref(s), at(out), bytes(40), 40) == EUSE
    assert zeroed(out, 40) and bytes(s) == before


@pytest.mark.parametrize("cipher", FORWARD)
def test_stream_that_was_never_zeroed(cipher):
    k = init(cipher)
    for used in (BLOCK[cipher], 17, 255):
        s, out = Stream(), guarded(40)
        s.used = used
        before = bytes(s)
        assert library().haechi_ctr(k, ctypes.byref(s), at(out), bytes(40), 40) == EUSE
        assert zeroed(out, 40) and bytes(s) == before


def test_null_buffers():
    k, s, out = init("hight"), Stream(), guarded(16)
    assert library().haechi_ecb(k, at(out), NULL, 16) == EUSE
    assert zeroed(out, 16)
    out = guarded(16)
    assert library().haechi_ctr(k, ctypes.byref(s), at(out), NULL, 16) == EUSE
    assert zeroed(out, 16)
    out = guarded(16)
    assert library().haechi_ctr(k, NULL, at(out), bytes(16), 16) == EUSE
    assert zeroed(out, 16)
    assert library().haechi_ecb(k, NULL, bytes(16), 16) == EUSE
    assert library().haechi_ctr(k, ctypes.byref(s), NULL, bytes(16), 16) == EUSE
    assert bytes(s) == bytes(33)
    assert library().haechi_ecb(k, NULL, NULL, 0) == OK
    assert library().haechi_ctr(k, ctypes.byref(s), NULL, NULL, 0) == OK


def test_verify():
    verify = library().haechi_verify
    for size in (1, 2, 16, 33):
        a = bytes(range(size))
        assert verify(a, a, size) == OK
        for bit in range(8 * size):
            b = bytearray(a)
            b[bit // 8] ^= 1 << bit % 8
            assert verify(a, bytes(b), size) == EAUTH
    assert verify(b"", b"", 0) == EAUTH
    assert verify(NULL, NULL, 0) == EAUTH
    assert verify(NULL, b"a", 1) == EAUTH


def test_wipe():
    for offset in range(9):
        for size in range(40):
            b = guarded(64)
            library().haechi_wipe(at(b, offset), size)
            assert intact(b, offset, offset + size)
            assert bytes(b)[GUARD + offset : GUARD + offset + size] == bytes(size)
    library().haechi_wipe(NULL, 0)
