# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modes: known answers, Monte Carlo chains, messages in pieces and in one call, forgeries, bad input."""

import ctypes
from random import Random

import pytest
from bench.declared import rsp
from library import (AEAD_HEAD, AEAD_ROOM, BLOCK, EAUTH, EKEY, ELEN, ELIMIT, EROOM, EUSE, FORWARD, GUARD, KEY_SIZE, OK, ROOM, STREAMS,
                     XTS_ROOM, Aead, AeadStream, Cmac, Key, Mode, Stream, at, cmac, cmac_message, constant, features, guarded, intact,
                     library)  # fmt: skip

from spec import field, modes

VPCLMUL = 0x0020  # src/haechi_cpu.h

PLAIN = ["cbc", "ctr", "ofb", "cfb", "cfb8", "cfb64", "cfb1", "xts"]
AEADS = ["gcm", "ccm", "eax"]
GF_128 = field.BLOCKS[16]
SIXTEEN = [c for c in FORWARD if BLOCK[c] == 16]
PAIRS = [(m, c) for m in PLAIN for c in FORWARD if BLOCK[c] == 16 or m not in ("cfb64", "xts")]
SEALED = [(m, c) for m in AEADS for c in FORWARD if BLOCK[c] == 16 or m == "eax"]
needs_more = pytest.mark.skipif(rsp.MORE is None, reason="HAECHI_VECTORS is not set")


def known(cipher, mode):
    return [a for a in rsp.own() + rsp.more() if (a.cipher, a.mode) == (cipher, mode)]


# ---- Known answers.


@needs_more
@pytest.mark.parametrize("mode, cipher", [(m, c) for m, c in PAIRS if m != "xts" and (c != "hight" or m in ("cbc", "ctr"))])
def test_plain_modes(mode, cipher):
    answers = known(cipher, mode)
    assert len(answers) >= 10
    for a in answers:
        assert Mode(cipher, mode, a.key, a.iv).crypt(a.pt, a.bits) == a.ct, a.source
        assert Mode(cipher, mode, a.key, a.iv, decrypt=True).crypt(a.ct, a.bits) == a.pt, a.source


@needs_more
@pytest.mark.parametrize("cipher", ["lea128", "lea192", "lea256", "hight"])
def test_cmac(cipher):
    answers = known(cipher, "cmac")
    assert len(answers) >= 2
    for a in answers:
        assert cmac(cipher, a.key, a.pt, len(a.tag)) == a.tag, a.source
        assert cmac_message(cipher, a.key, a.pt, len(a.tag)) == a.tag, a.source


@needs_more
@pytest.mark.parametrize("cipher", SIXTEEN)
@pytest.mark.parametrize("mode", ["gcm", "ccm"])
def test_sealed(cipher, mode):
    """In both directions; entries marked FAIL must be refused."""
    answers = known(cipher, mode)
    assert sum(not a.fails for a in answers) >= 200 and any(a.fails for a in answers)
    for a in answers:
        opened = Aead(mode, cipher, a.key).open(a.iv, a.aad, a.ct, a.tag)
        assert opened == (None if a.fails else a.pt), a.source
        if not a.fails:
            assert Aead(mode, cipher, a.key).seal(a.iv, a.aad, a.pt, len(a.tag)) == (a.ct, a.tag), a.source


