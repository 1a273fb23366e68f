# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The work of core between a caller and a kernel: it chooses by CPU features, and provides even addresses."""

import ctypes
import platform
import re
from pathlib import Path

import native
import pytest
from library import (AEAD_ROOM, ECPU, FORWARD, GUARD, KEY_SIZE, OK, ROOM, XTS_ROOM, Descriptor, Key, Stream, at, constant, features,
                     guarded, intact, library)  # fmt: skip

KEY = bytes(range(16))
PAD = bytes(a ^ b for a, b in zip(KEY[:8], KEY[8:], strict=True))  # what the lower kernel of `picky` adds


@pytest.fixture
def lib():
    path = native.build("libpicky.so", [native.ROOT / "test/core/picky.c", *native.sources()], [*native.USUAL, "-shared"])
    lib = ctypes.CDLL(str(path))
    lib.haechi_ecb.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t]
    lib.haechi_ctr.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_size_t]
    lib.haechi_init.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_void_p] * 2 + [ctypes.c_size_t]
    ctypes.c_int.in_dll(lib, "picky_odd_addresses").value = 0
    lib.haechi_features_limit(ctypes.c_uint32(0))
    return lib


def init(lib, cipher, key_at):
    room = ctypes.create_string_buffer(ROOM)
    constant = ctypes.addressof(ctypes.c_char.in_dll(lib, "haechi_" + cipher))
    assert lib.haechi_init(room, ROOM, constant, key_at, 16) == OK
    return room


@pytest.mark.parametrize("cipher", ["picky", "picky_one"])
@pytest.mark.parametrize("key_odd", [0, 1])
@pytest.mark.parametrize("out_odd", [0, 1])
@pytest.mark.parametrize("in_odd", [0, 1])
def test_a_kernel_that_wants_even_addresses_gets_them(lib, cipher, key_odd, out_odd, in_odd):
    raw = guarded(32)
    ctypes.memmove(at(raw, key_odd), KEY, 16)
    key = init(lib, cipher, at(raw, key_odd))
    message = bytes(range(100, 140))
    source, target = guarded(48), guarded(48)
    ctypes.memmove(at(source, in_odd), message, 40)
    assert lib.haechi_ecb(key, at(target, out_odd), at(source, in_odd), 40) == OK
    want = bytes(m ^ PAD[i % 8] for i, m in enumerate(message))
    assert bytes(target)[GUARD + out_odd :][:40] == want and intact(target, out_odd, out_odd + 40)
    assert lib.haechi_ecb(key, at(source, in_odd), at(source, in_odd), 40) == OK
    assert bytes(source)[GUARD + in_odd :][:40] == want and intact(source, in_odd, in_odd + 40)
    for stream_odd in (0, 1):
        stream = guarded(48)
        ctypes.memmove(at(stream, stream_odd), bytes(Stream(bytes(8))), 33)
        assert lib.haechi_ctr(key, at(stream, stream_odd), at(target, out_odd), at(source, in_odd), 21) == OK
        pads = b"".join(bytes(PAD[:7]) + bytes([PAD[7] ^ block]) for block in range(3))
        assert bytes(target)[GUARD + out_odd :][:21] == bytes(a ^ b for a, b in zip(want[:21], pads, strict=False))
    assert ctypes.c_int.in_dll(lib, "picky_odd_addresses").value == 0


def test_the_best_kernel_whose_needs_are_met(lib):
    """The upper rung needs SSSE3."""
    for allowed in (0xFFFF, 0xFFFE, 0, 1):
        lib.haechi_features_limit(ctypes.c_uint32(allowed))
        out = ctypes.create_string_buffer(8)
        assert lib.haechi_ecb(init(lib, "picky", KEY), out, bytes(8), 8) == OK
        assert out.raw == (b"\xff" * 8 if allowed & features() & 1 else PAD)


FLAGS = {"ssse3": 1, "aes": 2, "pclmulqdq": 4, "avx2": 8, "vaes": 16, "vpclmulqdq": 32, "gfni": 64, "avx512vbmi": 256}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="no features are told apart elsewhere yet")
def test_features_are_those_that_linux_lists():
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M).group(1).split()
    want = sum(bit for flag, bit in FLAGS.items() if flag in flags)
    want |= 128 * ({"avx512f", "avx512bw", "avx512vl", "avx512dq"} <= set(flags))
    assert features() == want
    assert features(allowed=9) == want & 9
    assert features() == want
    assert library().haechi_features() == want


SSSE3, AVX2, VAES = 1, 8, 16


def test_kernels_tell_their_names():
    """Whatever features the limit takes away, the name belongs to the descriptor that the key uses."""
    names = set()
    for allowed in (0, SSSE3, SSSE3 | AVX2, 0xFFFF ^ VAES, 0xFFFF):
        features(allowed)
        for cipher in FORWARD:
            for way in ("", "_inv"):
                key = Key(cipher + way, bytes(KEY_SIZE[cipher])).room
                name = library().haechi_kernel_name(key).decode()
                suffix = way if cipher == "hight" else f"_{cipher[-3:]}{way}"
                descriptor = Descriptor.in_dll(library(), f"haechi_{name}{suffix}")
                assert int.from_bytes(key[:8], "little") == ctypes.addressof(descriptor)
                names.add(name)
    features()
    assert {"lea_c", "hight_c", "aria_c"} <= names and (len(names) > 3 or features() == 0)
    assert library().haechi_kernel_name(None) is None and library().haechi_kernel_name(bytes(16)) is None


@pytest.mark.full
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the kernel is one for x86-64")
def test_a_named_kernel_that_the_cpu_cannot_run_is_refused():
    """The build has one kernel of LEA, and the CPU acts as if it lacked the instructions of that kernel."""
    needless = {"aria", "hight", "drbg_aria.c", "drbg_hight.c", "lea_x86_avx2.c", "lea_x86_avx512.c"}
    files = [f for f in native.sources() if not needless & set(f.parts)]
    flags = [*native.USUAL, "-shared", "-DHAECHI_LEA_KERNEL=lea_x86_ssse3"]
    lib = ctypes.CDLL(str(native.build("libnamed.so", files, flags)))
    pointer = ctypes.c_void_p
    for name, types in (("init", "pnppn"), ("aead_init", "pnpppn"), ("xts_init", "pnpppn"), ("drbg_init", "ppnpnpnpn")):
        getattr(lib, f"haechi_{name}").argtypes = [pointer if t == "p" else ctypes.c_size_t for t in types]

    def there(name):
        return ctypes.addressof(ctypes.c_char.in_dll(lib, f"haechi_{name}"))

    lib.haechi_features_limit(ctypes.c_uint32(0))
    for size, name, arguments in (
        (ROOM, "init", (there("lea128"), KEY, 16)),
        (ROOM, "init", (there("lea256_inv"), 2 * KEY, 32)),
        (AEAD_ROOM, "aead_init", (there("gcm"), there("lea128"), KEY, 16)),
        (XTS_ROOM, "xts_init", (there("lea128_inv"), there("lea128"), KEY + bytes(16), 32)),
    ):
        room = ctypes.create_string_buffer(b"\xff" * size, size)
        assert getattr(lib, f"haechi_{name}")(room, size, *arguments) == ECPU
        assert room.raw == bytes(size)
    drbg = ctypes.create_string_buffer(b"\xff" * 64, 64)
    assert lib.haechi_drbg_init(drbg, there("drbg_lea128"), 0, KEY, 16, KEY, 8, None, 0) == ECPU
    assert lib.haechi_drbg_init(drbg, there("drbg_lea128"), 0, KEY, 8, KEY, 8, None, 0) < 0
