# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The classes of haechi: official vectors, OpenSSL's own ARIA, forgeries, buffers in place, threads, and errors that say
what is allowed."""

import copy
import ctypes
import json
import os
import pickle
import subprocess
import sys
import threading
from random import Random

import evp
import haechi
import native
import pytest
from haechi import raw
from library import Aead, Key, Mode, cmac, crypt, library

from bench.declared import rsp

CLASSES = {name: getattr(haechi, name) for name in ("LEAGCM", "LEACCM", "LEAEAX", "ARIAGCM", "ARIACCM", "ARIAEAX", "HIGHTEAX")}
KEYS = {"LEA": (16, 24, 32), "ARIA": (16, 24, 32), "HIGHT": (16,)}
CASES = [(c, n) for c in CLASSES.values() for n in KEYS[c._cipher]]
needs_more = pytest.mark.skipif(rsp.MORE is None, reason="HAECHI_VECTORS is not set")


def parts(cipher: str) -> tuple[str, int]:
    """Family and bytes of the key of a name like lea128."""
    return ("HIGHT", 16) if cipher == "hight" else (cipher[:-3].upper(), int(cipher[-3:]) // 8)


# ---- Known answers and peers.


@needs_more
@pytest.mark.parametrize("mode", ["gcm", "ccm"])
def test_official_vectors(mode):
    answers = [a for a in rsp.own() + rsp.more() if a.mode == mode]
    assert len(answers) > 1000 and any(a.fails for a in answers)
    for a in answers:
        family, _ = parts(a.cipher)
        aead = CLASSES[family + mode.upper()](a.key, tag_length=len(a.tag))
        if a.fails:
            with pytest.raises(haechi.InvalidTag):
                aead.decrypt(a.iv, a.ct + a.tag, a.aad)
        else:
            assert aead.encrypt(a.iv, a.pt, a.aad) == a.ct + a.tag, a.source
            assert aead.decrypt(a.iv, a.ct + a.tag, a.aad) == a.pt, a.source


class OpenSSL:
    """libcrypto's own ciphers, without the provider of this project."""

    context = None
    fetch = lambda self, name, provider: evp.Evp.fetch(self, name, "default")  # noqa: E731


@pytest.mark.parametrize("mode", ["GCM", "CCM"])
@pytest.mark.parametrize("size", [16, 24, 32])
def test_aria_as_openssl_has_it(mode, size):
    random, cls = Random(f"{mode} {size}"), CLASSES["ARIA" + mode]
    for length in [*range(34), 255, 256, 1000, 5000]:
        tag = random.choice([4, 8, 12, 16])
        key, nonce, aad = random.randbytes(size), random.randbytes(12), random.randbytes(random.randrange(40))
        text = random.randbytes(length)
        sealed = b"".join(evp.seal(OpenSSL(), f"ARIA-{size * 8}-{mode}", key, nonce, aad, text, tag))
        aead = cls(key, tag_length=tag)
        assert aead.encrypt(nonce, text, aad) == sealed
        assert aead.decrypt(nonce, sealed, aad) == text


@pytest.mark.parametrize("cls, size", CASES)
def test_as_the_library(cls, size):
    """Keyword and positional arguments, buffers of any kind, whole and in pieces."""
    random = Random(f"{cls.__name__} {size}")
    cipher = cls._cipher.lower() + (str(8 * size) if cls._cipher != "HIGHT" else "")
    for length in (0, 1, 15, 16, 17, 100, 3000):
        key, nonce, aad, text = (random.randbytes(n) for n in (size, 12, random.randrange(50), length))
        aead = cls(key)
        sealed = b"".join(Aead(cls._mode.lower(), cipher, key).seal(nonce, aad, text, aead.tag_length))
        assert aead.encrypt(nonce, text, aad) == sealed
        assert cls(key=bytearray(key)).encrypt(data=bytearray(text), nonce=memoryview(nonce), associated_data=aad) == sealed
        assert aead.decrypt(nonce, memoryview(bytearray(sealed)), associated_data=aad) == text
        assert aead.encrypt(nonce, text) == aead.encrypt(nonce, text, None) == aead.encrypt(nonce, text, b"")

        lengths = {"data_length": len(text), "associated_data_length": len(aad)}
        piece, cut = aead.encryptor(nonce, **lengths), random.randint(0, length)
        piece.authenticate_additional_data(aad)
        out = bytearray(length)
        assert piece.update_into(text[:cut], memoryview(out)[:cut]) == cut
        out[cut:] = piece.update(text[cut:])
        assert piece.finalize() == b"" and bytes(out) + piece.tag == sealed
        piece = raw.unverified_decryptor(aead, nonce, **lengths)
        piece.authenticate_additional_data(aad)
        assert piece.update(sealed[:cut]) + piece.update(sealed[cut:length]) == text
        piece.finalize_with_tag(sealed[length:])
        piece = raw.unverified_decryptor(aead, nonce, **lengths)
        piece.authenticate_additional_data(aad)
        piece.update(sealed[:length])
        with pytest.raises(haechi.InvalidTag):
            piece.finalize_with_tag(bytes(b ^ 1 for b in sealed[length:]))


