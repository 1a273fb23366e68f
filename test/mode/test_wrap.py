# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Key wrap and GMAC: Wycheproof's files for ARIA, of which one case of each kind is here; SP 800-38F's text for
LEA; errors."""

import ctypes
import json
import os
from pathlib import Path
from random import Random

import pytest
from library import EAUTH, ELEN, EUSE, KEY_SIZE, OK, Aead, Key, at, guarded, intact, library

WIDE = [f"{c}{bits}" for c in ("lea", "aria") for bits in (128, 192, 256)]

# Wycheproof, aria_wrap_test.json and aria_kwp_test.json, the first case of each: key, message, wrapped.
ONE = {
    "kw": ("6f67486d1e914419cb43c28509c7c1ea", "8dc0632d92ee0be4f740028410b08270", "32ba2be7c6cf96f913c956007fae3db198ec7896af0a6144"),
    "kwp": ("6f67486d1e914419cb43c28509c7c1ea", "8dc0632d92ee0be4f740028410b08270", "61caf6dfab80d354b681c712949a0d8db7e77a8855f435fe"),
}


def wrap(mode: str, cipher: str, key: bytes, text: bytes) -> bytes | int:
    """The wrapped key, or the error; in place, with canaries around."""
    size = (len(text) + 7) // 8 * 8 + 8
    out = guarded(size)
    ctypes.memmove(at(out), text, len(text))
    error = getattr(library(), f"haechi_{mode}_wrap")(Key(cipher, key).room, at(out), at(out), len(text))
    assert intact(out, 0, size)
    return bytes(out)[64 : 64 + size] if error == OK else error


def unwrap(mode: str, cipher: str, key: bytes, wrapped: bytes) -> bytes | int:
    room = max(len(wrapped) - 8, 0)
    out, found = guarded(room), ctypes.c_size_t(77)
    more = [ctypes.byref(found)] if mode == "kwp" else []
    error = getattr(library(), f"haechi_{mode}_unwrap")(Key(cipher + "_inv", key).room, at(out), *more, wrapped, len(wrapped))
    assert intact(out, 0, room)
    text = bytes(out)[64 : 64 + room]
    if error:
        assert text == bytes(room) and (mode == "kw" or found.value == 0)
        return error
    if mode == "kw":
        return text
    assert text[found.value :] == bytes(room - found.value)
    return text[: found.value]


@pytest.mark.parametrize("mode", ONE)
def test_one_case_of_wycheproof(mode):
    key, text, wrapped = map(bytes.fromhex, ONE[mode])
    assert wrap(mode, "aria128", key, text) == wrapped
    assert unwrap(mode, "aria128", key, wrapped) == text


@pytest.mark.parametrize("mode, name", [("kw", "aria_wrap_test"), ("kwp", "aria_kwp_test")])
def test_wycheproof(mode, name):
    if "HAECHI_VECTORS" not in os.environ:
        pytest.skip("HAECHI_VECTORS does not name the folder of vectors")
    content = json.loads((Path(os.environ["HAECHI_VECTORS"]) / "wycheproof" / f"{name}.json").read_text())
    for group in content["testGroups"]:
        for case in group["tests"]:
            key, text, wrapped = (bytes.fromhex(case[k]) for k in ("key", "msg", "ct"))
            cipher = f"aria{len(key) * 8}"
            if case["result"] == "valid":
                assert wrap(mode, cipher, key, text) == wrapped, case["tcId"]
                assert unwrap(mode, cipher, key, wrapped) == text, case["tcId"]
            elif case["result"] == "invalid":
                assert unwrap(mode, cipher, key, wrapped) in (EAUTH, ELEN), case["tcId"]


def written_out(cipher: str, key: bytes, a: bytes, text: bytes) -> bytes:
    """W of SP 800-38F, algorithm 1, as printed: S is a list of semiblocks that shifts by one in each step."""
    k, s = Key(cipher, key), [a, *(text[i : i + 8] for i in range(0, len(text), 8))]
    for t in range(1, 6 * (len(s) - 1) + 1):
        c = k.ecb(s[0] + s[1])
        s = [(int.from_bytes(c[:8]) ^ t).to_bytes(8), *s[2:], c[8:]]
    return b"".join(s)


@pytest.mark.parametrize("cipher", WIDE)
def test_as_sp_800_38f_has_it(cipher):
    random = Random(cipher)
    for size in [16, 24, 32, 64, 264, *(random.randrange(1, 300) for _ in range(20))]:
        key, text = random.randbytes(KEY_SIZE[cipher]), random.randbytes(size)
        padded = text + bytes(-size % 8)
        a = bytes.fromhex("a65959a6") + size.to_bytes(4)
        expected = written_out(cipher, key, a, padded) if size > 8 else Key(cipher, key).ecb(a + padded)
        assert wrap("kwp", cipher, key, text) == expected
        assert unwrap("kwp", cipher, key, expected) == text
        if size % 8 == 0 and size >= 16:
            assert wrap("kw", cipher, key, text) == written_out(cipher, key, b"\xa6" * 8, text)


@pytest.mark.parametrize("mode", ONE)
def test_every_bit_that_is_forged_is_refused(mode):
    wrapped = wrap(mode, "lea256", bytes(32), bytes(range(40)))
    for bit in range(8 * len(wrapped)):
        forged = bytearray(wrapped)
        forged[bit // 8] ^= 1 << bit % 8
        assert unwrap(mode, "lea256", bytes(32), bytes(forged)) == EAUTH


def test_padding_must_be_zero_and_shorter_than_a_semiblock():
    """Correctly encrypted but wrong inside: lengths one too small and too large, and padding that is not zero."""
    key = bytes(16)
    for length, padding, good in ((17, bytes(7), True), (16, bytes(8), False), (24, b"", True), (25, b"", False), (17, b"\0" * 6 + b"\1", False)):
        text = (bytes(range(1, 1 + 24 - len(padding))) + padding)[:24]
        wrapped = written_out("aria128", key, bytes.fromhex("a65959a6") + length.to_bytes(4), text)
        assert (unwrap("kwp", "aria128", key, wrapped) != EAUTH) == good, length


def test_lengths_and_directions():
    assert [wrap("kw", "aria128", bytes(16), bytes(n)) for n in (0, 8, 15, 17)] == [ELEN] * 4
    assert [unwrap("kw", "aria128", bytes(16), bytes(n)) for n in (0, 7, 8, 16, 25)] == [ELEN] * 5
    assert wrap("kwp", "aria128", bytes(16), b"") == ELEN
    assert [unwrap("kwp", "aria128", bytes(16), bytes(n)) for n in (0, 8, 17)] == [ELEN] * 3
    assert wrap("kw", "hight", bytes(16), bytes(16)) == EUSE
    assert wrap("kw", "aria128_inv", bytes(16), bytes(16)) == EUSE


def test_gmac_is_gcm_without_a_text():
    random = Random(1)
    a = Aead("gcm", "lea192", bytes(24))
    for size in (0, 1, 16, 100):
        nonce, data, tag = random.randbytes(12), random.randbytes(size), ctypes.create_string_buffer(16)
        assert library().haechi_gmac(a.room, nonce, 12, data, size, tag, 16) == OK
        assert tag.raw == a.seal(nonce, data, b"", 16)[1]
    tag = ctypes.create_string_buffer(b"x" * 16, 16)
    assert library().haechi_gmac(Aead("ccm", "lea192", bytes(24)).room, bytes(12), 12, b"", 0, tag, 16) == EUSE
    assert tag.raw == bytes(16)