def bit(data, i):
    return data[i // 8] >> (7 - i % 8) & 1


CHAINS = [name for name, chain in rsp.monte_carlo().items() if chain[0].mode not in ("ecb", "ctr")]


@needs_more
@pytest.mark.full
@pytest.mark.parametrize("name", CHAINS or ["none"])
def test_monte_carlo(name):
    """KCMVP: 100 chains of 1000 units of plaintext. After PT[0] come the units of IV, and then PT[j + 1] is CT[j - b],
    where a block has b units. The last units of the chain are the next IV, and are combined with the next key."""
    chain = rsp.monte_carlo()[name]
    assert len(chain) == 100
    width = {"cfb1": 1, "cfb8": 8, "cfb64": 64}.get(chain[0].mode, 128)  # bits of a unit
    b, size = 128 // width, max(1, width // 8)
    key, iv, pt = chain[0].key, chain[0].iv, chain[0].pt
    for answer in chain:
        assert (key, iv, pt) == (answer.key, answer.iv, answer.pt), answer.source
        mode = Mode(answer.cipher, answer.mode, key, iv)
        units = [bytes([bit(iv, i) << 7]) if width == 1 else iv[i * size : (i + 1) * size] for i in range(b)]
        out = []
        for j in range(1000):
            out.append(mode.crypt(pt, width if width == 1 else 0))
            pt = units[j] if j < b else out[j - b]
        assert out[-1] == answer.ct, answer.source
        if width == 1:
            whole = int("".join(str(u[0] >> 7) for u in out[-8 * len(key) :]), 2).to_bytes(len(key), "big")
        else:
            whole = b"".join(out)
        key = bytes(a ^ c for a, c in zip(key, whole[-len(key) :], strict=True))
        iv = whole[-16:]


# NIST SP 800-38D has no vectors for LEA; what is special about GCM's counter shows with any cipher.
@pytest.mark.parametrize("cipher", SIXTEEN)
@pytest.mark.parametrize("last", [0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFF0])
@pytest.mark.parametrize("kernel", ["best", "portable"])
def test_the_counter_of_gcm_wraps_inside_32_bits(cipher, last, kernel):
    """J0 is chosen, and the nonce of 16 bytes that GHASH maps to it is computed."""
    features(0xFFFF if kernel == "best" else 0)
    try:
        random = Random(last)
        key, text = random.randbytes(KEY_SIZE[cipher]), random.randbytes(600)
        k, j0 = Key(cipher, key), random.randbytes(12) + last.to_bytes(4, "big")
        # GHASH(nonce | length) = (nonce * h + length) * h
        element = lambda block: modes.reflected(int.from_bytes(block, "big"))  # noqa: E731
        inverse = field.inverse(element(k.ecb(bytes(16))), GF_128)
        product = field.times(element(j0), inverse, GF_128) ^ element((128).to_bytes(16, "big"))
        nonce = modes.reflected(field.times(product, inverse, GF_128)).to_bytes(16, "big")
        sealed, tag = Aead("gcm", cipher, key).seal(nonce, b"", text, 16)
        assert (sealed, tag) == modes.gcm(k.ecb, nonce, b"", text)
        count = lambda i: j0[:12] + ((last + 1 + i) % 2**32).to_bytes(4, "big")  # noqa: E731
        stream = k.ecb(b"".join(count(i) for i in range(38)))
        assert sealed == bytes(a ^ b for a, b in zip(text, stream, strict=False))
        for piece in (1, 5, 16, 17, 32, 100):
            assert in_pieces("gcm", cipher, key, nonce, b"", text, 16, piece) == (sealed, tag)
    finally:
        features()


@pytest.mark.parametrize("allowed", [0xFFFF, 0x0005, 0])
def test_every_kind_of_ghash(allowed):
    """With VPCLMULQDQ, with PCLMULQDQ, and without, as far as this CPU has them; lengths around the powers; h with
    edges."""
    features(allowed)
    try:
        for seed in range(60):
            random = Random(seed)
            key, aad, text = random.randbytes(16), random.randbytes(random.randrange(40)), random.randbytes(seed * 16)
            sealed = modes.gcm(Key("aria128", key).ecb, bytes(12), aad, text)
            assert Aead("gcm", "aria128", key).seal(bytes(12), aad, text, 16) == sealed
    finally:
        features()


# ---- Properties.


def text_for(mode, cipher, random, most=1200):
    n = BLOCK[cipher]
    size = random.randrange(most)
    return random.randbytes(size // n * n if mode == "cbc" else max(size, 16) if mode == "xts" else size)


@pytest.mark.parametrize("mode, cipher", PAIRS)
def test_there_and_back_in_any_pieces(mode, cipher):
    """One call and split calls; in place, and from one buffer to another at odd addresses; nothing outside is
    written."""
    random, n = Random(mode + cipher), BLOCK[cipher]
    for _ in range(10 if mode != "cfb1" else 2):
        key = random.randbytes(KEY_SIZE[cipher] * (2 if mode == "xts" else 1))
        iv, text = random.randbytes(n), text_for(mode, cipher, random)
        for decrypt in (False, True):
            make = lambda d=decrypt: Mode(cipher, mode, key, iv, d)  # noqa: B023, E731
            scale = 8 if mode == "cfb1" else 1
            whole = make().crypt(text, scale * len(text))
            assert Mode(cipher, mode, key, iv, not decrypt).crypt(whole, scale * len(text)) == text
            unit = n if mode == "cbc" else 1
            if mode != "xts":
                m, out, first = make(), b"", 0
                while first < len(text):
                    last = min(len(text), first + unit * random.choice([1, 2, 3, 7, 8, 15, 16, 17, 64, 65, 300]))
                    out += m.crypt(text[first:last], scale * (last - first))
                    first = last
                assert out == whole
            for a, b, apart in [(0, 0, 0), (1, 1, 0), (1, 0, 1), (3, 5, 1)]:
                source, target = guarded(len(text) + 16), guarded(len(text) + 16)
                ctypes.memmove(at(source, a), text, len(text))
                to, where = (target, b) if apart else (source, a)
                m = make()
                assert m.run(m.room, ctypes.byref(m.at), at(to, where), at(source, a), scale * len(text)) == OK
                assert bytes(to)[GUARD + where :][: len(text)] == whole
                assert intact(to, where, where + len(text))


@pytest.mark.parametrize("mode, cipher, allowed", [
    ("xts", "lea128", 0xFFFF), ("xts", "lea128", 0xFFFF & ~VPCLMUL), ("xts", "lea128", 0),
    ("xts", "aria128", 0xFFFF), ("cfb", "lea128", 0xFFFF), ("cfb", "hight", 0xFFFF),
])  # fmt: skip
def test_lengths_around_a_batch(mode, cipher, allowed):
    """XTS takes the end of a message with its last batch of 256 blocks, and decryption skips a tweak there; tweaks are made
    in several ways. CFB decrypts what is over whole kilobytes separately."""
    n, random = BLOCK[cipher], Random(mode + cipher)
    features(allowed)
    try:
        for size in lengths_around_a_batch(mode, n):
            keys = [random.randbytes(KEY_SIZE[cipher]) for _ in range(2 if mode == "xts" else 1)]
            iv, text = random.randbytes(n), random.randbytes(size)
            blocks = [Key(cipher, key).ecb for key in keys]
            sealed = modes.xts(*blocks, iv, text) if mode == "xts" else modes.cfb_encrypt(*blocks, iv, text, n)
            for decrypt, given, wanted in ((False, text, sealed), (True, sealed, text)):
                assert Mode(cipher, mode, b"".join(keys), iv, decrypt).crypt(given) == wanted
                buffer = guarded(size)
                ctypes.memmove(at(buffer, 0), given, size)
                m = Mode(cipher, mode, b"".join(keys), iv, decrypt)
                assert m.run(m.room, ctypes.byref(m.at), at(buffer, 0), at(buffer, 0), size) == OK
                assert bytes(buffer)[GUARD:][:size] == wanted
                assert intact(buffer, 0, size)
    finally:
        features()


def lengths_around_a_batch(mode, n):
    """In bytes; a block has n."""
    if mode == "xts":
        return (255 * n + 1, 256 * n - 1, 256 * n, 256 * n + 1, 257 * n - 1, 512 * n + 3)
    return (1023, 1024, 1025, 1024 + n, 1025 + n, 1024 + 2 * n, 2047, 2048, 2049, 2048 + n, 2049 + n, 2048 + 2 * n, 2049 + 2 * n, 4099)


@pytest.mark.parametrize("cipher", FORWARD)
def test_cmac_in_any_pieces(cipher):
    random = Random(cipher)
    for size in [*range(70), 300]:
        key, message = random.randbytes(KEY_SIZE[cipher]), random.randbytes(size)
        whole = cmac(cipher, key, message, BLOCK[cipher])
        cuts = sorted(random.randrange(size + 1) for _ in range(random.randrange(6)))
        assert cmac(cipher, key, message, BLOCK[cipher], cuts) == whole
        assert cmac(cipher, key, message, 4) == whole[:4]
        assert cmac_message(cipher, key, message, BLOCK[cipher]) == whole


def nonce_for(mode, random):
    return random.randbytes(random.randrange(7, 14) if mode == "ccm" else random.choice([1, 7, 8, 12, 12, 12, 16, 17, 60]))


def tag_for(mode, cipher, random):
    sizes = {"gcm": [4, 8, 12, 13, 16, 16], "ccm": [4, 6, 8, 10, 12, 14, 16], "eax": [4, 5, 8, BLOCK[cipher]]}
    return random.choice(sizes[mode])


def begin(mode, cipher, key, nonce, aad, text, size):
    """CCM needs the lengths. GCM and EAX ignore them, so that they may be wrong."""
    a, s = Aead(mode, cipher, key), AeadStream()
    lens = (len(aad), len(text)) if mode == "ccm" else (len(text), len(aad) % 20)
    assert library().haechi_aead_begin(a.room, ctypes.byref(s), nonce, len(nonce), *lens, size) == OK
    return a, s


def in_pieces(mode, cipher, key, nonce, aad, text, size, piece, given=None):
    """Ciphertext and tag; or the plaintext and the given tag, which must be right. Between the calls the test copies
    stream and key object, and overwrites the first ones."""
    a, s = begin(mode, cipher, key, nonce, aad, text, size)
    run = library().haechi_aead_decrypt if given else library().haechi_aead_encrypt
    for i in range(0, len(aad), piece):
        part = aad[i : i + piece]
        assert library().haechi_aead_aad(a.room, ctypes.byref(s), part, len(part)) == OK
    got = b""
    for i in range(0, len(text), piece):
        part = text[i : i + piece]
        out = ctypes.create_string_buffer(len(part))
        assert run(a.room, ctypes.byref(s), out, part, len(part)) == OK
        got += out.raw
        moved = AeadStream.from_buffer_copy(s)
        ctypes.memset(ctypes.byref(s), 0xA5, ctypes.sizeof(s))
        s = moved
        a.room = ctypes.create_string_buffer(a.room.raw, len(a.room))
    tag = ctypes.create_string_buffer(given, size) if given else ctypes.create_string_buffer(size)
    finish = library().haechi_aead_verify if given else library().haechi_aead_tag
    assert finish(a.room, ctypes.byref(s), tag, size) == OK
    assert bytes(s) == bytes(ctypes.sizeof(s))
    return got, tag.raw


@pytest.mark.parametrize("mode, cipher", SEALED)
def test_sealed_in_pieces(mode, cipher):
    random = Random(mode + cipher)
    for _ in range(25):
        key, nonce = random.randbytes(KEY_SIZE[cipher]), nonce_for(mode, random)
        aad, text = random.randbytes(random.randrange(100)), random.randbytes(random.choice([0, 1, 16, 255, 1100]))
        size = tag_for(mode, cipher, random)
        sealed, tag = Aead(mode, cipher, key).seal(nonce, aad, text, size)
        for piece in (1, random.randrange(2, 40), 16, 2000):
            assert in_pieces(mode, cipher, key, nonce, aad, text, size, piece) == (sealed, tag)
            assert in_pieces(mode, cipher, key, nonce, aad, sealed, size, piece, given=tag) == (text, tag)


@pytest.mark.parametrize("mode, cipher", SEALED)
def test_more_than_one_piece_of_cache(mode, cipher):
    """A message longer than what seal processes at once, in place at an odd address."""
    random = Random(mode + cipher)
    key, nonce = random.randbytes(KEY_SIZE[cipher]), bytes(12)
    text = random.randbytes(3 * 8192 + 77)
    a = Aead(mode, cipher, key)
    sealed, tag = a.seal(nonce, b"aad", text, 8)
    assert in_pieces(mode, cipher, key, nonce, b"aad", text, 8, 9999) == (sealed, tag)
    assert a.open(nonce, b"aad", sealed, tag) == text
    buffer = guarded(len(text) + 1)
    ctypes.memmove(at(buffer, 1), sealed, len(sealed))
    where, size = at(buffer, 1), len(text)
    assert library().haechi_open(a.room, nonce, 12, b"aad", 3, where, where, size, tag, 8) == OK
    assert bytes(buffer)[GUARD + 1 :][:size] == text and intact(buffer, 1, 1 + size)


@pytest.mark.parametrize("aadlen", [0xFEFF, 0xFF00, 0x10005])
def test_how_ccm_writes_the_length_of_aad(aadlen):
    """SP 800-38C, A.2.2: the length takes 2 bytes, or 4 after ff fe."""
    key, nonce, aad, text = bytes(range(16)), bytes(13), bytes(aadlen), b"text"
    wanted = modes.ccm(Key("lea128", key).ecb, nonce, aad, text, 16)
    assert Aead("ccm", "lea128", key).seal(nonce, aad, text, 16) == wanted


@pytest.mark.parametrize("mode, cipher", SEALED)
def test_forged(mode, cipher):
    """Every bit of tag, ciphertext, aad and nonce is changed, and each is cut and extended; `open` checks that there is
    no output."""
    random = Random(mode + cipher)
    key, nonce, aad, text = random.randbytes(KEY_SIZE[cipher]), random.randbytes(12), b"header", random.randbytes(21)
    a = Aead(mode, cipher, key)
    sealed, tag = a.seal(nonce, aad, text, 8)
    assert a.open(nonce, aad, sealed, tag) == text
    whole = [nonce, aad, sealed, tag]
    for part, data in enumerate(whole):
        for i in range(8 * len(data)):
            forged = bytearray(data)
            forged[i // 8] ^= 1 << i % 8
            assert a.open(*whole[:part], bytes(forged), *whole[part + 1 :]) is None
    assert a.open(nonce, aad, sealed[:-1], tag) is None
    assert a.open(nonce, aad, sealed + b"\0", tag) is None
    assert a.open(nonce, aad + b"\0", sealed, tag) is None
    assert a.open(nonce, b"", sealed, tag) is None
    assert Aead(mode, cipher, random.randbytes(KEY_SIZE[cipher])).open(nonce, aad, sealed, tag) is None


@pytest.mark.parametrize("mode, cipher", SEALED)
def test_verify_in_pieces(mode, cipher):
    key, text = bytes(KEY_SIZE[cipher]), b"attack at dawn"
    sealed, tag = Aead(mode, cipher, key).seal(bytes(12), b"", text, 8)
    for given, wanted in ((tag, OK), (bytes([tag[0] ^ 1]) + tag[1:], EAUTH)):
        a, s = begin(mode, cipher, key, bytes(12), b"", text, 8)
        out = ctypes.create_string_buffer(len(text))
        assert library().haechi_aead_decrypt(a.room, ctypes.byref(s), out, sealed, len(sealed)) == OK
        assert library().haechi_aead_verify(a.room, ctypes.byref(s), given, 8) == wanted
        assert library().haechi_aead_verify(a.room, ctypes.byref(s), tag, 8) == EUSE, "a stream ends with its tag"


def test_eax_of_its_authors():
    """The construction by its definition, over single blocks of the library."""
    for cipher in FORWARD:
        random, n = Random(cipher), BLOCK[cipher]
        for size in (0, 1, n, n + 1, 5 * n):
            key, nonce = random.randbytes(KEY_SIZE[cipher]), random.randbytes(9)
            aad, text = random.randbytes(size), random.randbytes(size)
            wanted = modes.eax(Key(cipher, key).ecb, bytes(n), nonce, aad, text)
            assert Aead("eax", cipher, key).seal(nonce, aad, text, n) == wanted
            opened = modes.eax(Key(cipher, key).ecb, bytes(n), nonce, aad, wanted[0], decrypt=True)
            assert opened == (text, wanted[1])


# ---- Bad input: a code, zeroed output, and nothing else is written.


def zeroed(buffer, size):
    return bytes(buffer)[GUARD : GUARD + size] == bytes(size) and intact(buffer, 0, size)


BAD_KEY = bytes(ROOM)  # the content after a failed init


@pytest.mark.parametrize("mode, cipher", [p for p in PAIRS if p[0] != "xts"])
def test_plain_modes_refuse(mode, cipher):
    n = BLOCK[cipher]

    def refused(wanted, **wrong):
        m = Mode(cipher, mode, bytes(KEY_SIZE[cipher]), bytes(n), wrong.pop("decrypt", False))
        out, size = guarded(64), wrong.pop("size", 64)
        given = {"key": m.room, "at": ctypes.byref(m.at), "out": at(out), "in": bytes(64)} | wrong
        bits = 8 * size if mode == "cfb1" else size
        assert m.run(given["key"], given["at"], given["out"], given["in"], bits) == wanted
        assert zeroed(out, size) if given["out"] else intact(out, 0, 0)

    for decrypt in (False, True):
        refused(EKEY, key=BAD_KEY, decrypt=decrypt)
        refused(EKEY, key=None, decrypt=decrypt)
        refused(EUSE, at=None, decrypt=decrypt)
        refused(EUSE, out=None, decrypt=decrypt)
        refused(EUSE, **{"in": None}, decrypt=decrypt)
        turned = cipher + "_inv" * (not (decrypt and mode == "cbc"))
        refused(EUSE, key=Key(turned, bytes(KEY_SIZE[cipher])).room, decrypt=decrypt)
        if mode in STREAMS:
            never_zeroed = Stream(bytes(n))
            never_zeroed.used = n
            refused(EUSE, at=ctypes.byref(never_zeroed), decrypt=decrypt)
        if mode == "cbc":
            for size in (1, n - 1, n + 1, 63):
                refused(ELEN, size=size, decrypt=decrypt)


def test_cfb64_wants_a_block_of_16():
    out = guarded(8)
    run = library().haechi_cfb64_encrypt
    assert run(Key("hight", bytes(16)).room, ctypes.byref(Stream(bytes(8))), at(out), bytes(8), 8) == EUSE
    assert zeroed(out, 8)


def test_cfb1_leaves_no_stray_bits():
    for bits in range(1, 17):
        out = Mode("lea128", "cfb1", bytes(16), bytes(16)).crypt(b"\xff\xff"[: (bits + 7) // 8], bits)
        assert int.from_bytes(out, "big") % (1 << -bits % 8) == 0


@pytest.mark.parametrize("cipher", SIXTEEN)
def test_xts_refuses(cipher):
    n, random = KEY_SIZE[cipher], Random(cipher)
    both = random.randbytes(2 * n)
    c, inverse = constant(cipher), constant(cipher + "_inv")
    other = constant("aria128" if "lea" in cipher else "lea128")

    def init(wanted, size=XTS_ROOM, a=c, b=c, key=both, keylen=2 * n):
        x = guarded(XTS_ROOM)
        assert library().haechi_xts_init(at(x), size, a, b, key, keylen) == wanted
        assert wanted == OK or zeroed(x, size)
        return x

    init(EKEY, key=both[:n] * 2)  # K1 = K2
    init(EKEY, key=None)
    init(EKEY, keylen=2 * n - 1)
    init(EKEY, keylen=n)
    init(EKEY, keylen=0)
    init(EKEY, a=None)
    init(EKEY, b=None)
    init(EUSE, b=inverse)
    if n == 16:
        init(EUSE, b=other)
        init(EUSE, a=constant("hight"), b=constant("hight"))
    for size in (0, 7, 8, 100, XTS_ROOM // 2 - 1 if cipher == "lea256" else 300):
        init(EROOM, size=size)
    assert library().haechi_xts_init(None, 0, c, c, both, 2 * n) < 0

    forward, back = init(OK), init(OK, a=inverse)
    encrypt, decrypt = library().haechi_xts_encrypt, library().haechi_xts_decrypt
    for wanted, run, x, iv, size in [
        (EUSE, decrypt, forward, bytes(16), 32),
        (EUSE, encrypt, back, bytes(16), 32),
        (EUSE, encrypt, forward, None, 32),
        (ELEN, encrypt, forward, bytes(16), 15),
        (ELEN, encrypt, forward, bytes(16), 0),
        (EKEY, encrypt, guarded(0), bytes(16), 32),
    ]:
        if wanted == EKEY:
            x = guarded(XTS_ROOM)
            ctypes.memset(at(x), 0, XTS_ROOM)
        out = guarded(32)
        assert run(at(x), iv, at(out), bytes(32), size) == wanted
        assert zeroed(out, size)
    big = (1 << 24) + 1
    out, given = ctypes.create_string_buffer(b"x" * big, big), bytes(big)
    assert encrypt(at(forward), bytes(16), out, given, big) == ELIMIT and out.raw == bytes(big)
    assert encrypt(at(forward), bytes(16), out, given, big - 1) == OK


def test_cmac_refuses():
    k, out = Key("hight", bytes(16)), guarded(16)
    update, tag = library().haechi_cmac_update, library().haechi_cmac_tag
    good, never_zeroed = ctypes.byref(Cmac()), Cmac()
    never_zeroed.used = 9
    assert update(BAD_KEY, good, b"x", 1) == EKEY
    assert update(Key("hight_inv", bytes(16)).room, good, b"x", 1) == EUSE
    assert update(k.room, None, b"x", 1) == EUSE
    assert update(k.room, good, None, 1) == EUSE
    assert update(k.room, ctypes.byref(never_zeroed), b"x", 1) == EUSE
    for size in (0, 9, 16):
        assert tag(k.room, good, at(out), size) == ELEN and zeroed(out, size)
    out = guarded(8)
    assert tag(BAD_KEY, good, at(out), 8) == EKEY and zeroed(out, 8)


def test_cmac_of_a_message_refuses():
    k, subkey, out = Key("hight", bytes(16)), ctypes.create_string_buffer(b"x" * 17, 17), guarded(16)
    derive, message = library().haechi_cmac_derive, library().haechi_cmac_message
    inverse = Key("hight_inv", bytes(16))
    for key, error in ((BAD_KEY, EKEY), (None, EKEY), (inverse.room, EUSE)):
        assert derive(key, subkey) == error and subkey.raw == bytes(17)
    assert derive(k.room, None) == EUSE

    def refused(wanted, key=k.room, l=subkey, data=b"x", size=8):
        out = guarded(16)
        assert message(key, l, data, 1, at(out), size) == wanted and zeroed(out, size)

    refused(EKEY)  # what no call has filled
    assert derive(k.room, subkey) == OK
    refused(EKEY, key=BAD_KEY)
    refused(EUSE, key=inverse.room)
    refused(EUSE, l=None)
    refused(EUSE, data=None)
    for size in (0, 9, 16):
        refused(ELEN, size=size)
    assert message(k.room, subkey, b"x", 1, None, 8) == EUSE
    assert message(k.room, subkey, None, 0, at(out), 8) == OK


def test_aead_init_refuses():
    def init(wanted, size=AEAD_ROOM, mode="gcm", cipher="lea128", key=bytes(16)):
        a = guarded(AEAD_ROOM)
        m, c = (constant(x) if x else None for x in (mode, cipher))
        assert library().haechi_aead_init(at(a), size, m, c, key, len(key) if key else 16) == wanted
        assert wanted == OK or zeroed(a, size)
        return a

    init(EUSE, mode=None)
    init(EKEY, cipher=None)
    init(EKEY, key=None)
    init(EKEY, key=bytes(15))
    init(EUSE, cipher="lea128_inv")
    init(EUSE, cipher="hight")
    init(EUSE, cipher="hight", mode="ccm")
    init(OK, cipher="hight", mode="eax")
    for size in (0, 8, AEAD_HEAD - 1, AEAD_HEAD, AEAD_HEAD + 8 + 383):
        init(EROOM, size=size)
    init(OK, size=AEAD_HEAD + 8 + 384)
    assert library().haechi_aead_init(None, AEAD_ROOM, constant("gcm"), constant("lea128"), bytes(16), 16) == EROOM


@pytest.mark.parametrize("mode, cipher", [("gcm", "lea128"), ("eax", "hight"), ("eax", "aria256")])
def test_tag_length_said_at_the_end(mode, cipher):
    """HAECHI_TAG_LATER allows every length that the mode has, and no other. CCM must know the length before."""
    later, key, text = ctypes.c_size_t(-1).value, bytes(KEY_SIZE[cipher]), bytes(range(50))
    tags = [n for n in range(4, BLOCK[cipher] + 1) if mode == "eax" or n in (4, 8) or n >= 12]
    for size in range(18):
        for finish in ("tag", "verify"):
            a, s = begin(mode, cipher, key, bytes(12), b"", b"", later)
            out = ctypes.create_string_buffer(50)
            run = library().haechi_aead_encrypt if finish == "tag" else library().haechi_aead_decrypt
            sealed, tag = Aead(mode, cipher, key).seal(bytes(12), b"", text, tags[-1])
            assert run(a.room, ctypes.byref(s), out, text if finish == "tag" else sealed, 50) == OK
            given = ctypes.create_string_buffer(tag[:size] if finish == "verify" else bytes(size), max(size, 1))
            error = getattr(library(), f"haechi_aead_{finish}")(a.room, ctypes.byref(s), given, size)
            assert error == (OK if size in tags else ELEN), (size, finish)
            if error == OK:
                assert given.raw[:size] == tag[:size]
    a, s = Aead("ccm", "lea128", bytes(16)), AeadStream()
    assert library().haechi_aead_begin(a.room, ctypes.byref(s), bytes(12), 12, 0, 0, later) == ELEN


@pytest.mark.parametrize("mode, cipher", SEALED)
@pytest.mark.parametrize("name", ["seal", "open", "begin"])
def test_sealing_refuses(mode, cipher, name):
    good = Aead(mode, cipher, bytes(KEY_SIZE[cipher])).room

    def refused(wanted, a=good, nonce=bytes(12), noncelen=None, aad=b"a", text=bytes(32), tag=True, taglen=8, out=True):
        noncelen = len(nonce or b"") if noncelen is None else noncelen
        o, t = guarded(32), guarded(max(taglen, 32))
        where, mark = at(o) if out else None, at(t) if tag else None
        if name == "begin":
            s = AeadStream()
            error = library().haechi_aead_begin(a, ctypes.byref(s), nonce, noncelen, 1, 32, taglen)
            assert error == wanted
            assert library().haechi_aead_encrypt(a, ctypes.byref(s), at(o), bytes(32), 32) < 0 and zeroed(o, 32)
            return
        run = getattr(library(), f"haechi_{name}")
        assert run(a, nonce, noncelen, aad, 1, where, text, 32, mark, taglen) == wanted
        assert not out or zeroed(o, 32)
        if name == "seal" and tag:
            assert zeroed(t, taglen)

    refused(EKEY, a=bytes(AEAD_ROOM))
    refused(EKEY, a=None)
    refused(EUSE, nonce=None, noncelen=12)
    refused(ELEN, nonce=b"")
    for size in {"gcm": [0, 1, 3, 5, 7, 9, 11, 17, 256 + 16], "ccm": [0, 2, 3, 5, 7, 15, 18, 256 + 8], "eax": [0, 3, 17]}[mode]:
        refused(ELEN, taglen=size)
    if mode == "eax" and cipher == "hight":
        refused(ELEN, taglen=9)
    if mode == "ccm":
        for size in (1, 6, 14, 15, 16, 256 + 12):
            refused(ELEN, nonce=bytes(size))
    if name != "begin":
        refused(EUSE, aad=None)
        refused(EUSE, text=None)
        refused(EUSE, tag=False)
        refused(EUSE, out=False)


def test_ccm_knows_its_limit():
    """A nonce of 13 bytes leaves two for the length."""
    a, size = Aead("ccm", "aria128", bytes(16)), 1 << 16
    out = ctypes.create_string_buffer(b"x" * size, size)
    tag = ctypes.create_string_buffer(b"x" * 8, 8)
    assert library().haechi_seal(a.room, bytes(13), 13, b"", 0, out, bytes(size), size, tag, 8) == ELIMIT
    assert out.raw == bytes(size) and tag.raw == bytes(8)
    assert library().haechi_seal(a.room, bytes(13), 13, b"", 0, out, bytes(size), size - 1, tag, 8) == OK
    s = AeadStream()
    assert library().haechi_aead_begin(a.room, ctypes.byref(s), bytes(13), 13, 0, 1 << 16, 8) == ELIMIT
    assert library().haechi_aead_begin(a.room, ctypes.byref(s), bytes(12), 12, 0, 1 << 24, 8) == ELIMIT
    assert library().haechi_aead_begin(a.room, ctypes.byref(s), bytes(7), 7, 0, (1 << 64) - 1, 8) == OK


def test_gcm_knows_its_limit():
    """2^36 - 32 bytes of text; the test moves the stream to just before that."""
    a, s = begin("gcm", "lea128", bytes(16), bytes(12), b"", b"", 16)
    out = ctypes.create_string_buffer(64)
    assert s.len == 2**36 - 32 and s.aadlen == 2**61 - 1
    s.len = 40
    assert library().haechi_aead_encrypt(a.room, ctypes.byref(s), out, bytes(32), 32) == OK
    assert library().haechi_aead_encrypt(a.room, ctypes.byref(s), out, bytes(32), 9) == ELIMIT
    assert out.raw[:9] == bytes(9)
    assert library().haechi_aead_tag(a.room, ctypes.byref(s), out, 16) == EUSE


@pytest.mark.parametrize("mode", AEADS)
def test_pieces_out_of_order(mode):
    text = bytes(20)

    def fresh():
        return begin(mode, "lea128", bytes(16), bytes(12), b"aad", text, 8)

    aad, encrypt = library().haechi_aead_aad, library().haechi_aead_encrypt
    out, tag = ctypes.create_string_buffer(20), guarded(8)
    a, s = fresh()
    at_s = ctypes.byref(s)
    assert encrypt(a.room, at_s, out, text, 20) == OK
    assert aad(a.room, at_s, b"aad", 3) == EUSE  # too late
    assert library().haechi_aead_tag(a.room, at_s, at(tag), 8) == EUSE and zeroed(tag, 8)  # the error ended it
    a, s = fresh()
    assert library().haechi_aead_tag(a.room, ctypes.byref(s), at(tag), 12) == ELEN  # not the length begun with
    a, s = fresh()
    error = library().haechi_aead_tag(a.room, ctypes.byref(s), at(tag), 8)
    assert error == (ELEN if mode == "ccm" else OK)  # CCM was promised more
    k, s = Aead(mode, "lea128", bytes(16)), AeadStream()
    assert encrypt(k.room, ctypes.byref(s), out, text, 20) == EUSE  # never begun
    assert library().haechi_aead_verify(k.room, ctypes.byref(s), bytes(8), 8) == EUSE
    assert library().haechi_aead_begin(k.room, None, bytes(12), 12, 0, 0, 8) == EUSE
    assert library().haechi_aead_aad(k.room, None, b"", 0) == EUSE
    if mode == "ccm":
        a, s = fresh()
        assert aad(a.room, ctypes.byref(s), b"aad+", 4) == ELIMIT
        a, s = fresh()
        assert encrypt(a.room, ctypes.byref(s), ctypes.create_string_buffer(21), bytes(21), 21) == ELIMIT


# What may not follow a piece of text: the call before, the call, and how its key object differs.
OTHER_KEY = {"key": bytes(15) + b"\1"}
OTHER_CIPHER = {"cipher": "aria128"}
MISUSE = [
    ("encrypt", "decrypt", {}), ("decrypt", "encrypt", {}), ("encrypt", "verify", {}), ("decrypt", "tag", {}),
    *((first, then, other) for first, ends in (("encrypt", "tag"), ("decrypt", "verify"))
      for then in (first, ends) for other in (OTHER_KEY, OTHER_CIPHER, {"mode": 1}, {"mode": 2})),
]  # fmt: skip


@pytest.mark.parametrize("mode", AEADS)
def test_streams_notice_misuse(mode):
    """Each is refused, writes nothing, and ends the stream. With the right key object and call the stream goes on."""
    for first, then, other in [*MISUSE, *((first, first, None) for first in ("encrypt", "decrypt"))]:
        a, s = begin(mode, "lea128", bytes(16), bytes(12), b"", bytes(20), 8)
        out = guarded(10)
        assert getattr(library(), f"haechi_aead_{first}")(a.room, ctypes.byref(s), at(out), bytes(10), 10) == OK
        named = {"mode": mode, "cipher": "lea128", "key": bytes(16), **(other or {})}
        if isinstance(named["mode"], int):
            named["mode"] = AEADS[(AEADS.index(mode) + named["mode"]) % 3]
        room = Aead(*(named[what] for what in ("mode", "cipher", "key"))).room
        out = guarded(10)
        ctypes.memset(at(out), 1, 10)

        def call(room, name):
            if name in ("encrypt", "decrypt"):
                return getattr(library(), f"haechi_aead_{name}")(room, ctypes.byref(s), at(out), bytes(10), 10)
            return getattr(library(), f"haechi_aead_{name}")(room, ctypes.byref(s), at(out), 8)

        error = call(room, then)
        assert intact(out, 0, 10)
        if other is None:
            assert error == OK
            continue
        assert error == EUSE, (first, then, other)
        assert then == "verify" or bytes(out)[GUARD : GUARD + 8] == bytes(8)
        assert call(a.room, first) == EUSE, "the error ends the stream"
