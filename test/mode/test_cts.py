# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CBC with ciphertext stealing: variant 3 beside Crypto++, the others beside their definition, and beside CBC."""

import ctypes
from random import Random

import pytest
from library import BLOCK, ELEN, EUSE, FORWARD, KEY_SIZE, OK, Key, Mode, at, guarded, intact, library
from test_mode_peers import family, peers


def cts(cipher: str, variant: int, key: bytes, iv: bytes, data: bytes, decrypt: bool = False, in_place: bool = False) -> bytes:
    run = library().haechi_cbc_cts_decrypt if decrypt else library().haechi_cbc_cts_encrypt
    k, out = Key(cipher + "_inv" * decrypt, key), guarded(len(data))
    ctypes.memmove(at(out), data, len(data))
    error = run(k.room, iv, variant, at(out), at(out) if in_place else data, len(data))
    assert error == OK and intact(out, 0, len(data))
    return bytes(out)[64 : 64 + len(data)]


@pytest.mark.parametrize("cipher", FORWARD)
def test_variants(cipher):
    random, block = Random(cipher), BLOCK[cipher]
    for size in [*range(block, 4 * block + 2), 1000, 1024, 5000]:
        key, iv, text = random.randbytes(KEY_SIZE[cipher]), random.randbytes(block), random.randbytes(size)
        made = [cts(cipher, variant, key, iv, text, in_place=size % 2) for variant in (1, 2, 3)]
        for variant in (1, 2, 3):
            assert cts(cipher, variant, key, iv, made[variant - 1], decrypt=True, in_place=not size % 2) == text
        d = (size - 1) % block + 1
        last = size - d - block  # where the last two blocks begin
        if size > block:
            third = ctypes.create_string_buffer(size)
            assert peers().cryptopp_plain(b"cts", family(cipher), False, key, len(key), iv, third, text, size)
            assert made[2] == third.raw
            swapped = made[2][:last] + made[2][last + block :] + made[2][last : last + block]
            assert made[0] == swapped
            assert made[1] == (made[0] if d == block else made[2])
        if d == block:
            assert made[0] == Mode(cipher, "cbc", key, iv).crypt(text)


def test_errors():
    k, out = Key("lea128", bytes(16)), guarded(64)
    run = library().haechi_cbc_cts_encrypt
    for variant, iv, size, expected in ((0, bytes(16), 32, EUSE), (4, bytes(16), 32, EUSE), (1, None, 32, EUSE), (1, bytes(16), 15, ELEN)):
        ctypes.memset(at(out), 1, 64)
        assert run(k.room, iv, variant, at(out), bytes(64), size) == expected
        assert bytes(out)[64 : 64 + size] == bytes(size) and intact(out, 0, 64)
    assert library().haechi_cbc_cts_decrypt(k.room, bytes(16), 1, at(out), bytes(32), 32) == EUSE
