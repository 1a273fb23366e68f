# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The texts in spec/ give the published results on integers, and symbolic bits behave as integers do.
../drbg/test_drbg.py runs CTR_DRBG on its published vectors."""

import doctest
import re
from random import Random

import library
import pytest
from bench.declared import rsp
from bench.declared.model import VARIANTS

import spec
from proof.bits import Graph, Word, constant, number
from spec import field, modes
from spec.word import Integer, in_bytes, join, words

NAMES = {v.constant: v.cipher for sizes in VARIANTS.values() for v in sizes}
needs_more = pytest.mark.skipif(rsp.MORE is None, reason="HAECHI_VECTORS is not set")


def known(value: int, width: int) -> Word:
    return Word(Graph(), constant(value, width))


def shortest(cipher: str, mode: str, n: int) -> list[rsp.Answer]:
    """The n shortest known answers, because Python is slow."""
    found = [a for a in rsp.own() + rsp.more() if (a.cipher, a.mode, a.fails) == (cipher, mode, False)]
    return sorted(found, key=lambda a: len(a.pt) + len(a.aad))[:n]


def test_every_cipher_of_the_bench_is_here():
    assert {(v.cipher, v.key, v.block) for sizes in VARIANTS.values() for v in sizes} == {
        (c.name, c.key, c.block) for c in spec.CIPHERS.values()
    }


# ---- Integers.


@pytest.mark.parametrize("constant", NAMES)
def test_the_standards_vectors(constant):
    cipher, answers = spec.find(NAMES[constant]), [a for a in rsp.own() if (a.cipher, a.mode) == (constant, "ecb")]
    assert answers
    for a in answers:
        assert modes.ecb(cipher.encryption(a.key), cipher.block, a.pt) == a.ct
        assert modes.ecb(cipher.decryption(a.key), cipher.block, a.ct) == a.pt


@needs_more
@pytest.mark.parametrize("constant", NAMES)
def test_published_answers_of_the_modes(constant):
    cipher, tried = spec.find(NAMES[constant]), set()
    for mode in ("cbc", "ctr", "ofb", "cfb", "cfb8", "cfb64", "cmac", "gcm", "ccm"):
        for a in shortest(constant, mode, 4):
            encrypt, decrypt = cipher.encryption(a.key), cipher.decryption(a.key)
            segment = {"cfb": cipher.block, "cfb8": 1, "cfb64": 8}.get(mode, 0)
            if mode == "cbc":
                assert modes.cbc_encrypt(encrypt, a.iv, a.pt) == a.ct and modes.cbc_decrypt(decrypt, a.iv, a.ct) == a.pt
            elif segment:
                assert modes.cfb_encrypt(encrypt, a.iv, a.pt, segment) == a.ct
                assert modes.cfb_decrypt(encrypt, a.iv, a.ct, segment) == a.pt
            elif mode in ("ctr", "ofb"):
                assert getattr(modes, mode)(encrypt, a.iv, a.pt) == a.ct
            elif mode == "cmac":
                assert modes.cmac(encrypt, bytes(cipher.block), a.pt)[: len(a.tag)] == a.tag
            elif mode == "gcm":
                for given, decrypting, wanted in ((a.pt, False, a.ct), (a.ct, True, a.pt)):
                    out, tag = modes.gcm(encrypt, a.iv, a.aad, given, decrypt=decrypting)
                    assert (out, tag[: len(a.tag)]) == (wanted, a.tag)
            else:
                assert modes.ccm(encrypt, a.iv, a.aad, a.pt, len(a.tag)) == (a.ct, a.tag)
                assert modes.ccm(encrypt, a.iv, a.aad, a.ct, len(a.tag), decrypt=True) == (a.pt, a.tag)
            tried.add(mode)
    assert tried >= ({"cbc", "ctr"} if constant == "hight" else {"cbc", "ctr", "ofb", "cfb", "gcm", "ccm"})


@pytest.mark.parametrize("constant", [name for name in NAMES if name != "hight"])
def test_xts(constant):
    """Nobody published vectors of XTS with these ciphers; the test compares with the library. test_modes.py tests
    EAX."""
    cipher, random = spec.find(NAMES[constant]), Random(constant)
    for size in (16, 17, 31, 32, 47, 64):
        both, tweak, text = random.randbytes(2 * cipher.key), random.randbytes(16), random.randbytes(size)
        first, second = both[: cipher.key], cipher.encryption(both[cipher.key :])
        out = modes.xts(cipher.encryption(first), second, tweak, text)
        assert library.Mode(constant, "xts", both, tweak).crypt(text) == out
        assert modes.xts(cipher.decryption(first), second, tweak, out, decrypt=True) == text


def test_ciphers_refuse_wrong_sizes():
    for call in (
        lambda: spec.find("LEA-512"), lambda: spec.find("HIGHT").encryption(bytes(15)),
        lambda: spec.find("LEA-128").encryption(bytes(16))(bytes(15)),
    ):  # fmt: skip
        with pytest.raises(ValueError):
            call()


def test_fields_and_s_boxes():
    """The inverse of each element. AES's S-box is ARIA's first; the third and fourth are inverses of the first and
    second."""
    for modulus, n in ((field.GF_256, 256), (field.GF_16, 16)):
        assert field.inverse(0, modulus) == 0
        assert all(field.times(x, field.inverse(x, modulus), modulus) == 1 for x in range(1, n))
    sb1, sb2, sb3, sb4 = spec.aria.SB
    assert sb1[:4] == [0x63, 0x7C, 0x77, 0x7B] and sb2[:4] == [0xE2, 0x4E, 0x54, 0xFC]
    assert all(sb3[sb1[x]] == sb4[sb2[x]] == x for x in range(256))


def test_hight_s_functions():
    assert all(spec.hight.F1_inverse(spec.hight.F1(Integer(x, 8))) == x for x in range(256))


# ---- Symbolic bits.


@pytest.mark.parametrize("width", [8, 32, 128])
def test_words_of_bits_behave_as_integers(width):
    """Every operation that word.py lists, on constants."""
    random = Random(width)
    table = random.sample(range(256), 256)
    for _ in range(20):
        a, b, n = random.getrandbits(width), random.getrandbits(width), random.randrange(-40, 40)
        found = []
        for x, y in ((Integer(a, width), Integer(b, width)), (known(a, width), known(b, width))):
            results = [x ^ y, x ^ b, x + y, x + b, x - y, x - b, -x, x & b, x.rol(n), x.ror(n)]
            results += [*x.split(8), join(x.split(8)), join([y, x]), *([x.looked_up(table)] if width == 8 else [])]
            found.append([int(r) if isinstance(r, Integer) else number(r.bits) for r in results])
        assert found[0] == found[1]


@pytest.mark.parametrize("family, size", [("LEA", 32), ("HIGHT", 16), ("ARIA", 24)])
def test_ciphers_on_bits(family, size):
    """The same text with words of bits that are known."""
    a = next(a for a in rsp.own() if (a.cipher, a.mode) == (NAMES_OF[family, size], "ecb"))
    n = 8 if family == "HIGHT" else 16
    g = Graph()
    bits = lambda data: Word(g, constant(int.from_bytes(data, "little"), 8 * len(data)))  # noqa: E731
    for inverse, given, wanted in ((False, a.pt[:n], a.ct[:n]), (True, a.ct[:n], a.pt[:n])):
        out = spec.crypt(family, spec.round_keys(family, bits(a.key), inverse), bits(given), inverse)
        assert number(out.bits) == int.from_bytes(wanted, "little")


NAMES_OF = {(f, v.key): v.constant for f, sizes in VARIANTS.items() for v in sizes}


def test_modes_on_bits():
    """The modes that proofs may need, on words of known bits: the results are those on bytes."""
    random = Random(1)
    mask = random.randbytes(16)
    cipher = lambda block: [x.rol(3) + y for x, y in zip(block[::-1], words(mask), strict=True)]  # noqa: E731
    on_bits = lambda block: [x.rol(3) + int(y) for x, y in zip(block[::-1], words(mask), strict=True)]  # noqa: E731
    g = Graph()
    bits = lambda data: [Word(g, constant(b, 8)) for b in data]  # noqa: E731
    told = lambda out: bytes(number(w.bits) for w in out)  # noqa: E731
    iv, nonce, aad, text = random.randbytes(16), random.randbytes(11), random.randbytes(5), random.randbytes(37)
    for run in (
        lambda cipher, of: [modes.ctr(cipher, of(iv), of(text))],
        lambda cipher, of: [modes.cbc_encrypt(cipher, of(iv), of(text[:32]))],
        lambda cipher, of: [modes.cmac(cipher, of(bytes(16)), of(text))],
        lambda cipher, of: modes.ccm(cipher, of(nonce), of(aad), of(text), 12),
        lambda cipher, of: modes.eax(cipher, of(bytes(16)), of(nonce), of(aad), of(text)),
    ):
        assert list(map(in_bytes, run(cipher, words))) == list(map(told, run(on_bits, bits)))


def test_the_examples_of_the_readme():
    path = rsp.ROOT / "spec/README.md"
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", path.read_text(), re.S))
    test = doctest.DocTestParser().get_doctest(examples, {}, path.name, str(path), 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
