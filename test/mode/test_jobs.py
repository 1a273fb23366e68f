# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many messages in one call: as one by one, whatever the lengths, keys and places; errors and forgeries stay in their job."""

import ctypes
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_int, c_size_t, c_uint64, c_void_p
from itertools import product
from random import Random

import pytest
from library import (BLOCK, EAUTH, EKEY, ELEN, ELIMIT, EUSE, FORWARD, GUARD, KEY_SIZE, OK, Aead, Key, Mode, at, cmac, constant, guarded, intact,
                     library)  # fmt: skip
from marks import LATER

SAMPLE = [pytest.param(c, marks=() if c in ("lea128", "lea192", "hight", "aria256") else LATER) for c in FORWARD]
SEALED = [(m, c) for m in ("gcm", "ccm", "eax") for c in FORWARD if BLOCK[c] == 16 or m == "eax"]


class Job(ctypes.Structure):
    """haechi_job, and members of a caller's own."""

    _fields_ = [
        *((name, c_void_p) for name in ("key", "aead", "nonce", "aad", "input", "out", "tag")),
        *((name, c_size_t) for name in ("noncelen", "aadlen", "len", "taglen")),
        ("result", c_int), ("own", c_uint64 * 3),
    ]  # fmt: skip


SIZE = Job.own.offset  # of a haechi_job


class Message:
    """What one job works on, in buffers with guards. `forged` is where a bit of the tag, nonce or text is changed."""

    def __init__(self, random: Random, mode: str, cipher: str, key: bytes, expanded: bool, length: int | None = None):
        lengths = [0, 1, 8, 15, 16, 17, 31, 33, 64, 100, 257, 1000]
        self.key, self.mode, self.cipher = key, mode, cipher
        self.raw = ctypes.create_string_buffer(key, len(key))
        self.aead = Aead(mode, cipher, key) if expanded else None
        self.nonce = random.randbytes({"gcm": random.choice([12, 12, 1, 16, 30]), "ccm": random.randrange(7, 14)}.get(mode, random.randrange(1, 40)))
        self.aad = random.randbytes(random.choice([0, 0, 1, 13, 16, 40]))
        self.text = random.randbytes(random.choice(lengths) if length is None else length)
        self.taglen = random.choice({"gcm": [4, 8, 12, 16], "ccm": [4, 6, 10, 16]}.get(mode, [4, 5, 8]))
        self.apart = random.random() < 0.5
        self.sealed, self.tag = Aead(mode, cipher, key).seal(self.nonce, self.aad, self.text, self.taglen)

    def job(self, opens: bool, key_at: int | None = None) -> Job:
        """A job of this message; key_at is the address of a raw key that several jobs share."""
        given = self.sealed if opens else self.text
        self.out, self.tag_out = guarded(len(given)), guarded(self.taglen)
        ctypes.memset(at(self.out), 0x5C, len(given))
        self.given = ctypes.create_string_buffer(given, len(given))
        if not self.apart:
            ctypes.memmove(at(self.out), given, len(given))
        if opens:
            ctypes.memmove(at(self.tag_out), self.tag, self.taglen)
        self.names = [ctypes.create_string_buffer(x, len(x)) for x in (self.nonce, self.aad)]
        address = ctypes.addressof
        return Job(
            None if self.aead else key_at or address(self.raw), address(self.aead.room) if self.aead else None,
            address(self.names[0]), address(self.names[1]) if self.aad else None,
            address(self.given) if self.apart else at(self.out), at(self.out), at(self.tag_out),
            len(self.nonce), len(self.aad), len(given), self.taglen, 77, (1, 2, 3),
        )  # fmt: skip

    def done(self, job: Job, opens: bool) -> bool:
        """Whether the job has its result, and nothing but its output was written."""
        wanted = (self.text, self.tag) if opens else (self.sealed, self.tag)
        return job.result == OK and self.holds(*wanted)

    def failed(self, job: Job, opens: bool, error: int) -> bool:
        return job.result == error and self.holds(bytes(len(self.text)), self.tag_given if opens else bytes(self.taglen))

    def holds(self, out: bytes, tag: bytes) -> bool:
        found = bytes(self.out)[GUARD : GUARD + len(out)], bytes(self.tag_out)[GUARD : GUARD + len(tag)]
        return found == (out, tag) and intact(self.out, 0, len(out)) and intact(self.tag_out, 0, len(tag))

    @property
    def tag_given(self) -> bytes:
        return bytes(self.tag_out)[GUARD : GUARD + self.taglen]


