# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The files that haechi enc writes and haechi dec reads, and the messages of dec about files that were changed."""

import random
import re
import subprocess

import file_format
import native
import pytest
from command import CHUNK, CLI, DONE, FORGED, HEADER, NUMBERS, TAG, UNKNOWN, drawn, fails, haechi, listing, on_a_terminal, well
from library import FORWARD, KEY_SIZE

AROUND = [0, 1, 7, 8, 15, 16, 17, 1000]
AROUND += [n * CHUNK + d for n in (1, 2, 4, 8, 16, 17) for d in (-1, 0, 1)]  # chunks, reads, runs


@pytest.mark.parametrize("cipher", FORWARD)
def test_round_trip(cipher, keys, tmp_path):
    """From pipe to pipe and from file to file, by any number of threads. Lengths are as the document says."""
    key, name = keys.path[cipher], cipher.rstrip("0123456789")
    for i, size in enumerate(AROUND):
        text, threads = drawn(size), 1 + i % 3
        sealed = well("enc", "-q", "-c", name, "-k", key, "-t", threads, input=text)
        assert len(sealed) == HEADER + size + TAG[cipher] * max(1, -(-size // CHUNK))
        assert sealed[9] == NUMBERS[cipher]
        assert well("dec", "-k", key, "-t", 4 - threads, input=sealed) == text
        (tmp_path / "in").write_bytes(text)
        assert well("enc", "-q", "-c", cipher, "-k", key, "-f", "-t", threads, "-o", tmp_path / "sealed", tmp_path / "in") == b""
        assert well("dec", "-k", key, "-f", "-o", tmp_path / "out", "-t", 4 - threads, tmp_path / "sealed") == b""
        assert (tmp_path / "out").read_bytes() == text
        assert (tmp_path / "sealed").stat().st_size == len(sealed)
    assert listing(tmp_path) == {"in", "sealed", "out"}


@pytest.mark.full
@pytest.mark.parametrize("kind", ["named", "tsan", "asan", "clang"])
def test_round_trip_of_other_builds(kind, keys, tmp_path):
    for cipher, size in (("lea256", 40 * CHUNK + 3), ("aria128", 16 * CHUNK), ("hight", 3 * CHUNK), ("hight", 0)):
        (tmp_path / "in").write_bytes(drawn(size))
        well("enc", "-q", "-c", cipher, "-k", keys.path[cipher], "-f", "-t", 4, "-o", tmp_path / "s", tmp_path / "in", kind=kind)
        well("dec", "-k", keys.path[cipher], "-f", "-t", 4, "-o", tmp_path / "out", tmp_path / "s", kind=kind)
        assert (tmp_path / "out").read_bytes() == drawn(size)
        assert well("dec", "-k", keys.path[cipher], "-t", 3, input=(tmp_path / "s").read_bytes(), kind=kind) == drawn(size)
        bad = bytearray((tmp_path / "s").read_bytes())
        bad[-1] ^= 1
        fails(FORGED, "damaged", "dec", "-k", keys.path[cipher], input=bytes(bad), kind=kind)
    assert listing(tmp_path) == {"in", "s", "out"}
    well("self-test", kind=kind, stdout=subprocess.DEVNULL)
    for mode in ("cbc", "gcm", "eax", "cmac"):
        iv = [] if mode == "cmac" else ["-i", "00" * 16]
        well("raw", f"lea-{mode}", "-k", keys.path["lea256"], *iv, input=drawn(64), kind=kind)


@pytest.mark.full
def test_big_endian_machine(keys, tmp_path):
    """Writes what other kernels read, and reads what they write, by the portable kernels."""
    files = [*sorted(CLI.glob("*.c")), native.ROOT / "host/random.c", *native.sources()]
    flags = [*native.USUAL, "-static", f"-I{native.ROOT / 'host'}"]
    foreign = ["qemu-s390x", native.build("haechi-s390x", files, flags, "s390x-linux-gnu-gcc", ["-pthread"])]
    text = drawn(2 * CHUNK + 5)
    (tmp_path / "text").write_bytes(text)
    for cipher in ("lea192", "aria256", "hight"):
        key, sealed, back = keys.path[cipher], tmp_path / cipher, tmp_path / f"{cipher}.back"
        native.run([*foreign, "enc", "-c", cipher, "-k", key, "-o", sealed, tmp_path / "text"])
        assert well("dec", "-k", key, sealed) == text
        well("enc", "-q", "-c", cipher, "-k", key, "-f", "-o", sealed, input=text)
        native.run([*foreign, "dec", "-k", key, "-o", back, sealed])
        assert back.read_bytes() == text
    native.run([*foreign, "self-test"])


@pytest.mark.parametrize("cipher", FORWARD)
def test_another_program_reads_and_writes_the_format(cipher, keys):
    """The same with file_format.py, which follows the document alone."""
    key = keys.bytes[cipher]
    for size in (0, 1, CHUNK, CHUNK + 1, 17 * CHUNK + 5):
        text = drawn(size)
        assert file_format.read(well("enc", "-q", "-c", cipher, "-k", keys.path[cipher], input=text), key) == text
        sealed = file_format.write(text, NUMBERS[cipher], key, drawn(32, size))
        assert well("dec", "-k", keys.path[cipher], input=sealed) == text


def test_chunks_of_hight_side_by_side(keys, tmp_path):
    """Up to 32 chunks of a file are processed in one call. What comes before a damaged chunk is given out, and no more."""
    key = keys.path["hight"]
    for size in (32 * CHUNK, 32 * CHUNK + 1, 35 * CHUNK + 5):
        (tmp_path / "in").write_bytes(drawn(size))
        well("enc", "-q", "-c", "hight", "-k", key, "-f", "-t", 2, "-o", tmp_path / "s", tmp_path / "in")
        assert well("dec", "-k", key, tmp_path / "s") == well("dec", "-k", key, input=(tmp_path / "s").read_bytes()) == drawn(size)
    assert file_format.read((tmp_path / "s").read_bytes(), keys.bytes["hight"]) == drawn(size)
    for chunk in (0, 15, 16, 31, 32, 34, 35):
        bad = bytearray((tmp_path / "s").read_bytes())
        bad[HEADER + chunk * (CHUNK + TAG["hight"]) + 3] ^= 1
        (tmp_path / "bad").write_bytes(bad)
        done = haechi("dec", "-k", key, tmp_path / "bad")
        assert done.returncode == FORGED and b"damaged" in done.stderr
        assert done.stdout == drawn(size)[: chunk * CHUNK]


def test_document_has_the_numbers_that_the_program_has():
    text = (native.ROOT / "docs/file-format.md").read_text()
    source = (CLI / "ciphers.c").read_text()
    found = re.findall(r'\{ "([A-Z0-9-]+)", (\d), (\d+), (\d+),', source)
    assert {(n.lower().replace("-", ""), int(i), int(k)) for n, i, k, _ in found} == {
        (c, NUMBERS[c], KEY_SIZE[c]) for c in FORWARD
    }
    assert "pieces of 65536 bytes" in text and "runs of 16" in text
    form = (CLI / "format.h").read_text()
    for name, value in (("HEAD", 48), ("HEADER_LEAST", 64), ("HEADER_MOST", 80), ("SALT", 32), ("STRETCHED", 64), ("RUN", 16)):
        assert re.search(rf"\b{name} = {value},", form), name
    assert "version 1: 48 + 16 bytes" in text and "version 2: 48 + 32 bytes" in text


def test_examples_of_the_document(keys, tmp_path):
    text = (native.ROOT / "docs/file-format.md").read_text()
    examples = text[text.index("## Examples") : text.index("## Speed")]
    found = [bytes.fromhex("".join(block.split())) for block in re.findall(r"(?:^    [0-9a-f]+\n)+", examples, re.M)]
    assert [example[9] for example in found] == [1, 6, 7, 3]
    *found, last = found
    assert file_format.read(last, "해치") == b"Haechi\n"
    (tmp_path / "last").write_bytes(last)
    assert on_a_terminal("dec", tmp_path / "last", answers=["해치".encode()]) == (DONE, b"Passphrase: |\r\nHaechi\r\n")
    for example in found:
        key = bytes(range(KEY_SIZE[file_format.CIPHERS[example[9]]]))
        (tmp_path / "key").write_text(key.hex())
        (tmp_path / "key").chmod(0o600)
        assert well("dec", "-k", tmp_path / "key", input=example) == file_format.read(example, key) == b"Haechi\n"


def test_two_files_of_one_text_share_nothing(keys):
    one, two = (well("enc", "-q", "-k", keys.path["lea256"], input=bytes(300)) for _ in range(2))
    assert one[:16] == two[:16] and sum(a == b for a, b in zip(one[16:], two[16:], strict=True)) < 20


def test_every_bit_of_the_header_counts(keys):
    key = keys.path["hight"]
    sealed = well("enc", "-q", "-c", "hight", "-k", key, input=b"some text")
    for bit in range(8 * HEADER):
        bad = bytearray(sealed)
        bad[bit // 8] ^= 1 << bit % 8
        code, says = (UNKNOWN, "is not a file|is of a version|is of a cipher") if bit < 8 * 16 else (FORGED, "has another key")
        if bit // 8 == 9 and bad[9] in file_format.CIPHERS:
            code, says = FORGED, "wants a key|has another key"
        assert fails(code, says, "dec", "-k", key, input=bytes(bad)) == b""


@pytest.mark.parametrize("cipher", ["lea256", "aria128", "hight"])
def test_every_change_of_the_rest_is_noticed(cipher, keys, long, tmp_path):
    """What is output before the error is whole chunks of the plaintext; into a file nothing is written."""
    text, sealed = long[0], long[1][cipher]
    key, piece, draw = keys.path[cipher], CHUNK + TAG[cipher], random.Random(cipher)
    places = {
        HEADER,
        HEADER + CHUNK - 1,
        HEADER + CHUNK,
        HEADER + piece - 1,
        HEADER + piece,
        len(sealed) - 1,
        len(sealed) - 1000,
    }
    for place in sorted(places | {draw.randrange(HEADER, len(sealed)) for _ in range(20)}):
        bad = bytearray(sealed)
        bad[place] ^= 1 << draw.randrange(8)
        chunk = (place - HEADER) // piece
        out = fails(FORGED, "damaged", "dec", "-k", key, "-t", 1 + place % 3, input=bytes(bad))
        assert out == text[: chunk * CHUNK]
        (tmp_path / "bad").write_bytes(bad)
        fails(FORGED, "out has not been written", "dec", "-k", key, "-o", tmp_path / "out", "-t", 2, tmp_path / "bad")
        assert listing(tmp_path) == {"bad"}


@pytest.mark.parametrize("cipher", ["lea256", "aria128", "hight"])
def test_truncation(cipher, keys, long, tmp_path):
    text, sealed = long[0], long[1][cipher]
    key, piece = keys.path[cipher], CHUNK + TAG[cipher]
    bounds = range(HEADER, len(sealed), piece)
    for size in sorted({b + d for b in bounds for d in (-1, 0, 1, TAG[cipher], TAG[cipher] + 1)} | {len(sealed) - 1, 0, 1, 30}):
        code = UNKNOWN if size < HEADER else FORGED
        out = fails(code, "too short|end is missing|damaged", "dec", "-k", key, input=sealed[:size])
        whole = (size - HEADER - 1) // piece if size > HEADER else 0
        assert out == text[: whole * CHUNK]
        if size in bounds and size > HEADER:
            done = haechi("dec", "-k", key, input=sealed[:size])
            assert b"end is missing" in done.stderr and (b"is incomplete" in done.stderr) == (whole > 0)
        (tmp_path / "short").write_bytes(sealed[:size])
        fails(code, ".", "dec", "-k", key, "-o", tmp_path / "out", tmp_path / "short")
        assert listing(tmp_path) == {"short"}
    fails(FORGED, "damaged", "dec", "-k", key, input=sealed + b"x")
    fails(FORGED, "damaged", "dec", "-k", key, input=sealed + bytes(piece))
    exact = well("enc", "-q", "-c", cipher, "-k", key, input=text[: 2 * CHUNK])
    for more in (b"x", bytes(TAG[cipher]), exact[-piece:]):
        assert fails(FORGED, ".", "dec", "-k", key, input=exact + more) == text[:CHUNK]


def test_chunks_elsewhere(keys, long):
    """Chunks that are swapped, doubled, left out, or taken from another file of the same key."""
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    piece = CHUNK + 16
    head, chunks = sealed[:HEADER], [sealed[at : at + piece] for at in range(HEADER, len(sealed), piece)]
    other = well("enc", "-q", "-k", key, input=text)
    foreign = [other[at : at + piece] for at in range(HEADER, len(other), piece)]
    last = len(chunks) - 1
    orders = {
        0: [[1, 0, *range(2, last + 1)], list(range(1, last + 1)), [last]],
        1: [[0, 0, *range(1, last + 1)], [0, 2, 1, *range(3, last + 1)], [0, last]],
        last: [[*range(last), 0], [*range(last), last - 1, last]],
    }
    for good, wrong in orders.items():
        for order in wrong:
            assert fails(FORGED, ".", "dec", "-k", key, input=head + b"".join(chunks[i] for i in order)) == text[: good * CHUNK]
    for i in range(last + 1):
        spliced = head + b"".join([*chunks[:i], foreign[i], *chunks[i + 1 :]])
        assert fails(FORGED, "damaged", "dec", "-k", key, input=spliced) == text[: i * CHUNK]
    assert fails(FORGED, "another key", "dec", "-k", key, input=head[:16] + other[16:48] + sealed[48:]) == b""


def test_runs_do_not_mix(keys):
    """Chunks 16 apart have the same place in their runs."""
    text, key, piece = drawn(33 * CHUNK), keys.path["hight"], CHUNK + 8
    sealed = well("enc", "-q", "-c", "hight", "-k", key, input=text)
    swapped = bytearray(sealed)
    at = HEADER + 16 * piece
    swapped[HEADER : HEADER + piece], swapped[at : at + piece] = sealed[at : at + piece], sealed[HEADER : HEADER + piece]
    assert fails(FORGED, "damaged", "dec", "-k", key, input=bytes(swapped)) == b""


def test_wrong_key(keys, tmp_path):
    sealed = well("enc", "-q", "-c", "lea128", "-k", keys.path["lea128"], input=b"text")
    (tmp_path / "other").write_text(drawn(16, 99).hex())
    (tmp_path / "other").chmod(0o600)
    fails(FORGED, "another key", "dec", "-k", tmp_path / "other", input=sealed)
    fails(FORGED, "wants a key of 16 bytes, for LEA-128; this one has 32", "dec", "-k", keys.path["lea256"], input=sealed)
