# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The small commands, the usage, the manual page, completions and the installation of the haechi command."""

import csv
import ctypes
import json
import os
import re
import zlib
from functools import cache

import file_format
import library
import native
import pytest
from command import CHUNK, CLI, DONE, FORGED, SYSTEM, USAGE, drawn, fails, haechi, listing, well
from installed import installed
from library import BLOCK, FORWARD


def test_rand(tmp_path):
    for n in (0, 1, 100, 65536, 65537, 300000):
        one, two = well("rand", n), well("rand", n)
        assert len(one) == len(two) == n and (n < 16 or one != two)
    assert 900000 < len(zlib.compress(well("rand", 900000), 1))
    assert re.fullmatch(rb"[0-9a-f]{64}\n", well("rand", "-x", 32))
    well("rand", "-o", tmp_path / "r", 100)
    assert (tmp_path / "r").stat().st_size == 100
    for wrong in ("-1", "x", "", "1k", "99999999999999999999"):
        assert haechi("rand", wrong).returncode == USAGE
    assert haechi("rand").returncode == USAGE


def test_self_test_finds_all_right():
    out = well("self-test").decode()
    assert "WRONG" not in out
    for what in ("modes", "CTR_DRBG health test"):
        assert len(re.findall(rf" {what} +ok$", out, re.M)) == len(FORWARD)


VERSION = json.loads((native.ROOT / "library.json").read_text())["version"]
COMMANDS = ["enc", "dec", "keygen", "raw", "rand", "speed", "self-test", "ciphers"]
NAMES = ["LEA-128", "LEA-192", "LEA-256", "ARIA-128", "ARIA-192", "ARIA-256", "HIGHT"]
SOME = ["ofb", "seal", "ctr", "drbg_read", "xts_encrypt", "cfb1_encrypt", "ecb"]


@pytest.mark.parametrize("function", [f"haechi_{name}" for name in SOME])
def test_self_test_notices_what_is_broken(function, tmp_path):
    """A function that does nothing."""
    (tmp_path / "broken.c").write_text(f"int {function}(void) {{ return 0; }}\n")
    native.run(["gcc", "-shared", "-fPIC", tmp_path / "broken.c", "-o", tmp_path / "broken.so"])
    out = fails(FORGED, "broken", "self-test", env={**os.environ, "LD_PRELOAD": str(tmp_path / "broken.so")})
    assert b"WRONG" in out


