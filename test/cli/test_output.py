# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the haechi command leaves when something goes wrong: full disks, signals, pipes, permissions, terminals."""

import os
import re
import select
import signal
import socket
import stat
import subprocess
import time
from pathlib import Path

import native
import pytest
from command import (
    CHUNK,
    DONE,
    FORGED,
    HEADER,
    SYSTEM,
    UNKNOWN,
    USAGE,
    command,
    fails,
    haechi,
    limit_files,
    listing,
    on_a_terminal,
    well,
)


@pytest.mark.parametrize("kind", ["usual", pytest.param("named", marks=pytest.mark.full)])
def test_full_disk(kind, keys, long, tmp_path):
    text, sealed = long[0], long[1]["lea256"]
    (tmp_path / "in").write_bytes(text)
    (tmp_path / "sealed").write_bytes(sealed)
    key = keys.path["lea256"]
    for way, name in (("enc", "in"), ("dec", "sealed")):
        source = tmp_path / name
        fails(SYSTEM, "No space left", way, "-k", key, "-o", "/dev/full", source, kind=kind)
        with open("/dev/full", "wb") as full:
            fails(SYSTEM, "No space left", way, "-k", key, source, stdout=full, kind=kind)
        for room in (0, 10, CHUNK, 3 * CHUNK):
            limits = {"preexec_fn": limit_files(room), "kind": kind}
            fails(SYSTEM, "File too large[^$]*has not been written", way, "-k", key, "-o", tmp_path / "out", source, **limits)
            assert listing(tmp_path) == {"in", "sealed"}
            (tmp_path / "kept").write_bytes(b"kept")
            fails(SYSTEM, "File too large", way, "-k", key, "-f", "-o", tmp_path / "kept", source, **limits)
            assert (tmp_path / "kept").read_bytes() == b"kept"
            (tmp_path / "kept").unlink()
            with open(tmp_path / "partly", "wb") as partly:
                fails(SYSTEM, "incomplete" if room >= CHUNK else "too large", way, "-k", key, source, stdout=partly, **limits)
            (tmp_path / "partly").unlink()


def test_file_system_that_is_full(keys, long, tmp_path):
    """A full disk of 256 KiB, where the system allows to make one."""
    script = f'mount -t tmpfs -o size=256k none {tmp_path} && "$@"; code=$?; ls -A {tmp_path}; exit $code'
    mount = ["unshare", "-m", "sh", "-c", script, "sh"]
    if subprocess.run([*mount, "true"], capture_output=True).returncode:
        pytest.skip("no mounting here")
    arguments = ["-k", keys.path["lea256"], "-o", tmp_path / "out"]
    for way, data in (("enc", long[0]), ("dec", long[1]["lea256"])):
        assert fails(SYSTEM, "No space left[^$]*has not been written", way, *arguments, input=data, before=mount) == b""
    assert well("enc", *arguments, input=long[0][:CHUNK], before=mount) == b"out\n"


