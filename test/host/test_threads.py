# SPDX-License-Identifier: Apache-2.0 OR MIT
"""ECB and counter mode on threads give the same bytes, stream and errors as on one, wherever the pieces are
divided."""

import ctypes
import sys
from functools import cache
from random import Random

import native
import pytest
from library import BLOCK, FORWARD, KEY_SIZE

from bench.declared import model
from bench.measured import threads as threads_bench

OK, SMALL = 0, 1024  # bytes for which a thread is started in these builds
BUILDS = {"openmp": ["-fopenmp"], "one": []}
size = ctypes.c_size_t


class Stream(ctypes.Structure):
    _fields_ = [("iv", ctypes.c_uint8 * 16), ("left", ctypes.c_uint8 * 16), ("used", ctypes.c_uint8)]


@cache
def threads(name):
    flags = [*native.USUAL, "-shared", f"-DHAECHI_THREADS_WORTH={SMALL}", *BUILDS[name]]
    sources = [*native.sources(), native.ROOT / "host/threads.c"]
    return ctypes.CDLL(str(native.build("libthreads.so", [p for p in sources if p.suffix == ".c"], flags)))


def key(lib, cipher, value):
    k = ctypes.create_string_buffer(1024)
    constant = ctypes.c_void_p.in_dll(lib, "haechi_" + cipher)
    assert lib.haechi_init(k, size(1024), ctypes.byref(constant), value, size(len(value))) == OK
    return k


def ctr(lib, name, k, stream, data, *more):
    out = ctypes.create_string_buffer(len(data) + 1)
    s = Stream.from_buffer_copy(stream)
    error = getattr(lib, name)(k, ctypes.byref(s), out, data, size(len(data)), *more)
    return error, out.raw, bytes(s)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("cipher", FORWARD)
def test_every_split(build, cipher):
    """Lengths around every boundary of pieces; 1 to 8 threads; streams that begin inside a block; and counters that
    carry at a boundary of pieces, before and after it, out of the lower half and out of all bytes."""
    lib, r, n = threads(build), Random(cipher), BLOCK[cipher]
    k = key(lib, cipher, r.randbytes(KEY_SIZE[cipher]))
    assert lib.haechi_has_threads() == (build == "openmp")
    for team in [0, *range(1, 9)]:
        for length in [0, 1, n, 1023, 2048, 2 * 1024 + 1, 1024 * team + n - 1, 9 * 1024 + 5, r.randrange(20000)]:
            data = r.randbytes(length)
            before = r.choice([0, 1, 1024 // n, 2048 // n, r.randrange(600)])  # blocks until the carry
            value = r.choice([(1 << 8 * n), (1 << 64) * r.randrange(1, 1 << 20) if n == 16 else 1 << 64]) - before
            iv = (value % (1 << 8 * n)).to_bytes(n, "big").ljust(16, b"\0")
            used = r.choice([0, 0, 1, n - 1])
            stream = iv + r.randbytes(16) + bytes([used])
            assert ctr(lib, "haechi_ctr_threads", k, stream, data, team) == ctr(lib, "haechi_ctr", k, stream, data)
            whole = data[: length // n * n]
            one, many = (ctypes.create_string_buffer(len(whole) + 1) for _ in range(2))
            assert lib.haechi_ecb(k, one, whole, size(len(whole))) == OK
            assert lib.haechi_ecb_threads(k, many, whole, size(len(whole)), team) == OK
            assert many.raw == one.raw
            place = ctypes.create_string_buffer(whole, len(whole) + 1)
            assert lib.haechi_ecb_threads(k, place, place, size(len(whole)), team) == OK
            assert place.raw == one.raw


@pytest.mark.parametrize("build", BUILDS)
def test_errors_are_those_of_one_thread(build):
    lib = threads(build)
    k, out, data = key(lib, "lea128", bytes(16)), ctypes.create_string_buffer(b"x" * 5000, 5000), bytes(5000)
    back = key(lib, "lea128_inv", bytes(16))
    empty, fresh = ctypes.create_string_buffer(1024), Stream()
    spoilt = Stream(used=16)
    for team in (1, 4):
        for name, more in (("haechi_ecb", []), ("haechi_ecb_threads", [team])):
            function = getattr(lib, name)
            assert function(k, out, data, size(4097), *more) != OK and out.raw[:4097] == bytes(4097)
            assert function(empty, out, data, size(4096), *more) != OK
            assert function(k, None, data, size(4096), *more) != OK and function(k, out, None, size(4096), *more) != OK
        for a, b in ((back, fresh), (empty, fresh), (k, spoilt)):
            alone = lib.haechi_ctr(a, ctypes.byref(b), out, data, size(4096))
            assert alone != OK == lib.haechi_ctr(k, ctypes.byref(fresh), None, None, size(0))
            assert lib.haechi_ctr_threads(a, ctypes.byref(b), out, data, size(4096), team) == alone
        assert lib.haechi_ctr_threads(k, None, out, data, size(4096), team) == lib.haechi_ctr(k, None, out, data, size(4096))


def test_threads_are_really_used():
    """After the calls the process has four threads."""
    program = """
import ctypes, re, sys
lib, k, data = ctypes.CDLL(sys.argv[1]), ctypes.create_string_buffer(1024), ctypes.create_string_buffer(1 << 16)
lib.haechi_init(k, ctypes.c_size_t(1024), ctypes.byref(ctypes.c_void_p.in_dll(lib, "haechi_lea128")), data, ctypes.c_size_t(16))
lib.haechi_ecb_threads(k, data, data, ctypes.c_size_t(1 << 16), 4)
print(re.search(r"Threads:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""
    for build, used in (("openmp", "4"), ("one", "1")):
        threads(build)
        assert native.run([sys.executable, "-c", program, threads(build)._name]).stdout.strip() == used


@pytest.mark.slow
@pytest.mark.ci
def test_installed_with_openmp(tmp_path):
    """-DHAECHI_OPENMP=ON, shared and static, by CMake and by pkg-config. The user need not mention OpenMP."""
    native.run(["cmake", "-G", "Ninja", "-S", native.ROOT, "-B", tmp_path / "b", f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'p'}",
                "-DHAECHI_OPENMP=ON"])  # fmt: skip
    native.run(["cmake", "--build", tmp_path / "b"])
    native.run(["cmake", "--install", tmp_path / "b"])
    (tmp_path / "main.c").write_text(
        "#include <haechi_threads.h>\nint main(void) { return !haechi_has_threads(); }\n"
    )
    for component in ("", "COMPONENTS static"):
        folder = tmp_path / f"c{len(component)}"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.18)\nproject(c C)\nfind_package(haechi REQUIRED {component})\n"
            "add_executable(main ../main.c)\ntarget_link_libraries(main haechi::haechi)\n"
        )
        native.run(["cmake", "-G", "Ninja", "-B", folder / "b", "-S", folder, f"-DCMAKE_PREFIX_PATH={tmp_path / 'p'}"])
        native.run(["cmake", "--build", folder / "b"])
        native.run([folder / "b/main"])


@pytest.mark.slow
@pytest.mark.ci
def test_table_of_threads():
    """A short run of the benchmark: each cipher with 1 to 3 threads, and the number of the machine's cores."""
    rows = threads_bench.rows(model.load_targets()["host"], ["LEA", "ARIA"], (1 << 20, 1 << 18, 3, 1))
    assert [(r.cipher, r.threads) for r in rows] == [(c, n) for c in ("LEA-128", "ARIA-128") for n in (1, 2, 3)]
    assert all(r.mb_per_s > 0 and r.cores >= 1 and r.note for r in rows) and rows[0].speedup == 1
