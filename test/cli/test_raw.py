# SPDX-License-Identifier: Apache-2.0 OR MIT
"""haechi raw beside the library and OpenSSL."""

import subprocess

import library
import pytest
from command import FORGED, USAGE, command, drawn, fails, listing, well
from library import BLOCK, FORWARD, KEY_SIZE

MODES = ["ecb", "cbc", "ctr", "ofb", "cfb", "cfb64", "cfb8", "cfb1", "xts", "gcm", "ccm", "eax", "cmac"]


def raw_case(cipher: str, mode: str, size: int):
    """Arguments, message, and the library's output for them; None if there is no such mode."""
    block, key, iv = BLOCK[cipher], drawn(KEY_SIZE[cipher], 5), drawn(BLOCK[cipher], 6)
    text = drawn(size, 7)
    if block == 8 and mode in ("cfb64", "xts", "gcm", "ccm"):
        return None
    if mode == "ecb":
        return ["-K", key.hex()], text, library.Key(cipher, key).ecb(text)
    if mode == "cmac":
        return ["-K", key.hex()], text, library.cmac(cipher, key, text, block)
    if mode in ("gcm", "ccm", "eax"):
        out, tag = library.Aead(mode, cipher, key).seal(iv[:11], b"more", text, block)
        return ["-K", key.hex(), "-i", iv[:11].hex(), "-a", b"more".hex()], text, out + tag
    if mode == "xts":
        key += drawn(KEY_SIZE[cipher], 8)
    bits = 8 * size if mode == "cfb1" else 0
    return ["-K", key.hex(), "-i", iv.hex()], text, library.Mode(cipher, mode, key, iv).crypt(text, bits)


@pytest.mark.parametrize("cipher", FORWARD)
def test_raw_is_what_the_library_says(cipher):
    for mode in MODES:
        for size in (16, 48, 2**18 + 16):
            case = raw_case(cipher, mode, min(size, 4096) if mode in ("cfb1", "xts") else size)
            if case is None:
                fails(USAGE, "has no", "raw", f"{cipher}-{mode}", "-K", "00" * 15 + "01", input=b"") if mode != "xts" else None
                continue
            arguments, text, expected = case
            assert well("raw", f"{cipher}-{mode}", *arguments, input=text) == expected
            assert well("raw", f"{cipher}-{mode}", "-x", *arguments, input=text) == expected.hex().encode() + b"\n"
            if mode != "cmac":
                assert well("raw", f"{cipher}-{mode}", "-d", *arguments, input=expected) == text


@pytest.mark.full
def test_raw_is_what_openssl_says():
    key, iv = "00112233445566778899aabbccddeeff", "0f0e0d0c0b0a09080706050403020100"
    for bits, longer in ((128, key), (192, key + key[:16]), (256, key + iv)):
        for mode in ("ecb", "cbc", "ctr", "ofb", "cfb", "cfb8", "cfb1"):
            ivs = [] if mode == "ecb" else ["-iv", iv]
            ours = [] if mode == "ecb" else ["-i", iv]
            pad = ["-p"] if mode in ("ecb", "cbc") else []
            for size in (0, 1, 16, 31, 70000):
                text = drawn(size)
                command = ["openssl", "enc", f"-aria-{bits}-{mode}", "-K", longer, *ivs]
                theirs = subprocess.run(command, input=text, capture_output=True, check=True)
                assert well("raw", f"aria-{bits}-{mode}", "-K", longer, *ours, *pad, input=text) == theirs.stdout
                assert well("raw", f"aria-{mode}", "-d", "-K", longer, *ours, *pad, input=theirs.stdout) == text


def test_raw_xts_by_sectors():
    key, text = drawn(32, 1), drawn(512 * 5 + 100)
    expected = b""
    for i in range(6):
        iv = (255 + i).to_bytes(16, "little")
        expected += library.Mode("lea128", "xts", key, iv).crypt(text[512 * i : 512 * (i + 1)])
    first = (255).to_bytes(16, "little").hex()
    assert well("raw", "lea-128-xts", "-s", 512, "-K", key.hex(), "-i", first, input=text) == expected
    assert well("raw", "lea-128-xts", "-d", "-s", 512, "-K", key.hex(), "-i", first, input=expected) == text


def test_raw_forgeries_and_mistakes(tmp_path):
    key, nonce = "00" * 16, "00" * 12
    sealed = well("raw", "lea-gcm", "-K", key, "-i", nonce, "-t", 12, input=b"message")
    assert len(sealed) == 7 + 12
    opening = ["raw", "lea-gcm", "-d", "-K", key, "-i", nonce, "-t", 12]
    for bad in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:-1], b"", sealed + b"x"):
        fails(FORGED, "damaged|shorter", *opening, "-o", tmp_path / "out", input=bad)
        assert listing(tmp_path) == set()
    fails(FORGED, "damaged", *opening, "-a", "00", input=sealed)
    mistakes = """
        lea -K KEY: names no mode
        lea-xyz -K KEY: raw has no mode xyz: see haechi ciphers
        des-cbc -K KEY: no cipher des
        lea-cbc: One key
        lea-cbc -K KEY: takes an IV of 16
        hight-ctr -K KEY -i KEY: takes an IV of 8
        lea-ecb -K 0g: takes pairs of hex
        lea-192-ecb -K KEY: does not take a key
        lea-ctr -p -K KEY -i KEY: no padding
        lea-ecb -t 8 -K KEY: no tag
        lea-cmac -d -K KEY: no decryption
        lea-ecb -s 512 -K KEY: no sectors
        lea-ecb -a 00 -K KEY: no additional data
        lea-xts -K KEYKEY -i KEY: must differ
        lea-ecb -K KEY -i KEY: takes an IV of 0
        lea-ccm -K KEY -i 00: takes no IV, no tag
    """
    for line in mistakes.strip().splitlines():
        arguments, _, says = line.strip().replace("KEY", key).partition(": ")
        fails(USAGE, says, "raw", *arguments.split(), input=bytes(16))
    fails(USAGE, "whole number of blocks; --pad", "raw", "lea-ecb", "-K", key, input=bytes(17))
    fails(FORGED, "whole number of blocks", "raw", "lea-ecb", "-dp", "-K", key, input=bytes(17))
    fails(FORGED, "no padding", "raw", "lea-ecb", "-dp", "-K", key, input=bytes(16))


def test_raw_answers_what_ciphers_lists():
    """It takes every cipher and mode by the names that haechi ciphers prints, in upper or lower case."""
    asked = 0
    for line in well("ciphers").decode().splitlines()[1:]:
        name, key, block, _, *modes = line.split()
        for mode in modes:
            digits = drawn(int(key) // 8 * (2 if mode == "xts" else 1)).hex()
            iv = {"ecb": [], "cmac": [], "gcm": ["-i", "00" * 12], "ccm": ["-i", "00" * 12]}.get(mode, ["-i", "00" * (int(block) // 8)])
            for whole in (f"{name}-{mode}", f"{name}-{mode}".lower(), f"{name}-{mode}".upper()):
                well("raw", whole, "-K", digits, *iv, input=bytes(16))
                asked += 1
    assert asked == 3 * (6 * 13 + 9)