# ---- Forgeries and buffers.


@pytest.mark.parametrize("cls, size", CASES)
def test_forgeries(cls, size):
    aead, nonce, text = cls(os.urandom(size)), os.urandom(12), os.urandom(40)
    sealed = aead.encrypt(nonce, text, b"aad")
    for at in range(len(sealed)):
        forged = bytearray(sealed)
        forged[at] ^= 1
        with pytest.raises(haechi.InvalidTag):
            aead.decrypt(nonce, forged, b"aad")
        out = bytearray(b"x" * len(text))
        with pytest.raises(haechi.InvalidTag):
            aead.decrypt_into(nonce, forged, b"aad", out)
        assert out == bytes(len(text))
    wrong = [(nonce[:-1] + bytes([nonce[-1] ^ 1]), sealed, b"aad"), (nonce, sealed, b"aaD"), (nonce, sealed, None), (nonce, sealed[:-1], b"aad"),
             (nonce, b"", b"aad"), (nonce, sealed[-aead.tag_length :], b"aad")]  # fmt: skip
    for arguments in wrong:
        with pytest.raises(haechi.InvalidTag):
            aead.decrypt(*arguments)


def test_in_place():
    aead, nonce = haechi.LEAGCM(bytes(16)), bytes(12)
    for length in (0, 1, 16, 5000):
        text = os.urandom(length)
        buffer = bytearray(text + bytes(16))
        assert aead.encrypt_into(nonce, memoryview(buffer)[:length], b"", buffer) == length + 16
        assert buffer == aead.encrypt(nonce, text)
        assert aead.decrypt_into(nonce, buffer, b"", memoryview(buffer)[:length]) == length
        assert buffer[:length] == text


def test_wrong_output_buffers():
    aead, nonce = haechi.LEAGCM(bytes(16)), bytes(12)
    with pytest.raises(ValueError, match="has 47 bytes; it must have 48"):
        aead.encrypt_into(nonce, bytes(32), None, bytearray(47))
    with pytest.raises(ValueError, match="it must have 16"):
        aead.decrypt_into(nonce, bytes(32), None, bytearray(17))
    shared = bytearray(100)
    for data, buf in ((slice(1, 33), slice(0, 48)), (slice(10, 42), slice(0, 48))):
        with pytest.raises(ValueError, match="overlaps"):
            aead.encrypt_into(nonce, memoryview(shared)[data], None, memoryview(shared)[buf])
    with pytest.raises(ValueError, match="overlaps"):
        aead.encrypt_into(memoryview(shared)[:12], bytes(4), None, memoryview(shared)[8:28])
    with pytest.raises(ValueError, match="overlaps"):
        aead.decrypt_into(nonce, bytes(32), memoryview(shared)[:5], memoryview(shared)[4:20])
    assert shared == bytes(100)
    with pytest.raises(BufferError):
        aead.encrypt_into(nonce, bytes(32), None, bytes(48))
    with pytest.raises(BufferError):
        aead.encrypt(nonce, memoryview(bytes(40))[::2])


