# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CTR_DRBG: published vectors, the text of SP 800-90A in spec/, limits, misuse, the content of memory afterwards, and
the machines that Python cannot load."""

import ctypes
import re
import subprocess
from contextlib import contextmanager
from ctypes import c_char, c_size_t, c_uint, c_uint8, c_uint32, c_void_p
from functools import cache, lru_cache, partial
from pathlib import Path
from random import Random

import msgspec
import native
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from builds import BUILDS, parameters
from library import EKEY, ELEN, EROOM, EUSE, FORWARD, GUARD, OK, ROOM, at, guarded, intact
from peers import peers, title
from toolchains import TOOLCHAINS

from bench.declared import rsp
from bench.declared.model import VARIANTS, kernels, load_targets
from bench.made import build
from bench.made.cache import tool
from bench.simulated.drive import Drive, Layout
from bench.simulated.simulators import open_simulator
from spec.drbg import CtrDrbg

ELIMIT, ERESEED = -6, -7
NO_DF, PREDICTION_RESISTANCE = 1, 2
FLAGS = [0, NO_DF, PREDICTION_RESISTANCE, NO_DF | PREDICTION_RESISTANCE]
AES = ["aes128", "aes192", "aes256"]
KEY = {c: 16 if c == "hight" else int(c[-3:]) // 8 for c in FORWARD + AES}
BLOCK = {c: 8 if c == "hight" else 16 for c in FORWARD + AES}
SEED = {c: KEY[c] + BLOCK[c] for c in KEY}
MOST = {c: 1 << (10 if c == "hight" else 16) for c in KEY}
LONGEST = (1 << 30) - 1  # the longest input
NULL = None


class State(ctypes.Structure):
    """haechi_drbg."""

    _fields_ = [("kind", c_void_p), ("state", c_uint8 * 48), ("count", c_uint32), ("flags", c_uint8)]


@cache
def library(*defines) -> ctypes.CDLL:
    """All of src/, and AES for the tests."""
    sources = [*native.sources(), native.ROOT / "test/drbg/drbg_aes.c"]
    flags = [*native.USUAL, "-shared", *defines]
    lib = ctypes.CDLL(str(native.build("libdrbg.so", sources, flags, libs=["-lcrypto"])))
    buffer = [c_void_p, c_size_t]
    lib.haechi_init.argtypes = [c_void_p, c_size_t, c_void_p, *buffer]
    lib.haechi_ecb.argtypes = [c_void_p, c_void_p, *buffer]
    lib.haechi_ctr.argtypes = [c_void_p, c_void_p, c_void_p, *buffer]
    lib.haechi_wipe.argtypes = buffer
    lib.haechi_drbg_init.argtypes = [c_void_p, c_void_p, c_uint, *buffer, *buffer, *buffer]
    lib.haechi_drbg_reseed.argtypes = [c_void_p, *buffer, *buffer]
    lib.haechi_drbg_read.argtypes = [c_void_p, *buffer, *buffer]
    return lib


def constant(lib, name: str) -> int:
    return ctypes.addressof(c_char.in_dll(lib, "haechi_" + name))


# ---- The library's generator, and the standard's.


class Ours:
    """A generator of the library; every call must succeed."""

    def __init__(self, cipher, flags, entropy, nonce=b"", person=b"", lib=None):
        self.lib, self.d = lib or library(), State()
        kind = constant(self.lib, "drbg_" + cipher)
        inputs = [x for p in (entropy, nonce, person) for x in (p, len(p))]
        assert self.lib.haechi_drbg_init(ctypes.byref(self.d), kind, flags, *inputs) == OK

    def reseed(self, entropy, add=b""):
        d = ctypes.byref(self.d)
        assert self.lib.haechi_drbg_reseed(d, entropy, len(entropy), add, len(add)) == OK

    def read(self, size, add=b""):
        out = ctypes.create_string_buffer(size)
        assert self.lib.haechi_drbg_read(ctypes.byref(self.d), out, size, add, len(add)) == OK
        return out.raw


@lru_cache(maxsize=64)
def expanded(cipher: str, key: bytes):
    room = ctypes.create_string_buffer(ROOM)
    assert library().haechi_init(room, ROOM, constant(library(), cipher), key, len(key)) == OK
    return room


@lru_cache(maxsize=64)
def keyed(cipher: str, key: bytes) -> int:
    return peers().peer_open(title(cipher), key, c_size_t(len(key)))


def encrypt(cipher: str, key: bytes, block: bytes) -> bytes:
    """Block_Encrypt by Crypto++; for AES, which that adapter does not have, by OpenSSL."""
    if cipher not in AES:
        out = ctypes.create_string_buffer(block, len(block))
        peers().peer_block(keyed(cipher, key), out)
        return out.raw
    out = ctypes.create_string_buffer(len(block))
    assert library().haechi_ecb(expanded(cipher, key), out, block, len(block)) == OK
    return out.raw


class Standard(CtrDrbg):
    """The text of the standard, over blocks that Crypto++ or OpenSSL encrypts."""

    def __init__(self, cipher, flags, *inputs):
        super().__init__(partial(encrypt, cipher), KEY[cipher], BLOCK[cipher], *inputs, derivation=not flags & NO_DF)


# ---- Known answers.


def load(path: Path):
    """The cases of a file: cipher, flags, and fields in their order."""
    cipher, flags, fields, cases = "", 0, [], []
    for line in path.read_text().splitlines():
        if section := re.match(r"\[(\w+)(?:-(\d+))? (use|no) df\]", line, re.I):
            family, bits, use = section.groups()
            cipher, flags = (family + (bits or "")).lower(), NO_DF if use == "no" else 0
        elif resistance := re.match(r"\[PredictionResistance = (\w+)\]", line):
            flags = flags & NO_DF | (PREDICTION_RESISTANCE if resistance[1].lower() == "true" else 0)
        elif line.startswith("COUNT"):
            fields = []
        elif "=" in line and line[0] not in "#[":
            name, _, value = line.partition("=")
            fields.append((name.strip(), bytes.fromhex(value.strip())))
            if name.strip() == "ReturnedBits":
                cases.append((cipher, flags, fields))
    return cases


def script(case):
    """A case as calls: init with its inputs, then reseed and read with theirs; and the output of the last read."""
    cipher, flags, fields = case
    of = lambda name: [value for field, value in fields if field == name]  # noqa: E731
    one = lambda name: (of(name) or [b""])[0]  # noqa: E731
    wanted = one("ReturnedBits")
    nonce = b"" if flags & NO_DF else one("Nonce")
    init = (cipher, flags, one("EntropyInput"), nonce, one("PersonalizationString"))
    calls = []
    if of("EntropyInputReseed"):
        calls.append(("reseed", one("EntropyInputReseed"), one("AdditionalInputReseed")))
    if flags & PREDICTION_RESISTANCE:
        for entropy, add in zip(of("EntropyInputPR"), of("AdditionalInput"), strict=True):
            calls += [("reseed", entropy, add), ("read", len(wanted))]
    else:
        calls += [("read", len(wanted), add) for add in of("AdditionalInput")]
    return init, calls, wanted


def play(implementation, case):
    init, calls, wanted = script(case)
    generator, out = implementation(*init), b""
    for name, *arguments in calls:
        out = getattr(generator, name)(*arguments)
    assert len(calls) >= 2 and out == wanted, case


# For each file the number of cases, and how many of them are for 3KeyTDEA, which Haechi does not have.
FILES = {
    "CTR_DRBG_ARIA-128_noDF_noPR_kcmvp": (60, 0),
    "CTR_DRBG_ARIA-128_noDF_usePR_kcmvp": (60, 0),
    "CTR_DRBG_ARIA-128_useDF_noPR_kcmvp": (60, 0),
    "CTR_DRBG_ARIA-128_useDF_usePR_kcmvp": (60, 0),
    "CTR_DRBG_LEA-256_noDF_noPR_kcmvp_one": (1, 0),
    "CTR_DRBG_no_reseed_nist_cavp": (256, 64),
    "CTR_DRBG_pr_false_nist_cavp": (256, 64),
    "CTR_DRBG_pr_true_nist_cavp": (256, 64),
}


def cases_of(path: Path) -> list:
    """All cases but those of 3KeyTDEA; the test counts them."""
    cases = load(path)
    left_out = [c for c in cases if c[0] == "3keytdea"]
    assert (len(cases), len(left_out)) == FILES[path.stem]
    return [c for c in cases if c not in left_out]


@pytest.mark.skipif(rsp.MORE is None, reason="HAECHI_VECTORS names no folder")
@pytest.mark.parametrize("implementation", [Ours, Standard])
@pytest.mark.parametrize("name", FILES)
def test_published_answers(name, implementation):
    for case in cases_of(rsp.MORE / f"drbg/{name}.rsp"):
        play(implementation, case)


def test_no_published_file_is_forgotten():
    if rsp.MORE is not None:
        assert {p.stem for p in (rsp.MORE / "drbg").glob("*.rsp")} == set(FILES)


# ---- Against the standard's text, for kinds without published vectors and for all others.


def lengths(random: Random, cipher: str, flags: int) -> tuple[int, int, int]:
    """Lengths of entropy, nonce and personalisation or additional input: short, long, and around whole blocks."""
    if flags & NO_DF:
        return SEED[cipher], 0, random.choice([0, 1, SEED[cipher] - 1, SEED[cipher]])
    more = lambda least: least + random.choice([0, 0, 1, 7, 8, 9, 16, 33, 200])  # noqa: E731
    return more(KEY[cipher]), more(KEY[cipher] // 2), random.choice([0, 1, 15, 16, 17, 100, 300])


def history(cipher: str, flags: int, random: Random, steps: int) -> tuple[tuple, list[tuple]]:
    """A generator's inputs and calls, all of them allowed."""
    entropy, nonce, person = (random.randbytes(n) for n in lengths(random, cipher, flags))
    calls = []
    for _ in range(steps):
        entropy_n, _, add_n = lengths(random, cipher, flags)
        fresh = random.randbytes(entropy_n)
        size = random.choice([0, 1, 7, 8, 9, 15, 16, 17, 40, 64, 100, 513, 1024])
        if flags & PREDICTION_RESISTANCE:
            calls += [("reseed", fresh, random.randbytes(add_n)), ("read", size)]
        elif random.random() < 0.2:
            calls.append(("reseed", fresh, random.randbytes(add_n)))
        else:
            calls.append(("read", size, random.randbytes(add_n)))
    return (cipher, flags, entropy, nonce, person), calls


