# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Properties of the public API: splits, in place, alignment, carries. hypothesis searches for unusual cases."""

import ctypes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library import BLOCK, FORWARD, KEY_SIZE, OK, ROOM, GUARD, Key, Stream, at, constant, crypt, guarded, intact, library

ciphers = pytest.mark.parametrize("cipher", FORWARD)
KEY = bytes(range(32))


def counter_mode_by_ecb(cipher, key, iv, data):
    """Counter mode as SP 800-38A defines it, by single blocks."""
    k, n, out = Key(cipher, key), BLOCK[cipher], b""
    for i in range(0, len(data), n):
        counter = (int.from_bytes(iv, "big") + i // n) % 2 ** (8 * n)
        stream = k.ecb(counter.to_bytes(n, "big"))
        out += bytes(a ^ b for a, b in zip(data[i : i + n], stream, strict=False))
    return out


@ciphers
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_ctr_split_anywhere(cipher, data):
    n = BLOCK[cipher]
    message = data.draw(st.binary(max_size=300))
    iv = data.draw(st.binary(min_size=n, max_size=n))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(message)), max_size=6)))
    key = KEY[: KEY_SIZE[cipher]]
    whole = crypt(cipher, "ctr", key, iv, message)
    k, s = Key(cipher, key), Stream(iv)
    assert b"".join(k.ctr(s, message[a:b]) for a, b in zip([0, *cuts], [*cuts, len(message)], strict=True)) == whole
    assert whole == counter_mode_by_ecb(cipher, key, iv, message)
    used = -(-len(message) // n)
    assert bytes(s.iv[:n]) == ((int.from_bytes(iv, "big") + used) % 2 ** (8 * n)).to_bytes(n, "big")
    assert bytes(s.iv[n:]) == bytes(16 - n)


@ciphers
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_ecb_is_inverted(cipher, data):
    key = data.draw(st.binary(min_size=KEY_SIZE[cipher], max_size=KEY_SIZE[cipher]))
    blocks = data.draw(st.integers(0, 70))
    message = data.draw(st.binary(min_size=blocks * BLOCK[cipher], max_size=blocks * BLOCK[cipher]))
    ct = Key(cipher, key).ecb(message)
    assert Key(cipher + "_inv", key).ecb(ct) == message
    n = BLOCK[cipher]
    k = Key(cipher, key)
    assert ct == b"".join(k.ecb(message[i : i + n]) for i in range(0, len(message), n))


@ciphers
def test_lengths_around_the_batches(cipher):
    n = BLOCK[cipher]
    near = [*range(0, 4 * n + 2), *range(8 * n - 1, 8 * n + 2), *range(64 * n - 1, min(1100, 64 * n + 2))]
    lengths_and_alignments(cipher, near)


@ciphers
@pytest.mark.slow
def test_every_length(cipher):
    lengths_and_alignments(cipher, range(1101))


def lengths_and_alignments(cipher, lengths):
    """Each length, with key, in and out at changing offsets, in place and from one buffer to another, between guard
    bytes."""
    n, key = BLOCK[cipher], KEY[: KEY_SIZE[cipher]]
    message = bytes(i * 7 & 255 for i in range(1100))
    iv = bytes(n - 1) + b"\xf0"
    stream = crypt(cipher, "ctr", key, iv, bytes(1100))
    for step, size in enumerate(lengths):
        for mode in ("ctr", "ecb") if size % n == 0 else ("ctr",):
            want = (
                bytes(a ^ b for a, b in zip(message[:size], stream, strict=False))
                if mode == "ctr"
                else Key(cipher, key).ecb(message[:size])
            )
            for apart in (True, False):
                a, b, c = step % 16, (step * 5 + 3) % 16, (step * 3 + 1) % 8
                raw_key, room = guarded(64), guarded(ROOM)
                ctypes.memmove(at(raw_key, c), key, len(key))
                assert library().haechi_init(at(room), ROOM, constant(cipher), at(raw_key, c), len(key)) == OK
                assert intact(raw_key, c, c + len(key)) and intact(room, 0, ROOM)
                source, target = guarded(size + 16), guarded(size + 16)
                ctypes.memmove(at(source, a), message, size)
                if not apart:
                    target, b = source, a
                if mode == "ctr":
                    s = Stream(iv)
                    assert library().haechi_ctr(at(room), ctypes.byref(s), at(target, b), at(source, a), size) == OK
                else:
                    assert library().haechi_ecb(at(room), at(target, b), at(source, a), size) == OK
                assert bytes(target)[GUARD + b : GUARD + b + size] == want, (mode, size, apart)
                assert intact(target, b, b + size)
                if apart:
                    assert bytes(source)[GUARD + a : GUARD + a + size] == message[:size]
                    assert intact(source, a, a + size)


@ciphers
def test_counter_carries_at_every_byte(cipher):
    n, key = BLOCK[cipher], KEY[: KEY_SIZE[cipher]]
    for byte in range(n + 1):
        for before in (0, 1, 2, 63):
            start = (2 ** (8 * byte) - 1 - before) % 2 ** (8 * n)
            for high in (0, 0x5A << 8 * (n - 1)):
                iv = ((start + high) % 2 ** (8 * n)).to_bytes(n, "big")
                data = bytes((before + 3) * n)
                assert crypt(cipher, "ctr", key, iv, data) == counter_mode_by_ecb(cipher, key, iv, data)


@ciphers
def test_key_may_be_copied(cipher):
    key = KEY[: KEY_SIZE[cipher]]
    k, copy = Key(cipher, key), Key(cipher, bytes(KEY_SIZE[cipher]))
    copy.room = ctypes.create_string_buffer(k.room.raw, ROOM)
    ct = k.ecb(bytes(48))
    library().haechi_wipe(k.room, ROOM)
    assert copy.ecb(bytes(48)) == ct