# ---- Errors.


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: haechi.LEAGCM(bytes(15)), "the key has 15 bytes; LEA takes 16, 24 or 32"),
        (lambda: haechi.HIGHTEAX(bytes(32)), "the key has 32 bytes; HIGHT takes 16"),
        (lambda: haechi.LEAGCM(bytes(16), 5), "the tag has 5 bytes; GCM takes 4, 8 or 12 to 16"),
        (lambda: haechi.ARIACCM(bytes(16), tag_length=5), "the tag has 5 bytes; CCM takes 4, 6, 8, 10, 12, 14 or 16"),
        (lambda: haechi.HIGHTEAX(bytes(16), tag_length=9), "the tag has 9 bytes; EAX takes 4 to 16"),
        (lambda: haechi.LEAGCM(bytes(16), -1), "tag_length is -1"),
        (lambda: haechi.LEAGCM(bytes(16), 1 << 80), "tag_length is 1208925819614629174706176, which no length can be"),
        (lambda: haechi.LEAGCM(bytes(16)).encrypt(b"", b""), "the nonce has 0 bytes; GCM takes 1 or more"),
        (lambda: haechi.LEACCM(bytes(16)).decrypt(bytes(6), bytes(16)), "the nonce has 6 bytes; CCM takes 7 to 13"),
        (lambda: haechi.LEACCM(bytes(16)).encrypt(bytes(13), bytes(65536)), "the data has 65536 bytes; CCM with a nonce of 13 bytes takes at most 65535"),
        (lambda: haechi.LEACCM(bytes(16)).encryptor(bytes(12)), "CCM must know data_length and associated_data_length"),
        (lambda: haechi.LEAGCM.generate_key(100), "LEA has no keys of 100 bits; it has 128, 192, 256"),
        (lambda: raw.encryptor("AES", "CTR", bytes(16), bytes(16)), "there is no cipher AES"),
        (lambda: raw.encryptor("LEA", "XYZ", bytes(16), bytes(16)), "there is no mode XYZ"),
        (lambda: raw.encryptor("HIGHT", "CTR", bytes(16), bytes(16)), "the counter block has 16 bytes; CTR takes 8"),
        (lambda: raw.encryptor("LEA", "ECB", bytes(16), bytes(16)), "the iv has 16 bytes; ECB takes none"),
        (lambda: raw.encryptor("LEA", "CBC", bytes(16), bytes(16)).update(bytes(17)), "the data has 17 bytes; CBC takes a multiple of 16"),
        (lambda: raw.encryptor("LEA", "CBC-CS3", bytes(16), bytes(16)).update(bytes(15)), "the data has 15 bytes; CBC-CS3 takes 16 or more"),
        (lambda: haechi.CMAC("LEA", bytes(16)).finalize(3), "the tag has 3 bytes; CMAC takes 4 to 16"),
        (lambda: haechi.XTS("LEA", bytes(40)), "the key has 20 bytes"),
        (lambda: haechi.XTS("LEA", bytes(32)), "halves of the key are equal"),
        (lambda: haechi.XTS("HIGHT", bytes(range(32))), "16 bytes: LEA and ARIA"),
        (lambda: haechi.XTS("LEA", bytes(range(32))).encrypt(bytes(16), bytes(15)), "the data has 15 bytes; XTS takes 16 to 16777216"),
        (lambda: haechi.XTS("LEA", bytes(range(32))).encrypt(bytes(8), bytes(16)), "the tweak has 8 bytes; XTS takes 16"),
        (lambda: haechi.key_wrap("LEA", bytes(16), bytes(15)), "the key to wrap has 15 bytes; KW takes 16 or more"),
        (lambda: haechi.key_wrap_with_padding("HIGHT", bytes(16), bytes(15)), "LEA and ARIA"),
        (lambda: haechi.CTRDRBG("LEA", 16, bytes(15), bytes(8)), "entropy or nonce has a wrong length"),
        (lambda: haechi.CTRDRBG("LEA", 16, bytes(16), bytes(8)).read(65537), "at most 65536 bytes, not 65537"),
    ],
)  # fmt: skip
def test_wrong_values(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: haechi.LEAGCM("0123456789abcdef"), lambda: haechi.LEAGCM(None), lambda: haechi.LEAGCM(), lambda: haechi.LEAGCM(bytes(16), "16"),
        lambda: haechi.LEAGCM(bytes(16)).encrypt(bytes(12)), lambda: haechi.LEAGCM(bytes(16)).encrypt(bytes(12), "text"),
        lambda: haechi.LEAGCM(bytes(16)).encrypt(bytes(12), b"", b"", b""), lambda: haechi.LEAGCM(bytes(16)).encrypt(bytes(12), b"", 5),
        lambda: haechi.LEAGCM(bytes(16)).encrypt(bytes(12), b"", add=b""), lambda: haechi.LEAGCM(bytes(16)).encrypt(bytes(12), b"", nonce=b""),
        lambda: haechi._haechi.AEAD(bytes(16)), lambda: haechi.CMAC(b"LEA", bytes(16)), lambda: haechi.CMAC("LEA", bytes(16)).update("text"),
        lambda: raw.unverified_decryptor(bytes(16), bytes(12)), lambda: haechi.wipe("text"),
    ],
)  # fmt: skip
def test_wrong_types(call):
    with pytest.raises(TypeError):
        call()