def test_fingerprints_of_the_self_test():
    """The test computes it again, by the library and the reader's CMAC."""
    source = (CLI / "self_test.c").read_text()
    table = source[source.index("answers[CIPHERS]") : source.index("BYTES = 1100")]
    rows = [
        [bytes.fromhex(re.sub(r"[^0-9a-f]|0x", "", field)) for field in re.findall(r"\{ (0x[^}]*)\}", row)]
        for row in table.split("/*")[1:]
    ]
    message = bytes((i * i // 7 + i) & 255 for i in range(1100))
    order = ["lea128", "lea192", "lea256", "aria128", "aria192", "aria256", "hight"]
    for cipher, (key, plain, answer, fingerprint) in zip(order, rows, strict=True):
        block = BLOCK[cipher]
        whole, iv = message[: len(message) // block * block], plain[:block]
        assert library.Key(cipher, key).ecb(plain) == answer
        made = library.Mode(cipher, "ctr", key, b"\xff" * (block - 1) + b"\xf0").crypt(message)
        made += library.Mode(cipher, "cbc", key, iv).crypt(whole)
        made += library.Mode(cipher, "cfb8", key, iv).crypt(whole)
        made += library.Mode(cipher, "cfb1", key, iv).crypt(whole, 8 * len(whole))
        for mode in ("ofb", "cfb", *(["cfb64"] if block == 16 else [])):
            made += library.Mode(cipher, mode, key, iv).crypt(message)
        for mode in ("eax", "gcm", "ccm") if block == 16 else ("eax",):
            made += b"".join(library.Aead(mode, cipher, key).seal(message[:12], message[:20], message, block))
        if block == 16:
            made += library.Mode(cipher, "xts", key + b"\x5a" * len(key), plain).crypt(message)
        made += random_bytes(cipher, key, plain + bytes(16 - len(plain)))
        assert file_format.Cipher(cipher, key).cmac(made)[:8] == fingerprint, cipher


def random_bytes(cipher: str, key: bytes, nonce: bytes) -> bytes:
    state, out = ctypes.create_string_buffer(256), ctypes.create_string_buffer(100)
    lib, n = library.library(), ctypes.c_size_t
    kind = ctypes.c_void_p(library.constant("drbg_" + cipher))
    assert lib.haechi_drbg_init(state, kind, 0, key, n(len(key)), nonce, n(16), None, n(0)) == 0
    assert lib.haechi_drbg_read(state, out, n(100), None, n(0)) == 0
    return out.raw


# A clock that becomes slower and slower, so that a kernel seems faster the later it is measured.
CLOCK = """
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now)
{
    static double at, step = 1e-2;
    (void)clock;
    at += step *= 0.99;
    now->tv_sec = (time_t)at;
    now->tv_nsec = (long)(1e9 * (at - (double)now->tv_sec));
    return 0;
}
"""


def test_speed_shows_every_kernel_that_runs_here(tmp_path):
    """The fastest kernel of each cipher comes first, whatever the order of the ladder is."""
    (tmp_path / "clock.c").write_text(CLOCK)
    native.run(["gcc", "-shared", "-fPIC", tmp_path / "clock.c", "-o", tmp_path / "clock.so"])
    out = well("speed", "-t", 0, env={**os.environ, "LD_PRELOAD": str(tmp_path / "clock.so")}).decode()
    ladders = {c: (native.ROOT / f"src/{c}/kernels.h").read_text() for c in ("lea", "hight", "aria")}
    for cipher, text in ladders.items():
        here = re.findall(r"RUNG\((\w+_(?:c|x86\w*)),", text) if os.uname().machine == "x86_64" else []
        for kernel in here:
            name = kernel if cipher == "hight" else f"{kernel}_128"
            assert kernel in out or library.Kernel(name).d.needs & ~library.features()
    head, *lines = out.splitlines()
    assert head.endswith("MB/s") and all(len(line) <= 80 for line in lines)
    rows = [re.fullmatch(r"(\S+) +(\S+|files \((?:GCM|EAX)\)) +(\d+)(?:  #+)?", line).groups() for line in lines]
    for name in NAMES:
        *rates, files = [(kernel, int(rate)) for cipher, kernel, rate in rows if cipher == name]
        assert files[0].startswith("files") and len(rates) > 0
        assert [rate for _, rate in rates] == sorted((rate for _, rate in rates), reverse=True)
    some = well("speed", "-t", 0, "lea-128", "HIGHT").decode().splitlines()[1:]
    assert {line.split()[0] for line in some} == {"LEA-128", "HIGHT"}
    fails(USAGE, "no cipher des", "speed", "des")


def test_advice_about_hight(keys):
    """The factor is that of the results for one processor. The advice comes once in a run, and not with -q."""
    with open(native.ROOT / "results/host-gateway.csv", newline="") as file:
        wanted = ("HIGHT", "eax", "256", "16")
        found = [row for row in csv.DictReader(file) if (row["cipher"], row["mode"], row["bytes"], row["jobs"]) == wanted]
        fastest = min(found, key=lambda row: float(row["ns"]))
        times = float(fastest["times"])
    with open(native.ROOT / "results/host.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kernel"].startswith(("lea_", "aria_", "hight_"))]

    def best(cipher: str, operation: str, blocks: int) -> float:
        found = [r for r in rows if (r["cipher"], r["operation"], r["blocks"]) == (cipher, operation, str(blocks))]
        return min(float(row["cpb"]) for row in found if fastest["note"].startswith(row["note"]))

    eax = (best("HIGHT", "enc", 1) + best("HIGHT", "ctr", 2048)) / times
    factor = int(eax / max(best(cipher, "gcm", 1024) for cipher in ("LEA-256", "ARIA-256")))
    assert f"HIGHT_FILES_ARE_SLOWER {factor}\n" in (CLI / "slower.h").read_text()
    done = haechi("enc", "-c", "hight", "-k", keys.path["hight"], input=drawn(5 * CHUNK))
    assert done.returncode == DONE and done.stderr.decode().count(f"LEA and ARIA encrypt files {factor} times as fast") == 1
    assert well("dec", "-k", keys.path["hight"], input=done.stdout) == drawn(5 * CHUNK)
    well("enc", "-c", "hight", "-q", "-k", keys.path["hight"], input=b"")


def test_ciphers_and_usage():
    out = well("ciphers").decode()
    assert [line.split()[0] for line in out.splitlines()[1:]] == NAMES
    assert VERSION in well("--version").decode()
    for word in COMMANDS:
        assert f"haechi {word}" in well("--help").decode()
        assert well(word, "--help") == well(word, "-h")
    assert haechi().returncode == USAGE
    fails(USAGE, "There is no command x", "x")
    for wrong in (["enc", "--nonsense"], ["enc", "-K", "00" * 16], ["dec", "-c", "lea"], ["keygen"], ["self-test", "x"], ["enc", "-k", "x", "a", "b"]):
        fails(USAGE, ".", *wrong)
    with open("/dev/full", "wb") as full:
        for said in (["ciphers"], ["--help"], ["--version"], ["self-test"], ["rand", "10"], ["enc", "--help"], ["keygen", "-"], ["speed", "-t", "0", "lea128"]):
            assert haechi(*said, stdout=full).returncode == SYSTEM


# ---- The manual page, completion, installation.


@cache
def told() -> dict[str, tuple[str, str, list[tuple[str, str]]]]:
    """What --help says of each command: its synopsis, its purpose, and its options with their texts."""
    found = {}
    for word in COMMANDS:
        head, _, rest = well(word, "--help").decode().partition("\n\n")
        synopsis, _, what = head.partition("\n")
        options = re.findall(r"^  (-.*)\n((?: {8}.*\n)+)", rest, re.M)
        assert all(len(line) <= 80 for line in rest.splitlines())
        found[word] = synopsis.removeprefix("Usage: "), " ".join(what.split()), [(o, " ".join(t.split())) for o, t in options]
    return found


def rendered() -> str:
    """The manual page as text, in which every white space is one space."""
    text = native.run(["groff", "-man", "-Tascii", "-P-c", "-rLL=5000n", "-rHY=0", CLI / "haechi.1"]).stdout
    return " ".join(re.sub(r".\x08", "", text).split())


def test_manual_page():
    """The page agrees with --help word for word."""
    done = native.run(["groff", "-man", "-ww", "-Tutf8", "-z", CLI / "haechi.1"])
    assert done.stderr == ""
    text = rendered()
    for word, (synopsis, what, options) in told().items():
        assert f" {synopsis} " in text and f" {word} {what} " in text, word
        for option, says in options:
            assert f" {option} {says} " in text, option
    existing = {o for _, _, options in told().values() for option, _ in options for o in re.findall(r"--[a-z-]+", option)}
    assert set(re.findall(r"--[a-z-]+", text)) == existing | {"--version"}
    codes = re.search(r"EXIT STATUS (.*?) FILES", text).group(1)
    assert re.findall(r"(?:^|\. )(\d) The ", codes) == ["0", "1", "2", "3", "4"]
    assert well("--help").decode().count("\n  haechi ") == len(COMMANDS) == len(told())


def test_manual_page_has_the_numbers_of_the_file_format():
    text, page = rendered(), " ".join((native.ROOT / "docs/file-format.md").read_text().split())
    for number in ("in 3 passes", "with 4 lanes", "chunks of 64 KiB", "normal form NFC"):
        assert number in text, number
    for sentence in ("4 lanes, 3 passes and 65536 KiB", "pieces of 65536 bytes", "normal form NFC"):
        assert sentence in page, sentence


def test_completions_agree_with_the_usage():
    """Each option of each command, with its text."""
    zsh, fish = ((CLI / "completion" / name).read_text() for name in ("_haechi", "haechi.fish"))
    assert complete(["haechi", ""]) == {*COMMANDS, "--help", "--version"}
    for word, (_, what, options) in told().items():
        assert f"'{word}:{what}'" in zsh and f"-a {word} -d '{what}'" in fish
        offered = complete(["haechi", word, "-"])
        names = set()
        for option, says in options:
            letter, name = re.fullmatch(r"(?:-(.), )?--([\w-]+)(?:=\w+)?", option).groups()
            names |= {f"--{name}"} | ({f"-{letter}"} if letter else set())
            assert re.search(rf"--{name}\b.*\[{re.escape(says)}\]", zsh), option
            own = rf"'__fish_seen_subcommand_from [^';]*\b{word}\b[^';]*'(?: -s {letter})? -l {name}\b.* -d '{re.escape(says)}'"
            assert re.search(own, fish), (word, option)
        assert offered == names, word


def complete(words: list[str]) -> set[str]:
    """What bash offers for the last word."""
    show = 'printf "%s\\n" "${COMPREPLY[@]}"'
    script = f'source {CLI}/completion/haechi; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _haechi; {show}'
    return set(native.run(["bash", "-c", script, "bash", *words], cwd=CLI).stdout.split())


def test_completion_in_shells():
    assert complete(["haechi", "s"]) == {"speed", "self-test"}
    assert {"lea-128", "hight"} <= complete(["haechi", "enc", "-c", ""])
    assert complete(["haechi", "raw", "hight-c"]) == {f"hight-{m}" for m in ("cbc", "ctr", "cfb", "cfb8", "cfb1", "cmac")}
    assert complete(["haechi", "keygen", "--"]) == {"--bits", "--help"}
    assert "256" in complete(["haechi", "keygen", "-b", ""])
    assert complete(["haechi", "dec", "-k", "haechi."]) == {"haechi.1"} == complete(["haechi", "dec", "haechi."])
    native.run(["zsh", "-n", CLI / "completion/_haechi"])
    fish = native.run(
        [
            "fish",
            "--no-config",
            "-c",
            f"source {CLI}/completion/haechi.fish; complete -C 'haechi s'; complete -C 'haechi raw aria-128-g'",
        ]
    )
    assert {line.split("\t")[0] for line in fish.stdout.splitlines()} == {"self-test", "speed", "aria-128-gcm"}


@pytest.mark.full
def test_make_install(tmp_path):
    """The installed command and README's three lines work; the command takes passphrases."""
    for name in ("bin/haechi", "share/man/man1/haechi.1", "share/bash-completion/completions/haechi",
                 "share/zsh/site-functions/_haechi", "share/fish/vendor_completions.d/haechi.fish"):  # fmt: skip
        assert (installed() / name).is_file(), name
    lines = re.search(r"```sh\n(haechi .*?)```", (native.ROOT / "README.md").read_text(), re.S).group(1)
    assert len(lines.splitlines()) == 3
    (tmp_path / "report.pdf").write_bytes(drawn(100000))
    env = {**os.environ, "PATH": f"{installed() / 'bin'}:{os.environ['PATH']}"}
    native.run(["sh", "-e", "-c", lines + "haechi self-test >&2"], cwd=tmp_path, env=env)
    assert listing(tmp_path) >= {"my.key", "report.pdf", "report.pdf.haechi"}
    needed = native.run(["readelf", "-d", installed() / "bin/haechi"]).stdout
    assert "libargon2" in needed and "libutf8proc" in needed