def test_broken_pipe(keys, long):
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    for way, data in (("enc", text * 20), ("dec", sealed)):
        read, write = os.pipe()
        os.close(read)
        fails(SYSTEM, "Broken pipe", way, "-k", key, input=data, stdout=write)
        os.close(write)
    # A reader that stops half-way.
    with subprocess.Popen([command(), "rand", "100000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as busy:
        assert len(busy.stdout.read(100000)) == 100000
        busy.stdout.close()
        assert busy.wait(20) == SYSTEM and b"Broken pipe" in busy.stderr.read()


@pytest.mark.parametrize("kind", ["usual", "named"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_killed_half_way(kind, how, keys, long, tmp_path):
    """Nothing remains, except after SIGKILL where a file must have a name: that file can be accessed by its owner
    alone."""
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    for way, data in (("enc", text), ("dec", sealed)):
        (tmp_path / "kept").write_bytes(b"kept")
        process = subprocess.Popen([command(kind), way, "-k", key, "-f", "-o", tmp_path / "kept"], stdin=subprocess.PIPE)
        process.stdin.write(data[: 4 * CHUNK])
        process.stdin.flush()
        time.sleep(0.15)
        assert process.poll() is None
        os.kill(process.pid, how)
        assert process.wait(10) == -how
        process.stdin.close()
        left = listing(tmp_path) - {"kept"}
        assert (tmp_path / "kept").read_bytes() == b"kept"
        if kind == "usual" or how != signal.SIGKILL:
            assert not left
        for name in left:
            assert name.startswith(".haechi-unfinished-")
            (tmp_path / name).unlink()


def test_replaces_only_when_told(keys, tmp_path):
    key = keys.path["lea256"]
    for kind in ("usual", "named"):
        (tmp_path / "there").write_bytes(b"there")
        fails(USAGE, "exists already; -f", "enc", "-k", key, "-o", tmp_path / "there", input=b"text", kind=kind)
        assert (tmp_path / "there").read_bytes() == b"there"
        (tmp_path / "there").chmod(0o640)
        well("enc", "-k", key, "-f", "-o", tmp_path / "there", input=b"text", kind=kind)
        assert stat.S_IMODE((tmp_path / "there").stat().st_mode) == 0o640
        (tmp_path / "link").symlink_to("there")
        well("dec", "-k", key, "-f", "-o", tmp_path / "link", tmp_path / "there", kind=kind)  # onto its input
        assert (tmp_path / "there").read_bytes() == b"text" and (tmp_path / "link").is_symlink()
        (tmp_path / "link").unlink()
        old = os.umask(0o027)
        well("enc", "-k", key, "-o", tmp_path / "new", input=b"text", kind=kind)
        os.umask(old)
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
        (tmp_path / "new").unlink()
        # A new file has the permissions of its input less the umask; a file that is replaced keeps its own.
        (tmp_path / "in").write_bytes(b"text")
        for mask, mode, new in ((0o022, 0o600, 0o600), (0o022, 0o666, 0o644), (0o077, 0o755, 0o700), (0, 0o440, 0o440)):
            (tmp_path / "in").chmod(mode)
            well("enc", "-k", key, "-o", tmp_path / "new", tmp_path / "in", kind=kind, umask=mask)
            assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == new
            (tmp_path / "new").chmod(0o620)
            well("enc", "-k", key, "-f", "-o", tmp_path / "new", tmp_path / "in", kind=kind, umask=mask)
            assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o620
            (tmp_path / "new").unlink()
        (tmp_path / "in").unlink()
        # Another process makes the file meanwhile.
        process = subprocess.Popen(
            [command(kind), "enc", "-k", key, "-o", tmp_path / "race"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(0.1)
        (tmp_path / "race").write_bytes(b"theirs")
        assert b"exists already" in process.communicate(b"text")[1] and process.returncode == USAGE
        assert (tmp_path / "race").read_bytes() == b"theirs" and listing(tmp_path) == {"there", "race"}
        (tmp_path / "race").unlink()


# Replaces a function of the C library: does something, makes the call itself, and does something after it.
BEFORE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void at(const char *when)
{{
    const char *const signal = getenv(when);
    if (signal != NULL) raise(atoi(signal));
}}
int {name}({parameters})
{{
    int (*const real)({parameters}) = (int (*)({parameters}))dlsym(RTLD_NEXT, "{name}");
    int done;
    {first}
    at("BEFORE");
    done = real({arguments});
    at("AFTER");
    return done;
}}
"""
CALLS = {
    "rename": ("const char *from, const char *to", "from, to"),
    "link": ("const char *from, const char *to", "from, to"),
    "linkat": ("int a, const char *from, int b, const char *to, int flags", "a, from, b, to, flags"),
    "fsync": ("int fd", "fd"),
}


def standing_before(name: str, folder: Path, first: str = "") -> dict[str, str]:
    """The environment in which a function of the C library is called through BEFORE."""
    parameters, arguments = CALLS[name]
    source = folder.with_name(f"{folder.name}.{name}.c")
    source.write_text(BEFORE.format(name=name, parameters=parameters, arguments=arguments, first=first))
    native.run(["gcc", "-shared", "-fPIC", source, "-o", source.with_suffix(".so"), "-ldl"])
    return {**os.environ, "LD_PRELOAD": str(source.with_suffix(".so"))}


@pytest.mark.parametrize("kind, replace, call", [("usual", True, "linkat"), ("usual", True, "rename"), ("usual", False, "linkat"),
                                                 ("named", True, "rename"), ("named", False, "link")])  # fmt: skip
def test_interrupted_between_two_names(kind, replace, call, keys, tmp_path):
    """A signal waits until the file has its name and no other one. The next run removes what SIGKILL leaves."""
    env, out = standing_before(call, tmp_path), tmp_path / "out"
    sealed = well("enc", "-k", keys.path["lea256"], input=b"secret")
    force = ["-f"] if replace else []
    dec = ["dec", "-k", keys.path["lea256"], *force, "-o", out]
    for when in ("BEFORE", "AFTER"):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            out.unlink(missing_ok=True)
            if replace:
                out.write_bytes(b"old")
            done = haechi(*dec, input=sealed, kind=kind, env={**env, when: str(int(number))})
            assert done.returncode == -number and listing(tmp_path) == {"out"} and out.read_bytes() == b"secret"
        out.unlink()
        if replace:
            out.write_bytes(b"old")
        done = haechi(*dec, input=sealed, kind=kind, env={**env, when: str(int(signal.SIGKILL))})
        left = listing(tmp_path) - {"out"}
        assert done.returncode == -signal.SIGKILL and len(left) <= 1
        assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in left} <= {0o644, 0o600}
        done = haechi("enc", "-k", keys.path["lea256"], "-o", tmp_path / "another", input=b"")
        assert done.returncode == DONE and done.stderr.count(b"has been removed") == len(left)
        assert listing(tmp_path) - {"out"} == {"another"}
        (tmp_path / "another").unlink()
    if replace:
        assert left or call == "rename"  # after linkat SIGKILL does leave a file


def test_only_what_was_left_over_is_removed(keys, tmp_path):
    """It does not remove files of other names or kinds, or that a process is writing, or of other users."""
    key, prefix = keys.path["lea256"], ".haechi-unfinished-"
    kept = {prefix + "abc", prefix + "abcdefg", prefix + "abc.ef", ".haechi-abcdef", "x" + prefix + "abcdef"}
    for name in kept:
        (tmp_path / name).write_bytes(b"mine")
    (tmp_path / (prefix + "folder")).mkdir()
    os.mkfifo(tmp_path / (prefix + "fifo00"))
    (tmp_path / (prefix + "link00")).symlink_to(prefix + "abc")
    kept |= {prefix + "folder", prefix + "fifo00", prefix + "link00"}
    if os.geteuid() == 0:
        (tmp_path / (prefix + "theirs")).write_bytes(b"theirs")
        os.chown(tmp_path / (prefix + "theirs"), 1, 1)
        kept.add(prefix + "theirs")
    (tmp_path / (prefix + "abcdef")).write_bytes(b"left over")
    busy = subprocess.Popen([command("named"), "enc", "-k", key, "-o", tmp_path / "busy"], stdin=subprocess.PIPE)
    busy.stdin.write(b"text")
    busy.stdin.flush()
    end = time.monotonic() + 10
    while (tmp_path / (prefix + "abcdef")).exists() or len(listing(tmp_path)) == len(kept):
        assert time.monotonic() < end
    writing = listing(tmp_path) - kept
    assert len(writing) == 1
    for kind in ("usual", "named"):
        well("enc", "-k", key, "-o", tmp_path / kind, input=b"text", kind=kind)
    assert listing(tmp_path) == kept | writing | {"usual", "named"}
    busy.communicate()
    assert busy.returncode == DONE and listing(tmp_path) == kept | {"usual", "named", "busy"}


def test_files_and_folders_are_synced_and_a_failure_is_told(keys, tmp_path):
    """The file is synced before it gets its name, and the folder after that; so are key files."""
    key = keys.path["lea256"]
    log = tmp_path.with_name("synced")
    say = """
    struct stat s;
    FILE *const log = fopen(getenv("SYNCED"), "a");
    fstat(fd, &s);
    fprintf(log, S_ISDIR(s.st_mode) ? "folder " : "file ");
    fclose(log);
    if (getenv("FAILS") && !strcmp(getenv("FAILS"), S_ISDIR(s.st_mode) ? "folder" : "file")) {
        errno = EIO;
        return -1;
    }"""
    env = {**standing_before("fsync", tmp_path, say), "SYNCED": str(log)}
    for kind in ("usual", "named"):
        for arguments in (["enc", "-k", key, "-f", "-o"], ["enc", "-k", key, "-o"], ["keygen"], ["rand", "8", "-o"]):
            out = tmp_path / "out"
            out.unlink(missing_ok=True)
            well(*arguments, out, input=b"text", kind=kind, env=env)
            assert log.read_text() == "file folder "
            log.unlink()
            out.unlink()
            fails(SYSTEM, "out cannot be brought to the disk: Input/output error", *arguments, out, input=b"", kind=kind,
                  env={**env, "FAILS": "file"})  # fmt: skip
            assert listing(tmp_path) == set()
            fails(SYSTEM, "has been written, but a power cut may undo that", *arguments, out, input=b"", kind=kind,
                  env={**env, "FAILS": "folder"})  # fmt: skip
            assert listing(tmp_path) == {"out"}
            log.unlink()


def test_special_files(keys, long, tmp_path):
    text, sealed, key = long[0], long[1]["lea256"], keys.path["lea256"]
    for way in ("enc", "dec"):
        fails(SYSTEM, "No such file", way, "-k", key, tmp_path / "none")
        fails(SYSTEM, "Is a directory", way, "-k", key, tmp_path)
        fails(SYSTEM, "Input/output error", way, "-k", key, "/proc/self/mem")
        fails(SYSTEM, "No such device", way, "-k", key, "-o", tmp_path / "x", socket_file(tmp_path / "socket"))
    good = tmp_path / "good"
    good.write_bytes(sealed)
    fails(SYSTEM, "Is a directory", "dec", "-k", key, "-f", "-o", tmp_path, good)
    fails(SYSTEM, "No such file", "dec", "-k", key, "-o", tmp_path / "no/where", good)
    assert len(well("enc", "-k", key, "/dev/null")) == HEADER + 16
    fails(UNKNOWN, "too short", "dec", "-k", key, "/dev/null")
    assert well("dec", "-k", key, "-o", "/dev/null", good) == b""
    # Named pipes at both ends.
    for name in ("from", "to"):
        os.mkfifo(tmp_path / name)
    with (
        subprocess.Popen(["cp", tmp_path / "to", tmp_path / "copy"]),
        subprocess.Popen(["tee", tmp_path / "from"], stdin=open(good), stdout=subprocess.DEVNULL),
    ):
        well("dec", "-k", key, "-f", "-o", tmp_path / "to", tmp_path / "from")
    assert (tmp_path / "copy").read_bytes() == text
    assert stat.S_ISFIFO((tmp_path / "to").stat().st_mode)
    # Closed descriptors at both ends.
    for closed in ("<&-", ">&-", "<&- >&-"):
        done = subprocess.run(["sh", "-c", f'"$0" dec -k "$1" - {closed}', command(), key], input=sealed, capture_output=True)
        assert done.returncode == SYSTEM and done.stderr


def socket_file(path: Path) -> Path:
    if not path.exists():
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(str(path))
    return path


def test_no_permission(keys, long, tmp_path):
    """Root may read every file, so the test gives that up first."""
    before = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] if os.geteuid() == 0 else []
    if before and subprocess.run([*before, "true"], capture_output=True).returncode:
        pytest.skip("setpriv does not work here")
    good, shut = tmp_path / "good", tmp_path / "shut"
    good.write_bytes(long[1]["lea256"])
    shut.mkdir()
    good.chmod(0)
    fails(SYSTEM, "Permission denied", "dec", "-k", keys.path["lea256"], good, before=before)
    good.chmod(0o400)
    fails(SYSTEM, "Permission denied", "dec", "-k", keys.path["lea256"], "-f", "-o", good, good, before=before)
    shut.chmod(0o500)
    fails(SYSTEM, "Permission denied", "dec", "-k", keys.path["lea256"], "-o", shut / "x", good, before=before)
    shut.chmod(0o700)


def test_slow_pipe_gets_each_chunk_as_it_comes(keys, long):
    """No reader waits for more than the chunk that is there and the byte after it."""
    text, sealed = long[0], long[1]["aria128"]
    process = subprocess.Popen(
        [command(), "dec", "-k", keys.path["aria128"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    process.stdin.write(sealed[: HEADER + CHUNK + 16 + 1])
    out = b""
    while len(out) < CHUNK and select.select([process.stdout], [], [], 10)[0]:
        out += process.stdout.read(CHUNK)
    assert out == text[:CHUNK]
    process.stdin.close()
    process.stdout.read()
    assert process.wait(10) == FORGED


def test_terminals(keys, tmp_path):
    key = keys.path["lea256"]
    (tmp_path / "text").write_text("Grüße, 해치\n\tend\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "escapes").write_bytes(b"harmless \x1b]0;not\x07\n")
    for name in ("text", "binary", "escapes"):
        well("enc", "-k", key, "-o", tmp_path / f"{name}.sealed", tmp_path / name)
    code, shown = on_a_terminal("enc", "-k", key, tmp_path / "text")
    assert code == USAGE and b"is a terminal" in shown and b"HAECHI" not in shown
    code, shown = on_a_terminal("dec", "-k", key, tmp_path / "text.sealed")
    assert code == DONE and shown.decode().replace("\r\n", "\n") == (tmp_path / "text").read_text()
    for name in ("binary", "escapes"):
        code, shown = on_a_terminal("dec", "-k", key, tmp_path / f"{name}.sealed")
        assert code == USAGE and b"is not text" in shown and b"\x1b]" not in shown
    code, shown = on_a_terminal("rand", 16)
    assert code == USAGE and b"-x" in shown
    code, shown = on_a_terminal("rand", "-x", 16)
    assert code == DONE and re.fullmatch(rb"[0-9a-f]{32}\r\n", shown)
    code, shown = on_a_terminal("raw", "lea-ecb", "-k", key, "-x", tmp_path / "binary")
    assert code == DONE and len(shown) == 514
    code, shown = on_a_terminal("raw", "lea-ecb", "-k", key, tmp_path / "binary")
    assert code == USAGE


@pytest.mark.full
def test_progress_on_a_terminal_only(keys, tmp_path):
    """It shows per cent where the length is known, and for a slow pipe how much came."""
    key = keys.path["hight"]
    with open(tmp_path / "big", "wb") as big:
        big.truncate(48 << 20)
    start = time.monotonic()
    code, shown = on_a_terminal("enc", "-c", "hight", "-t", 1, "-k", key, "-o", tmp_path / "out", tmp_path / "big")
    assert code == DONE and (time.monotonic() - start < 0.6 or re.search(rb"\r *\d+ %  \d+ MB/s  \d+:\d\d left .*\r\x1b\[K$", shown))
    quick = ["enc", "-q", "-c", "hight", "-k", key, "-f", "-o", tmp_path / "out", tmp_path / "big"]
    assert on_a_terminal(*quick) == (DONE, b"")
    assert haechi(*(a for a in quick if a != "-q")).stderr.count(b"\n") == 1  # the advice, but no progress
    slow = f"for i in 1 2; do head -c {CHUNK} /dev/zero; sleep 0.3; done; echo"
    with subprocess.Popen(["sh", "-c", slow], stdout=subprocess.PIPE) as source:
        code, shown = on_a_terminal("enc", "-k", keys.path["lea256"], "-o", tmp_path / "piped", stdin=source.stdout)
    assert code == DONE and re.search(rb"\r0 MB  0 MB/s .*\r\x1b\[K$", shown)