def test_calls_out_of_order():
    piece = haechi.LEAGCM(bytes(16)).encryptor(bytes(12))
    with pytest.raises(ValueError, match="after finalize"):
        _ = piece.tag
    piece.update(b"text")
    with pytest.raises(ValueError, match="out of order"):
        piece.authenticate_additional_data(b"late")
    with pytest.raises(ValueError):
        piece.finalize()  # the error has ended the message
    piece = haechi.LEAGCM(bytes(16)).encryptor(bytes(12))
    sealed = piece.update(b"text")
    piece.finalize()
    for call in (piece.finalize, lambda: piece.update(b"more"), lambda: piece.authenticate_additional_data(b"more")):
        with pytest.raises(ValueError, match="out of order"):
            call()
    assert sealed + piece.tag == haechi.LEAGCM(bytes(16)).encrypt(bytes(12), b"text")
    piece = haechi.LEACCM(bytes(16)).encryptor(bytes(12), data_length=4, associated_data_length=0)
    piece.update(b"tex")
    with pytest.raises(ValueError, match="missing"):
        piece.finalize()
    stream = raw.encryptor("LEA", "CTR", bytes(16), bytes(16))
    stream.finalize()
    with pytest.raises(ValueError, match="has ended"):
        stream.update(b"more")
    mac = haechi.CMAC("LEA", bytes(16))
    mac.finalize()
    with pytest.raises(ValueError, match="has ended"):
        mac.update(b"more")


def test_keys_are_neither_copied_nor_pickled():
    """A key that a framework copies to other machines must be a decision of somebody."""
    key = b"K" * 16
    for secret in (haechi.LEAGCM(key), haechi.CMAC("LEA", key), raw.encryptor("LEA", "ECB", key)):
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError):
                attempt(secret)
        assert "KK" not in repr(secret) and "4b4b" not in repr(secret)


# ---- What does not authenticate, and the rest.