def agree(a, b, calls):
    for name, *arguments in calls:
        assert getattr(a, name)(*arguments) == getattr(b, name)(*arguments), (name, arguments)


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("cipher", FORWARD + AES)
def test_as_the_standard_has_it(cipher, flags):
    random = Random(cipher + str(flags))
    for _ in range(12):
        inputs, calls = history(cipher, flags, random, 6)
        agree(Ours(*inputs), Standard(*inputs), calls)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FORWARD), st.sampled_from([0, NO_DF]), st.binary(), st.binary(), st.binary(), st.integers(0, 99))
def test_any_input(cipher, flags, entropy, nonce, add, size):
    if flags & NO_DF:
        entropy, nonce, add = entropy[: SEED[cipher]].ljust(SEED[cipher], b"e"), b"", add[: SEED[cipher]]
    else:
        entropy, nonce = entropy.ljust(KEY[cipher], b"e"), nonce.ljust(KEY[cipher] // 2, b"n")
    inputs = cipher, flags, entropy, nonce, add
    agree(Ours(*inputs), Standard(*inputs), [("read", size, add), ("reseed", entropy, add), ("read", size, add)])


@pytest.mark.parametrize("cipher", FORWARD)
def test_long_reads(cipher):
    inputs = cipher, NO_DF, bytes(range(SEED[cipher]))
    sizes = [MOST[cipher], MOST[cipher] - 1, 16 * 64 - 1, 1000]
    agree(Ours(*inputs), Standard(*inputs), [("read", size) for size in sizes])


@pytest.mark.parametrize("cipher", FORWARD)
def test_v_carries_at_every_byte(cipher):
    """No input leads to such a V within a lifetime, so the test plants it in both generators."""
    n = BLOCK[cipher]
    for i in range(n + 1):
        v = b"\x5a" * (n - i) + b"\xff" * i
        ours, standard = (new(cipher, NO_DF, bytes(SEED[cipher])) for new in (Ours, Standard))
        ours.d.state[KEY[cipher] : SEED[cipher]] = v
        standard.v = v
        agree(ours, standard, [("read", 5 * n), ("read", 5 * n)])


@pytest.mark.parametrize("cipher", FORWARD)
def test_input_may_be_the_output_and_lie_anywhere(cipher):
    lib, add = library(), bytes(range(SEED[cipher]))
    wanted = Ours(cipher, 0, bytes(32), bytes(16)).read(100, add)
    for offset in range(4):
        ours, out = Ours(cipher, 0, bytes(32), bytes(16)), guarded(104)
        ctypes.memmove(at(out, offset), add, len(add))
        assert lib.haechi_drbg_read(ctypes.byref(ours.d), at(out, offset), 100, at(out, offset), len(add)) == OK
        assert bytes(out)[GUARD + offset :][:100] == wanted and intact(out, offset, offset + 100)


def test_a_copy_gives_the_same_bytes():
    ours = Ours("hight", 0, bytes(16), bytes(8))
    copy = Ours("hight", 0, b"e" * 16, b"n" * 8)
    ctypes.memmove(ctypes.byref(copy.d), ctypes.byref(ours.d), ctypes.sizeof(State))
    agree(ours, copy, [("read", 50), ("reseed", bytes(16)), ("read", 50)])


def test_every_input_counts():
    """If inputs differ in one bit or in length, the outputs differ."""
    base = ("lea128", 0, bytes(20), bytes(10), b"p" * 5)
    seen = {Ours(*base).read(16)}
    for i in (2, 3, 4):
        changed = list(base)
        changed[i] = base[i][:-1] + bytes([base[i][-1] ^ 1])
        seen.add(Ours(*changed).read(16))
    seen.add(Ours(*base[:4], b"p" * 4).read(16))
    assert len(seen) == 5


# ---- Cached constants.


@pytest.mark.parametrize("cipher", FORWARD)
def test_constants(cipher):
    """The test computes them again from the cipher. Of key and V after the first Update it compares as many bytes as
    there are."""
    n, chains = BLOCK[cipher], -(-SEED[cipher] // BLOCK[cipher])
    counters = range(1, chains + 1)
    zero, first = bytes(KEY[cipher]), bytes(range(KEY[cipher]))
    begin = b"".join(encrypt(cipher, first, i.to_bytes(4, "big") + bytes(n - 4)) for i in range(chains))
    update = b"".join(encrypt(cipher, zero, i.to_bytes(n, "big")) for i in counters)[: SEED[cipher]]
    family = re.match("[a-z]+", cipher)[0]
    text = (native.ROOT / f"src/drbg/drbg_{family}.c").read_text()
    size, found = re.search(rf"constants_{cipher}\[(\d+)\][^{{]*{{(.*?)}}", text, re.S).groups()
    assert bytes(int(x, 16) for x in re.findall("0x..", found)) == begin + update
    assert int(size) == len(begin + update)


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("cipher", FORWARD)
def test_without_constants(cipher, flags):
    lib, random = library("-DHAECHI_DRBG_NO_CONSTANTS"), Random(cipher)
    inputs, calls = history(cipher, flags, random, 4)
    agree(Ours(*inputs), Ours(*inputs, lib=lib), calls)


def test_constants_are_left_out():
    for defines, there in (((), True), (("-DHAECHI_DRBG_NO_CONSTANTS",), False)):
        library(*defines)
        flags = [*native.USUAL, "-shared", *defines]
        sources = [*native.sources(), native.ROOT / "test/drbg/drbg_aes.c"]
        path = native.build("libdrbg.so", sources, flags, libs=["-lcrypto"])
        assert (bytes.fromhex("5a63233e5ef8bfc1") in path.read_bytes()) == there


# ---- Misuse gives a code, zeroed output, and an unchanged state.


def raw_init(d, kind, flags, entropy, nonce, person, sizes=None):
    """haechi_drbg_init with given sizes instead of those of the inputs."""
    sizes = sizes or [len(x or b"") for x in (entropy, nonce, person)]
    inputs = [x for pair in zip((entropy, nonce, person), sizes, strict=True) for x in pair]
    return library().haechi_drbg_init(d, kind and constant(library(), "drbg_" + kind), flags, *inputs)


def init_fails(error, *arguments, **more):
    d = guarded(ctypes.sizeof(State))
    assert raw_init(at(d), *arguments, **more) == error
    assert bytes(d)[GUARD : GUARD + ctypes.sizeof(State)] == bytes(ctypes.sizeof(State))
    assert intact(d, 0, ctypes.sizeof(State))
    out = ctypes.create_string_buffer(b"x" * 8, 8)
    assert library().haechi_drbg_read(at(d), out, 8, NULL, 0) == EKEY and out.raw == bytes(8)


def fails(error, ours, call, *arguments, out=None):
    """A reseed or a read of a generator; out is the size of a read."""
    before = bytes(ours.d)
    if call == "reseed":
        assert ours.lib.haechi_drbg_reseed(ctypes.byref(ours.d), *arguments) == error
    else:
        room = guarded(out)
        assert ours.lib.haechi_drbg_read(ctypes.byref(ours.d), at(room), out, *arguments) == error
        assert bytes(room)[GUARD : GUARD + out] == bytes(out) and intact(room, 0, out)
    assert bytes(ours.d) == before


@pytest.mark.parametrize("cipher", FORWARD)
def test_lengths_of_entropy_and_nonce(cipher):
    key, seed = KEY[cipher], SEED[cipher]
    for n in range(key):
        init_fails(ELEN, cipher, 0, bytes(n), bytes(16), b"")
    for n in range(key // 2):
        init_fails(ELEN, cipher, 0, bytes(key), bytes(n), b"")
    assert raw_init(ctypes.byref(State()), cipher, 0, bytes(key), bytes(key // 2), b"") == OK
    for n in (0, seed - 1, seed + 1, 2 * seed):
        init_fails(ELEN, cipher, NO_DF, bytes(n), b"", b"")
    init_fails(ELEN, cipher, NO_DF, bytes(seed), b"n", b"")
    init_fails(ELIMIT, cipher, NO_DF, bytes(seed), b"", bytes(seed + 1))
    assert raw_init(ctypes.byref(State()), cipher, NO_DF, bytes(seed), b"", bytes(seed)) == OK

    ours = Ours(cipher, 0, bytes(key), bytes(key // 2))
    for n in range(key):
        fails(ELEN, ours, "reseed", bytes(n), n, NULL, 0)
    ours = Ours(cipher, NO_DF, bytes(seed))
    for n in (0, key, seed - 1, seed + 1):
        fails(ELEN, ours, "reseed", bytes(n), n, NULL, 0)
    fails(ELIMIT, ours, "reseed", bytes(seed), seed, bytes(seed + 1), seed + 1)
    fails(ELIMIT, ours, "read", bytes(seed + 1), seed + 1, out=8)


def test_inputs_too_long():
    """An input of such a length is never read: one byte stands for it."""
    for i in range(3):
        for size in (LONGEST + 1, 1 << 32, (1 << 63) + 16):
            sizes = [16, 16, 16]
            sizes[i] = size
            init_fails(ELIMIT, "lea128", 0, bytes(16), bytes(16), bytes(16), sizes=sizes)
    ours = Ours("lea128", 0, bytes(16), bytes(16))
    fails(ELIMIT, ours, "reseed", bytes(16), LONGEST + 1, NULL, 0)
    fails(ELIMIT, ours, "reseed", bytes(16), 16, b"a", LONGEST + 1)
    fails(ELIMIT, ours, "read", b"a", LONGEST + 1, out=8)


@pytest.mark.parametrize("cipher", FORWARD)
def test_requests_too_long(cipher):
    ours = Ours(cipher, NO_DF, bytes(SEED[cipher]))
    for size in (MOST[cipher] + 1, 2 * MOST[cipher]):
        fails(ELIMIT, ours, "read", NULL, 0, out=size)
    assert len(ours.read(MOST[cipher])) == MOST[cipher]


def test_reads_without_end():
    ours = Ours("aria192", 0, bytes(24), bytes(12))
    assert ours.d.count == 1
    ours.read(1)
    assert ours.d.count == 2
    ours.d.count = (1 << 32) - 2
    ours.read(1)
    fails(ERESEED, ours, "read", NULL, 0, out=20)
    fails(ERESEED, ours, "read", b"add", 3, out=0)
    ours.reseed(bytes(24))
    assert ours.d.count == 1
    ours.read(20)


@pytest.mark.parametrize("flags", [0, NO_DF])
def test_prediction_resistance(flags):
    ours = Ours("lea192", PREDICTION_RESISTANCE | flags, bytes(40), b"" if flags else bytes(12))
    seed = bytes(40), 40
    fails(ERESEED, ours, "read", NULL, 0, out=20)
    fails(ELEN, ours, "reseed", NULL, 0, b"add", 3)
    fails(ERESEED, ours, "read", NULL, 0, out=20)
    for _ in range(3):
        assert ours.lib.haechi_drbg_reseed(ctypes.byref(ours.d), *seed, b"add", 3) == OK
        fails(EUSE, ours, "read", b"add", 3, out=20)
        ours.read(20)
        fails(ERESEED, ours, "read", NULL, 0, out=20)
    free = Ours("lea192", flags, bytes(40), b"" if flags else bytes(12))
    free.read(20), free.read(20, b"add"), free.reseed(bytes(40)), free.read(20, b"add")


def test_unknown_flags():
    for flags in (4, 8, 0x80, 0x100, 0xFFFFFFFF):
        init_fails(EUSE, "lea128", flags, bytes(16), bytes(16), b"")


def test_null():
    lib, ours = library(), Ours("lea128", 0, bytes(16), bytes(16))
    init_fails(EKEY, NULL, 0, bytes(16), bytes(16), b"")
    init_fails(EUSE, "lea128", 0, NULL, bytes(16), b"", sizes=[16, 16, 0])
    init_fails(EUSE, "lea128", 0, bytes(16), NULL, b"", sizes=[16, 16, 0])
    init_fails(EUSE, "lea128", 0, bytes(16), bytes(16), NULL, sizes=[16, 16, 1])
    assert raw_init(NULL, "lea128", 0, bytes(16), bytes(16), NULL) == EUSE
    assert raw_init(ctypes.byref(State()), "lea128", 0, bytes(16), bytes(16), NULL) == OK
    assert raw_init(ctypes.byref(State()), "lea128", NO_DF, bytes(32), NULL, NULL) == OK
    fails(EUSE, ours, "reseed", NULL, 16, NULL, 0)
    fails(EUSE, ours, "reseed", bytes(16), 16, NULL, 1)
    fails(EUSE, ours, "read", NULL, 1, out=9)
    before = bytes(ours.d)
    assert lib.haechi_drbg_read(ctypes.byref(ours.d), NULL, 16, NULL, 0) == EUSE
    assert bytes(ours.d) == before
    assert lib.haechi_drbg_read(ctypes.byref(ours.d), NULL, 0, NULL, 0) == OK
    assert lib.haechi_drbg_reseed(NULL, bytes(16), 16, NULL, 0) == EKEY
    out = guarded(16)
    assert lib.haechi_drbg_read(NULL, at(out), 16, NULL, 0) == EKEY
    assert bytes(out)[GUARD : GUARD + 16] == bytes(16) and intact(out, 0, 16)


def test_ended():
    ours = Ours("hight", 0, bytes(16), bytes(8))
    ours.lib.haechi_wipe(ctypes.byref(ours.d), ctypes.sizeof(State))
    fails(EKEY, ours, "read", NULL, 0, out=20)
    fails(EKEY, ours, "reseed", bytes(16), 16, NULL, 0)


def test_a_kind_with_too_little_room_gives_nothing():
    """No kind of the library fails in this way; here the cipher has another key length."""
    for flags, size in ((0, 16), (NO_DF, 32)):
        init_fails(EROOM, "cramped", flags, bytes(size), b"" if flags else bytes(8), b"")


@pytest.mark.parametrize("toolchain", ["gcc", "avr", "avr2560", "msp430", "cortex-m3", "s390x"])
def test_a_context_is_small(toolchain, tmp_path):
    size = {"gcc": 64, "s390x": 64, "cortex-m3": 60, "msp430": 56, "avr": 55, "avr2560": 55}[toolchain]
    (tmp_path / "size.c").write_text(
        f'#include "haechi.h"\ntypedef char fits[sizeof(haechi_drbg) == {size} ? 1 : -1];\nextern fits x;\n'
    )
    from toolchains import TOOLCHAINS

    native.run([*TOOLCHAINS[toolchain], f"-I{native.ROOT / 'src'}", "-c", tmp_path / "size.c", "-o", tmp_path / "o"])


# ---- Under sanitizers and valgrind, on a big-endian machine; and what is left on a host's stack.


def lives(kinds=FORWARD) -> tuple[str, int]:
    """Text for drbg_runner.c and the number of reads in it."""
    text, reads = [], 0
    hexed = lambda *inputs: " ".join(x.hex() or "-" for x in inputs)  # noqa: E731
    for cipher in kinds:
        for flags in FLAGS:
            inputs, calls = history(cipher, flags, Random(cipher), 3)
            text.append(f"init {cipher} {flags} {hexed(*inputs[2:])}")
            generator = Ours(*inputs)
            for name, *arguments in calls:
                out = getattr(generator, name)(*arguments)
                if name == "read":
                    reads += 1
                    arguments = [(arguments + [b""])[1], out]
                text.append(f"{name} {hexed(*arguments)}")
    return "\n".join(text) + "\n", reads


def execute(name, text, *more):
    flags, compiler, prefix = BUILDS[name]
    sources = [native.ROOT / "test/drbg/drbg_runner.c", *native.sources()]
    program = native.build("drbg_runner", sources, [*native.USUAL, *flags, *more, "-pthread"], compiler)
    return subprocess.run([*prefix, program], input=text, capture_output=True, text=True)


@pytest.mark.parametrize("name", parameters(["gcc-O2", "clang-O3", "asan-ubsan", "s390x", "valgrind", "valgrind-clang"]))
def test_build(name):
    text, reads = lives()
    done = execute(name, text)
    assert (done.returncode, done.stdout) == (0, f"{reads} ok\n"), done.stderr[-2000:]


@pytest.mark.parametrize("name", parameters(["gcc-O2", "gcc-O3-lto", "clang-O3"]))
def test_nothing_of_the_state_before_is_left_on_the_stack(name):
    text, reads = lives()
    done = execute(name, text, "-DRESIDUE")
    assert (done.returncode, done.stdout) == (0, f"{reads} ok\n"), done.stderr[-2000:]


@pytest.mark.full
@pytest.mark.parametrize(
    "name, flags, says",
    [
        ("valgrind", ["-DPLANT_BRANCH"], "uninitialised"),
        ("gcc-O2", ["-DRESIDUE", "-DPLANT_COPY"], "is left on the stack"),
    ],
)
def test_planted_fault_is_found(name, flags, says):
    done = execute(name, lives(["hight"])[0], *flags)
    assert done.returncode and says in done.stderr


# ---- The health test.

ETEST = -9


def health_answers(cipher):
    """The bytes that haechi_drbg_test must see, by the standard's text."""
    x, size = bytes(range(33)), KEY[cipher]
    a = Standard(cipher, 0, x[:size], x[: size // 2], b"")
    given = a.read(16)[:8] + a.read(16)[:8]
    a.reseed(x[1 : size + 1])
    given += a.read(16)[:8]
    a = Standard(cipher, 2, x[:size], x[: size // 2], b"")
    a.reseed(x[:size])
    return given + a.read(16)[:8]


@pytest.mark.parametrize("cipher", FORWARD)
def test_health(cipher):
    text = (native.ROOT / "src/drbg/drbg_test.c").read_text().partition("answers[7]")[2].partition("};")[0]
    rows = [bytes(int(x, 16) for x in re.findall("0x(..)", row)) for row in re.findall(r"\{([^{}]*0x[^{}]*)\}", text)]
    assert len(rows) == 7 and health_answers(cipher) in rows
    lib = library()
    assert lib.haechi_drbg_test(ctypes.c_void_p(constant(lib, f"drbg_{cipher}"))) == OK


def test_health_of_what_is_broken():
    """A kind without the constants of its derivation function still passes. A kind over another cipher, or with a wrong
    bit in a constant, does not."""
    lib = library()
    kind = (ctypes.c_uint8 * 32).from_buffer_copy(ctypes.string_at(constant(lib, "drbg_lea128"), 32))
    at_kind = ctypes.cast(kind, ctypes.c_void_p)
    assert lib.haechi_drbg_test(at_kind) == OK
    words = (ctypes.c_uint64 * 4).from_buffer(kind)
    constants = bytearray(ctypes.string_at(words[1], 64))
    constants[20] ^= 1
    right, wrong = words[1], (ctypes.c_uint8 * 64).from_buffer(constants)
    words[1] = ctypes.addressof(wrong)
    assert lib.haechi_drbg_test(at_kind) == ETEST
    words[1] = 0
    assert lib.haechi_drbg_test(at_kind) == OK
    words[0], words[1] = constant(lib, "lea128_inv"), right
    assert lib.haechi_drbg_test(at_kind) == ETEST
    assert lib.haechi_drbg_test(None) == EKEY


# ---- The generator of hosts.


def scene(name, *flags, compiler="gcc"):
    sources = [path for path in native.sources() if not re.search("aria|hight|/x86/|/neon/", str(path.relative_to(native.ROOT)))]
    sources += [native.ROOT / "test/host/random_runner.c", native.ROOT / "host/random.c"]
    flags = [*native.USUAL, *flags, f"-I{native.ROOT / 'host'}", "-DHAECHI_RANDOM_REQUESTS=4", "-pthread"]
    flags.append("-DHAECHI_LEA_KERNEL=lea_c")
    program = native.build("random_runner", sources, flags, compiler)
    done = subprocess.run([program, name], capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("a PID namespace, or a process with a number of one's choice, takes a right that only root has")
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("name", ["seeds", "splits", "odd_systems", "forks", "reseeds", "reseeds_all_threads"])
def test_random(name):
    scene(name)


@pytest.mark.parametrize("name", ["forks_differ", "threads"])
def test_random_from_the_system(name):
    scene(name, "-DHAECHI_NO_GETRANDOM")


def test_random_without_any_source():
    scene("odd_systems", "-DNO_URANDOM")


@pytest.mark.parametrize("name", ["namespaces", "namespaces_by_fork", "number_again"])
@pytest.mark.parametrize("flags", [[], ["-DHEEDLESS", "-DHAECHI_NO_GETRANDOM"]], ids=["wiped", "heedless"])
def test_a_copy_with_the_number_of_its_original_draws_other_bytes(name, flags):
    scene(name, *flags)


@pytest.mark.parametrize("flags", [[], ["-DNO_URANDOM"]], ids=["urandom", "nothing"])
def test_random_where_the_system_heeds_no_advice(flags):
    scene("heedless", "-DHEEDLESS", *flags)


@pytest.mark.parametrize("path", ["/dev/zero", "/etc/passwd"])
def test_what_is_not_urandom_is_no_source(path):
    scene("another_device", f'-DURANDOM="{path}"')  # no byte of that device goes into a seed


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"])
def test_random_under_sanitizers(sanitizer):
    flags = [f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"]
    for name in ("seeds", "splits", "odd_systems"):
        scene(name, *flags)
    scene("threads", "-DHAECHI_NO_GETRANDOM", *flags)


@pytest.mark.parametrize("compiler", [["gcc", "-std=c99"], [tool("clang"), "-std=c99"], ["gcc", "-std=c11"]], ids=" ".join)
def test_host_compiles_without_a_warning(compiler, tmp_path):
    for defines in ([], ["-DHAECHI_NO_GETRANDOM"]):
        flags = ["-O2", *native.WARNINGS, *defines, f"-I{native.ROOT / 'src'}", f"-I{native.ROOT / 'host'}"]
        native.run([*compiler, *flags, "-c", native.ROOT / "host/random.c", "-o", tmp_path / "random.o"])


# ---- On AVR in the simulator: with portable kernels, and with assembly that has its own counter mode.

AVR_KERNELS = ["hight_avr_ram", "lea_avr", "aria_avr_flash", "hight_c", "lea_c", "aria_c_table"]


@contextmanager
def avr(kernel: str, define: str = ""):
    """An ATmega128 with a kernel and the generator over it, compiled by -Os as firmware is."""
    target = load_targets()["avr"]
    flags = ["-Os" if f == "-O2" else f for f in target.flags] + [define] * bool(define)
    target = msgspec.structs.replace(target, flags=flags)
    card = next(card for card, k in kernels(target) if k == kernel)
    extra = [native.ROOT / f"src/drbg/{name}.c" for name in ("ctr_drbg", f"drbg_{card.cipher.lower()}")]
    with open_simulator(target, target.chip, build.elf(target, target.chip, card, kernel, extra)) as machine:
        yield machine


class OnAvr:
    """A generator in a machine's RAM. It keeps the cycles and the stack of the last call of each kind."""

    SIZE = 55

    def __init__(self, machine, cipher, flags, entropy, nonce=b"", person=b""):
        self.machine, self.state, self.calls = machine, bytes(self.SIZE), {}
        kind = machine.image.address("haechi_drbg_" + cipher)
        self.call("init", OK, 0, kind, flags, entropy, nonce, person)

    def call(self, name, wanted, size, *arguments):
        """Writes bytes to buffers of their own among noise."""
        layout = Layout(self.machine)
        d, out = layout.place(self.state, writable=True), layout.room(size)
        passed = [d] if name != "read" else [d, out, size]
        for x in arguments:
            passed += [layout.place(x, odd=True), len(x)] if isinstance(x, bytes) else [x]
        base, before = self.machine.memory()
        call = layout.call(self.machine.image.address("haechi_drbg_" + name), *passed)
        assert call.violations == [] and call.result == wanted, (name, call)
        # The stack is found by what was written, because SP is wrong while code sets it one byte after the other.
        after, end = self.machine.memory()[1], out + size - base
        deepest = next(i for i in range(end, len(after)) if before[i] != after[i])
        self.calls[name] = call.cycles, len(after) - deepest
        self.before, self.state = self.state, self.machine.read(d, self.SIZE)
        return self.machine.read(out, size)

    def reseed(self, entropy, add=b""):
        self.call("reseed", OK, 0, entropy, add)

    def read(self, size, add=b""):
        return self.call("read", OK, size, add)


def variant(cipher):
    return next(v for family in VARIANTS.values() for v in family if v.constant == cipher)


def ciphers_of(kernel):
    return [c for c in FORWARD if c.startswith(kernel.split("_")[0])]


@pytest.mark.full
@pytest.mark.parametrize("kernel", AVR_KERNELS)
def test_on_avr(kernel):
    published = [case for name in FILES if rsp.MORE for case in load(rsp.MORE / f"drbg/{name}.rsp")]
    known = [case for case in published if case[0] in ciphers_of(kernel)]
    with avr(kernel) as machine:
        for case in known[::20]:
            play(lambda *inputs: OnAvr(machine, *inputs), case)
        for cipher in ciphers_of(kernel):
            for flags in (0, NO_DF | PREDICTION_RESISTANCE):
                inputs, calls = history(cipher, flags, Random(cipher), 2)
                calls = [(name, *(min(x, 100) if isinstance(x, int) else x for x in more)) for name, *more in calls]
                agree(OnAvr(machine, *inputs), Standard(*inputs), calls)


@pytest.mark.full
def test_errors_on_avr():
    """size_t has 16 bits there: 65535 bytes are not too long for a request, but 32768 are too long for an input."""
    with avr("hight_avr_ram") as machine:
        ours = OnAvr(machine, "hight", PREDICTION_RESISTANCE, bytes(16), bytes(8))
        ours.call("read", ERESEED, 20, b"")
        ours.reseed(bytes(16))
        assert ours.call("read", ELIMIT, 1025, b"") == bytes(1025)
        assert ours.call("read", EUSE, 20, b"add") == bytes(20)
        assert len(ours.read(1024)) == 1024
        ours.call("reseed", ELEN, 0, bytes(15), b"")
        layout = Layout(machine)
        d, entropy = layout.place(ours.state, writable=True), layout.place(bytes(16))
        reseed = machine.image.address("haechi_drbg_reseed")
        for size, error in ((32768, ELIMIT), (65535, ELIMIT)):
            assert layout.call(reseed, d, entropy, size, 0, 0).result == error
            assert layout.call(reseed, d, entropy, 16, entropy, size).result == error


@pytest.mark.full
@pytest.mark.parametrize("kernel", AVR_KERNELS)
def test_nothing_of_the_state_before_is_left_in_ram(kernel):
    """Backtracking resistance: nowhere in the call's stack are four successive bytes of the old key and V, or of the
    round keys that this kernel makes of them."""
    with avr(kernel) as machine:
        for cipher in ciphers_of(kernel):
            random = Random(cipher)
            ours = OnAvr(machine, cipher, NO_DF, random.randbytes(SEED[cipher]))
            for add in (b"", random.randbytes(SEED[cipher])):
                ours.read(3 * BLOCK[cipher] + 5, add)
                secret = ours.before[2 : 2 + SEED[cipher]]
                memory = machine.memory()[1]
                secrets = secret, Drive(machine, kernel, variant(cipher), False).expand(secret[: KEY[cipher]])[0]
                windows = {x[i : i + 4] for x in secrets for i in range(len(x) - 3)}
                assert len(windows) > 8
                found = [w.hex() for w in windows if w in memory]
                assert not found, f"{cipher}: {found} of {secret.hex()}"


# Bytes of stack with the return address; cycles of an init and of a read of 1024 bytes.
AVR_BUDGET = {"hight_avr_ram": (340, 30_000, 185_000), "hight_c": (352, 85_000, 485_000)}


@pytest.mark.full
@pytest.mark.parametrize("kernel", AVR_BUDGET)
def test_cost_on_avr(kernel):
    """For HIGHT, which is for the machines with the least memory."""
    deepest, init, read = AVR_BUDGET[kernel]
    with avr(kernel) as machine:
        ours = OnAvr(machine, "hight", 0, bytes(16), bytes(8))
        ours.reseed(bytes(16), b"add")
        ours.read(1024)
        cost = dict(ours.calls)
        ours.read(1024, b"add")
    assert max(used for _, used in ours.calls.values()) <= deepest, (cost, ours.calls)
    assert cost["init"][0] <= init and cost["read"][0] <= read, cost