def call(opens: bool, mode: str | None, cipher: str | None, jobs, size: int = ctypes.sizeof(Job)) -> int:
    function = library().haechi_open_jobs if opens else library().haechi_seal_jobs
    return function(mode and constant(mode), cipher and constant(cipher), ctypes.byref(jobs), size, len(jobs))


def messages(seed, mode: str, cipher: str, n: int, length: int | None = None) -> list[Message]:
    """Some with raw keys, some with expanded ones; keys repeat."""
    random = Random(f"{seed} {mode} {cipher}")
    keys = [random.randbytes(KEY_SIZE[cipher]) for _ in range(max(1, n // 2))]
    return [Message(random, mode, cipher, random.choice(keys), random.random() < 0.3, length) for _ in range(n)]


@pytest.mark.parametrize("opens", [False, True])
@pytest.mark.parametrize("mode, cipher", SEALED)
def test_as_one_by_one(mode, cipher, opens):
    for n in (1, 2, 3, 7, 40):
        made = messages(n, mode, cipher, n)
        jobs = (Job * n)(*(m.job(opens) for m in made))
        assert call(opens, mode, cipher, jobs) == OK
        assert all(m.done(job, opens) and list(job.own) == [1, 2, 3] for m, job in zip(made, jobs, strict=True))


@pytest.mark.parametrize("opens", [False, True])
def test_shared_keys_in_any_order(opens):
    """Jobs point to few raw keys, in runs and in turns."""
    random = Random(5)
    keys = [ctypes.create_string_buffer(random.randbytes(16), 16) for _ in range(3)]
    for order in ([0, 0, 0, 1, 1, 0, 2, 2, 0], [0, 1, 2] * 4):
        made = [Message(random, "gcm", "lea128", keys[i].raw, random.random() < 0.2) for i in order]
        jobs = (Job * len(order))(*(m.job(opens, ctypes.addressof(keys[i])) for m, i in zip(made, order, strict=True)))
        assert call(opens, "gcm", "lea128", jobs) == OK
        assert all(m.done(job, opens) for m, job in zip(made, jobs, strict=True))


@pytest.mark.parametrize("mode, cipher", SEALED)
def test_a_forgery_touches_no_other_job(mode, cipher):
    """Each job in turn has a wrong bit in its tag, text, nonce or aad, or another key."""
    made = messages(1, mode, cipher, 5, length=33)
    for which, what in product(range(5), ("tag", "input", "nonce", "aad", "key")):
        m = made[which]
        jobs = (Job * 5)(*(m.job(True) for m in made))
        if what == "aad" and not m.aad or what == "key" and m.aead:
            continue
        if what == "key":
            other = ctypes.create_string_buffer(bytes(b ^ 1 for b in m.key), len(m.key))
            jobs[which].key = ctypes.addressof(other)
        else:
            byte = ctypes.c_uint8.from_address(getattr(jobs[which], what))
            byte.value ^= 0x40
        assert call(True, mode, cipher, jobs) == EAUTH
        assert m.failed(jobs[which], True, EAUTH)
        assert all(n.done(job, True) for n, job in zip(made, jobs, strict=True) if n is not m)


# ---- Errors.


def null(job):
    job.key = job.aead = None


def both(job):
    job.aead = ctypes.addressof(OTHERS["gcm", "lea128"].room)
    job.key = ctypes.addressof(RAW)


def expanded_for(mode, cipher):
    def change(job):
        job.key, job.aead = None, ctypes.addressof(OTHERS[mode, cipher].room)

    return change


def failed_key(job):
    job.key, job.aead = None, ctypes.addressof(FAILED)


def of(**members):
    def change(job):
        for name, value in members.items():
            setattr(job, name, value)

    return change


RAW = ctypes.create_string_buffer(bytes(32), 32)
FAILED = ctypes.create_string_buffer(2000)
OTHERS = {(m, c): Aead(m, c, bytes(KEY_SIZE[c])) for m, c in [("gcm", "lea128"), ("eax", "lea128"), ("gcm", "lea256"), ("gcm", "aria128"), ("eax", "hight")]}
WRONG = {
    "no key": (null, EKEY), "both keys": (both, EUSE), "another mode": (expanded_for("eax", "lea128"), EUSE),
    "another size": (expanded_for("gcm", "lea256"), EUSE), "another cipher": (expanded_for("gcm", "aria128"), EUSE),
    "another block": (expanded_for("eax", "hight"), EUSE), "a key that failed": (failed_key, EKEY),
    "no nonce": (of(nonce=None, noncelen=0), ELEN), "nonce NULL": (of(nonce=None), EUSE), "aad NULL": (of(aad=None, aadlen=3), EUSE),
    "in NULL": (of(input=None), EUSE), "tag of 3 bytes": (of(taglen=3), ELEN), "tag of 0 bytes": (of(taglen=0), ELEN),
}  # fmt: skip


@pytest.mark.parametrize("opens", [False, True])
@pytest.mark.parametrize("name", WRONG)
def test_an_error_touches_no_other_job(name, opens):
    change, error = WRONG[name]
    made = messages(2, "gcm", "lea128", 4, length=20)
    for which in range(4):
        jobs = (Job * 4)(*(m.job(opens) for m in made))
        change(jobs[which])
        taglen = jobs[which].taglen
        assert call(opens, "gcm", "lea128", jobs) == error and jobs[which].result == error
        m = made[which]
        assert bytes(m.out)[GUARD:-GUARD] == bytes(20) and intact(m.out, 0, 20)
        assert opens or bytes(m.tag_out)[GUARD : GUARD + taglen] == bytes(taglen)
        assert all(n.done(job, opens) for n, job in zip(made, jobs, strict=True) if n is not m)


def test_the_first_error_is_the_answer():
    made = messages(3, "gcm", "lea128", 4, length=20)
    jobs = (Job * 4)(*(m.job(True) for m in made))
    jobs[1].taglen, jobs[2].nonce, jobs[3].key, jobs[3].aead = 3, None, None, None
    assert call(True, "gcm", "lea128", jobs) == ELEN
    assert [job.result for job in jobs] == [OK, ELEN, EUSE, EKEY] and made[0].done(jobs[0], True)


def test_a_limit():
    """CCM with a nonce of 13 bytes has messages of at most 65535 bytes."""
    m = messages(4, "ccm", "aria128", 1, length=65536 - 1)[0]
    long = ctypes.create_string_buffer(b"x" * 65536, 65536)
    job = (Job * 1)(m.job(False))
    job[0].noncelen, job[0].nonce = 13, ctypes.addressof(long)
    job[0].input = job[0].out = ctypes.addressof(long)
    job[0].len = 65536
    assert call(False, "ccm", "aria128", job) == ELIMIT == job[0].result
    assert long.raw == bytes(65536)


@pytest.mark.parametrize("opens", [False, True])
@pytest.mark.parametrize(
    "mode, cipher, error",
    [(None, "lea128", EUSE), ("gcm", None, EKEY), ("gcm", "lea128_inv", EUSE), ("gcm", "hight", EUSE), ("ccm", "hight", EUSE)],
)
def test_a_wrong_mode_or_cipher_fails_every_job(mode, cipher, error, opens):
    made = messages(5, "gcm", "lea128", 6, length=20)
    jobs = (Job * 6)(*(m.job(opens) for m in made))
    assert call(opens, mode, cipher, jobs) != OK
    for m, job in zip(made, jobs, strict=True):
        assert m.failed(job, opens, EUSE if m.aead else error)


@pytest.mark.parametrize("opens", [False, True])
def test_calls_that_write_nothing(opens):
    made = messages(6, "gcm", "lea128", 2)
    jobs = (Job * 2)(*(m.job(opens) for m in made))
    before = bytes(jobs), [bytes(m.out) + bytes(m.tag_out) for m in made]
    assert call(opens, "gcm", "lea128", jobs, SIZE - 1) == EUSE
    assert call(opens, "gcm", "lea128", jobs, 0) == EUSE
    function = library().haechi_open_jobs if opens else library().haechi_seal_jobs
    assert function(constant("gcm"), constant("lea128"), None, SIZE, 2) == EUSE
    assert function(constant("gcm"), constant("lea128"), ctypes.byref(jobs), SIZE, 0) == OK
    assert function(constant("gcm"), constant("lea128"), None, 0, 0) == OK
    assert (bytes(jobs), [bytes(m.out) + bytes(m.tag_out) for m in made]) == before


def test_jobs_without_more_members():
    made = messages(7, "gcm", "lea128", 3)
    raw = b"".join(bytes(m.job(True))[:SIZE] for m in made)
    packed = ctypes.create_string_buffer(raw, len(raw))
    assert library().haechi_open_jobs(constant("gcm"), constant("lea128"), packed, SIZE, 3) == OK
    assert all(m.holds(m.text, m.tag) for m in made)


def test_threads_share_keys():
    """Threads with jobs of their own point to the same raw and expanded keys."""
    made = messages(8, "gcm", "aria128", 200)
    for m in made[1:]:
        m.aead = m.aead and next(n.aead for n in made if n.key == m.key and n.aead)
    shared = {m.key: m.raw for m in made}

    def work(part):
        for opens in (False, True) * 5:
            jobs = (Job * len(part))(*(m.job(opens, ctypes.addressof(shared[m.key])) for m in part))
            assert call(opens, "gcm", "aria128", jobs) == OK
            assert all(m.done(job, opens) for m, job in zip(part, jobs, strict=True))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [made[i::4] for i in range(4)]))


# ---- Lanes: as many jobs as fill them, and those that do not go there.


@pytest.mark.parametrize("opens", [False, True])
@pytest.mark.parametrize("mode, cipher", [pytest.param(m, c, marks=LATER if c in ("lea256", "aria192") else ()) for m, c in SEALED])
def test_lanes(mode, cipher, opens):
    """More jobs than a window has, of all lengths up to some blocks and some longer ones, each with a raw key of its own;
    every seventh is forged or in error, and the others do not notice."""
    random = Random(f"lanes {mode} {cipher} {opens}")
    lengths = [*range(161), *(random.randrange(161, 2600) for _ in range(40)), *[16] * 100]
    random.shuffle(lengths)
    made = [Message(random, mode, cipher, random.randbytes(KEY_SIZE[cipher]), False, length) for length in lengths]
    jobs = (Job * len(made))(*(m.job(opens) for m in made))
    wanted = [OK] * len(made)
    for i in range(0, len(made), 7):
        if i % 2:
            jobs[i].taglen, wanted[i] = 17, ELEN
        elif opens:
            ctypes.c_uint8.from_address(jobs[i].tag).value ^= 1
            wanted[i] = EAUTH
    assert call(opens, mode, cipher, jobs) == next((w for w in wanted if w), OK)
    for m, job, error in zip(made, jobs, wanted, strict=True):
        assert job.result == error
        if error == OK:
            assert m.done(job, opens)
        else:
            assert bytes(m.out)[GUARD : GUARD + len(m.text)] == bytes(len(m.text)) and intact(m.out, 0, len(m.text))


@pytest.mark.parametrize("cipher", SAMPLE)
def test_a_counter_that_carries_in_a_lane(cipher):
    """EAX makes a counter block of any value; in counter mode the caller gives it."""
    random = Random(cipher)
    block = BLOCK[cipher]
    for ones in range(block + 1):
        counters = [random.randbytes(block - ones) + b"\xff" * ones for _ in range(64)]
        check_ctr(random, cipher, [(random.randbytes(KEY_SIZE[cipher]), c, random.randbytes(3 * block + 1)) for c in counters])


class CtrJob(ctypes.Structure):
    _fields_ = [*((name, c_void_p) for name in ("key", "expanded", "counter", "input", "out")), ("len", c_size_t), ("result", c_int),
                ("own", c_uint64)]  # fmt: skip


class CmacJob(ctypes.Structure):
    _fields_ = [*((name, c_void_p) for name in ("key", "expanded", "input", "tag")), *((name, c_size_t) for name in ("len", "taglen")),
                ("result", c_int), ("own", c_uint64)]  # fmt: skip


def call_typed(function: str, cipher: str | None, jobs) -> int:
    return getattr(library(), function)(cipher and constant(cipher), ctypes.byref(jobs), ctypes.sizeof(jobs._type_), len(jobs))


def room(data: bytes) -> ctypes.Array:
    return ctypes.create_string_buffer(data, len(data))


def check_ctr(random: Random, cipher: str, messages: list[tuple[bytes, bytes, bytes]]) -> None:
    """Of each three jobs one has an expanded key, and one works in place."""
    kept, jobs = [], (CtrJob * len(messages))()
    for i, (job, (key, counter, text)) in enumerate(zip(jobs, messages, strict=True)):
        given, out = room(text), guarded(len(text))
        ctypes.memmove(at(out), text, len(text))
        keys = [room(key), Key(cipher, key), room(counter)]
        job.key, job.expanded = (None, ctypes.addressof(keys[1].room)) if i % 3 == 1 else (ctypes.addressof(keys[0]), None)
        job.counter, job.input, job.out = ctypes.addressof(keys[2]), at(out) if i % 3 == 2 else ctypes.addressof(given), at(out)
        job.len, job.result = len(text), 77
        kept.append((keys, given, out))
    assert call_typed("haechi_ctr_jobs", cipher, jobs) == OK
    for job, (key, counter, text), (_, _, out) in zip(jobs, messages, kept, strict=True):
        wanted = Mode(cipher, "ctr", key, counter).crypt(text)
        assert job.result == OK and bytes(out)[GUARD : GUARD + len(text)] == wanted and intact(out, 0, len(text))


@pytest.mark.parametrize("cipher", SAMPLE)
def test_ctr(cipher):
    random = Random(cipher)
    for lengths in ([5], [0, 1, 16], range(0, 600), [16] * 300, range(2000, 2600, 9), *([size] * n for size in (33, 130) for n in range(4, 96, 5))):
        check_ctr(random, cipher, [(random.randbytes(KEY_SIZE[cipher]), random.randbytes(BLOCK[cipher]), random.randbytes(n)) for n in lengths])


@pytest.mark.parametrize("cipher", SAMPLE)
def test_cmac(cipher):
    random = Random(cipher)
    for lengths in ([5], [0, 1, 16], range(0, 600), [16] * 300, range(2000, 2600, 9)):
        kept, jobs = [], (CmacJob * len(lengths))()
        for i, (job, length) in enumerate(zip(jobs, lengths, strict=True)):
            key, text, size = random.randbytes(KEY_SIZE[cipher]), random.randbytes(length), random.randrange(1, BLOCK[cipher] + 1)
            keys, given, tag = (room(key), Key(cipher, key)), room(text), guarded(size)
            job.key, job.expanded = (None, ctypes.addressof(keys[1].room)) if i % 3 == 1 else (ctypes.addressof(keys[0]), None)
            job.input, job.tag, job.len, job.taglen, job.result = ctypes.addressof(given), at(tag), length, size, 77
            kept.append((keys, given, tag, cmac(cipher, key, text, size)))
        assert call_typed("haechi_cmac_jobs", cipher, jobs) == OK
        for job, (_, _, tag, wanted) in zip(jobs, kept, strict=True):
            assert job.result == OK and bytes(tag)[GUARD : GUARD + job.taglen] == wanted and intact(tag, 0, job.taglen)


@pytest.mark.parametrize("n", [1, 70])
def test_errors_of_typed_calls(n):
    """One job of n is in error, and its output is zeroed."""
    key, other = room(bytes(16)), Key("aria128", bytes(16))
    null = {"counter": (CtrJob, EUSE), "input": (CtrJob, EUSE), "out": (CtrJob, EUSE), "tag": (CmacJob, EUSE)}
    cases = [(job, {name: None}, error) for name, (job, error) in null.items()]
    for job in (CtrJob, CmacJob):
        cases += [(job, {"key": None}, EKEY), (job, {"expanded": ctypes.addressof(other.room)}, EUSE),
                  (job, {"key": None, "expanded": ctypes.addressof(other.room)}, EUSE),
                  (job, {"key": None, "expanded": ctypes.addressof(FAILED)}, EKEY)]  # fmt: skip
    cases += [(CmacJob, {"taglen": 0}, ELEN), (CmacJob, {"taglen": 17}, ELEN)]
    for kind, members, error in cases:
        jobs, kept = (kind * n)(), []
        for job in jobs:
            text, out = room(b"x" * 20), room(b"y" * 20)
            job.key, job.input, job.len = ctypes.addressof(key), ctypes.addressof(text), 20
            if kind is CtrJob:
                job.counter, job.out = ctypes.addressof(FAILED), ctypes.addressof(out)
            else:
                job.tag, job.taglen = ctypes.addressof(out), 16
            kept.append((text, out))
        for name, value in members.items():
            setattr(jobs[n // 2], name, value)
        function = "haechi_ctr_jobs" if kind is CtrJob else "haechi_cmac_jobs"
        assert call_typed(function, "lea128", jobs) == error, (kind, members)
        assert [job.result for job in jobs] == [error if i == n // 2 else OK for i in range(n)]
        wiped = 20 if kind is CtrJob else members.get("taglen", 16)
        if not {"out", "tag"} & members.keys():
            assert kept[n // 2][1].raw == bytes(wiped) + b"y" * (20 - wiped)
        for cipher, answer in ((None, EKEY), ("lea128_inv", EUSE)):
            assert call_typed(function, cipher, jobs) in (answer, error)
        assert call_typed(function, "lea128", (kind * 0)()) == OK
        assert getattr(library(), function)(constant("lea128"), None, 200, 1) == EUSE
        assert getattr(library(), function)(constant("lea128"), ctypes.byref(jobs), ctypes.sizeof(kind) - 16, 1) == EUSE