@pytest.mark.parametrize("mode", ["ECB", "CBC", "CTR", "OFB", "CFB", "CFB8"])
@pytest.mark.parametrize("family, size", [(f, n) for f, sizes in KEYS.items() for n in sizes])
def test_streams(family, size, mode):
    random = Random(f"{family} {size} {mode}")
    cipher, block = family.lower() + (str(8 * size) if family != "HIGHT" else ""), 8 if family == "HIGHT" else 16
    key, iv, text = random.randbytes(size), b"" if mode == "ECB" else random.randbytes(block), random.randbytes(4800)
    wanted = crypt(cipher, "ecb", key, b"", text) if mode == "ECB" else Mode(cipher, mode.lower(), key, iv).crypt(text)
    for opens, given, out in ((False, text, wanted), (True, wanted, text)):
        stream = (raw.decryptor if opens else raw.encryptor)(family, mode, key, iv or None)
        step = 48 if mode in ("ECB", "CBC") else 37
        assert b"".join(stream.update(given[i : i + step]) for i in range(0, 480, step) if i + step <= 480) == out[: 480 // step * step]
        stream = (raw.decryptor if opens else raw.encryptor)(family, mode, key, iv or None)
        place = bytearray(given)
        assert stream.update_into(place, place) == 4800 and place == out
        assert stream.finalize() == b""


def test_ciphertext_stealing():
    for variant, mode in enumerate(("CBC-CS1", "CBC-CS2", "CBC-CS3"), 1):
        for length in (16, 17, 31, 32, 100):
            key, iv, text = os.urandom(16), os.urandom(16), os.urandom(length)
            out = ctypes.create_string_buffer(length)
            assert library().haechi_cbc_cts_encrypt(Key("aria128", key).room, iv, variant, out, text, length) == 0
            stream = raw.encryptor("ARIA", mode, key, iv)
            assert stream.update(text) == out.raw
            with pytest.raises(ValueError, match="has ended"):
                stream.update(text)
            assert raw.decryptor("ARIA", mode, key, iv).update(out.raw) == text


@pytest.mark.parametrize("family, size", [(f, n) for f, sizes in KEYS.items() for n in sizes])
def test_cmac(family, size):
    key, text = os.urandom(size), os.urandom(3000)
    cipher, block = family.lower() + (str(8 * size) if family != "HIGHT" else ""), 8 if family == "HIGHT" else 16
    mac = haechi.CMAC(family, key)
    mac.update(text[:1000])
    other = mac.copy()
    mac.update(text[1000:])
    assert mac.finalize() == cmac(cipher, key, text, block)
    assert other.finalize(length=4) == cmac(cipher, key, text[:1000], 4)
    mac = haechi.CMAC(family, key)
    mac.verify(cmac(cipher, key, b"", block))
    mac = haechi.CMAC(family, key)
    with pytest.raises(haechi.InvalidTag):
        mac.verify(bytes(block))


@pytest.mark.parametrize("family, size", [(f, n) for f in ("LEA", "ARIA") for n in KEYS[f]])
def test_xts(family, size):
    key, text = os.urandom(2 * size), os.urandom(520)
    tweak = haechi.XTS.tweak(0x1234)
    assert tweak == bytes([0x34, 0x12, *bytes(14)])
    xts = haechi.XTS(family, key)
    for length in (16, 17, 31, 512, 520):
        wanted = Mode(f"{family.lower()}{8 * size}", "xts", key, tweak).crypt(text[:length])
        assert xts.encrypt(tweak, text[:length]) == wanted and xts.decrypt(tweak, wanted) == text[:length]
        place = bytearray(text[:length])
        assert xts.encrypt_into(tweak, place, place) == length and place == wanted
        assert xts.decrypt_into(tweak, place, place) == length and place == text[:length]


@pytest.mark.parametrize("family", ["LEA", "ARIA"])
def test_key_wrap(family):
    for size in KEYS[family]:
        kek = os.urandom(size)
        for length in (16, 24, 32, 64):
            wrapped = haechi.key_wrap(family, kek, key := os.urandom(length))
            assert len(wrapped) == length + 8 and haechi.key_unwrap(family, kek, wrapped) == key
            if family == "ARIA":
                c = evp.Cipher(OpenSSL(), f"ARIA-{size * 8}-ECB", True).init(kek)
                assert c.update(bytes(16)) == raw.encryptor("ARIA", "ECB", kek).update(bytes(16))
            for bad in (wrapped[:-8], wrapped[:-1], bytes(len(wrapped)), b""):
                with pytest.raises(haechi.InvalidTag):
                    haechi.key_unwrap(family, kek, bad)
        for length in (1, 7, 8, 9, 20, 100):
            wrapped = haechi.key_wrap_with_padding(family, kek, key := os.urandom(length))
            assert haechi.key_unwrap_with_padding(family, kek, wrapped) == key
            with pytest.raises(haechi.InvalidTag):
                haechi.key_unwrap_with_padding(family, kek, wrapped[:-1] + bytes([wrapped[-1] ^ 1]))


def test_generator():
    make = lambda **more: haechi.CTRDRBG("LEA", 16, bytes(range(16)), bytes(8), **more)  # noqa: E731
    one, two = make(), make()
    assert one.read(100) == two.read(100) != one.read(100)
    assert make(personalization=b"x").read(16) != make().read(16) == make(personalization=None).read(16)
    one.reseed(bytes(16))
    assert one.read(16) != two.read(16)
    careful = make(prediction_resistance=True)
    with pytest.raises(RuntimeError, match="reseed"):
        careful.read(16)
    careful.reseed(bytes(16), additional=b"more")
    assert len(careful.read(16)) == 16
    assert len(haechi.CTRDRBG("HIGHT", 16, bytes(24), derivation_function=False).read(1024)) == 1024
    assert all(haechi._haechi.drbg_test().values())


# ---- Threads and memory.


def test_other_threads_run_meanwhile():
    """During one call on 1 MiB another thread counts."""
    aead, data, out = haechi.HIGHTEAX(bytes(16)), bytes(1 << 20), bytearray((1 << 20) + 8)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        aead.encrypt_into(bytes(12), data, None, out)
        assert counted[0] - before > 100
    finally:
        stop.set()
        thread.join()


def test_a_position_belongs_to_one_thread():
    stream, data = raw.encryptor("LEA", "CFB8", bytes(16), bytes(16)), bytes(1 << 18)
    refused, done = [], []

    def work():
        try:
            stream.update(data)
            done.append(1)
        except RuntimeError:
            refused.append(1)

    for _ in range(20):
        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if refused:
            break
    assert done and refused


FREED = """
import gc, json, re, sys
import haechi
from haechi import raw

flip = bytes(255 - i for i in range(256))
given = json.load(sys.stdin)  # secrets with every bit flipped
key = bytearray(bytes.fromhex(given["key"]).translate(flip))
objects = [haechi.LEAGCM(key), haechi.CMAC("LEA", key), raw.encryptor("LEA", "CTR", key, bytes(16))]
objects[0].encrypt(bytes(12), b"text")
haechi.wipe(key)
if len(sys.argv) == 1:
    del objects
gc.collect()
wanted, left = [bytes.fromhex(w) for w in given["windows"]], set()
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in list(maps):
        if (m := re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)) and "[v" not in line:
            memory.seek(int(m[1], 16))
            try:
                data = memory.read(int(m[2], 16) - int(m[1], 16)).translate(flip)
            except OSError:
                continue
            left |= {w for w in wanted if w in data}
print(len(left))
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs /proc/self/mem")
def test_no_key_in_freed_memory():
    """Objects that are freed leave no 8 bytes of the key, of its round keys or of what GCM derives. The test finds these
    while an object holds them."""
    key = os.urandom(16)
    made = Aead("gcm", "lea128", key).room.raw
    derived, rounds = made[8:520], made[528 : 528 + 384]
    windows = {s[i : i + 8] for s in (key, derived, rounds) for i in range(0, len(s) - 7, 8) if s[i : i + 8].count(0) < 2}
    flip = bytes(255 - i for i in range(256))
    given = json.dumps({"key": key.translate(flip).hex(), "windows": [w.translate(flip).hex() for w in sorted(windows)[:24]]})
    env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(haechi.__file__))}
    left = [int(native.run([sys.executable, "-c", FREED, *keep], input=given, env=env).stdout) for keep in ([], ["keep"])]
    assert left[0] == 0 and left[1] > 12


def test_wipe():
    key = bytearray(os.urandom(32))
    haechi.wipe(key)
    assert key == bytes(32)


def test_one_interpreter(tmp_path):
    """Another interpreter of the process cannot import the module, and says so."""
    xx = pytest.importorskip("_xxsubinterpreters")
    package = os.path.dirname(os.path.dirname(haechi.__file__))
    inner = f"import sys; sys.path.insert(0, {package!r}); import haechi"
    code = f"import _xxsubinterpreters as x, haechi\ntry: x.run_string(x.create(), {inner!r})\nexcept x.RunFailedError as e: print(e)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": package})
    assert xx and "one interpreter" in done.stdout, done.stdout + done.stderr
