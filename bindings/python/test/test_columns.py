# SPDX-License-Identifier: Apache-2.0 OR MIT
"""haechi.columns: whatever arrays hold the rows, each row is what the class makes of it, and a bad row touches no other."""

import gc
import os
import pickle
from random import Random

import haechi
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from haechi import columns
from haechi.columns import Keys, Verdict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CLASSES = [haechi.LEAGCM, haechi.LEACCM, haechi.LEAEAX, haechi.ARIAGCM, haechi.ARIACCM, haechi.ARIAEAX, haechi.HIGHTEAX]
BINARY = [pa.binary(), pa.large_binary(), pa.binary_view()]
IDS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64(), pa.string(), pa.large_string(), pa.binary(), pa.string_view()]


def arrow(draw, values: list, kind: pa.DataType):
    """These values as an array that is a slice of a longer one, or as chunks of such."""
    junk = values[:1] or [None]

    def part(some):
        before, after = draw(st.integers(0, 9)), draw(st.integers(0, 2))
        return pa.array(junk * before + some + junk * after, kind).slice(before, len(some))

    if draw(st.booleans()):
        return part(values)
    cuts = sorted({0, len(values), *draw(st.lists(st.integers(0, len(values)), max_size=3))})
    return pa.chunked_array([part(values[a:b]) for a, b in zip(cuts, cuts[1:], strict=False)], kind)


@st.composite
def tables(draw):
    """Keys and rows: (class, keys, ids of keys, rows of (id, nonce, aad, text) with nulls, Arrow types)."""
    cls = draw(st.sampled_from(CLASSES))
    random = draw(st.randoms(use_true_random=False))
    size = 16 if cls is haechi.HIGHTEAX else draw(st.sampled_from([16, 24, 32]))
    ids = draw(st.sampled_from(IDS))
    textual = pa.types.is_large_string(ids) or pa.types.is_string(ids) or pa.types.is_binary(ids) or ids == pa.string_view()
    n_keys = draw(st.integers(1, 5))
    names = random.sample(range(100), n_keys)
    if textual:
        names = [f"meter {n}" * (n % 3 + 1) for n in names]
        names = [n.encode() for n in names] if pa.types.is_binary(ids) else names
    keys = [random.randbytes(size) for _ in names]
    fixed = draw(st.sampled_from([None, 0, 1, 16, 33]))
    nonce = draw(st.sampled_from([7, 12, 13]))
    some = lambda value: None if draw(st.integers(0, 9)) == 0 else value  # noqa: E731
    rows = [
        (some(random.choice(names)), some(random.randbytes(nonce)), some(random.randbytes(random.randrange(9))),
         some(random.randbytes(random.choice([0, 1, 15, 16, 17, 40, 300]) if fixed is None else fixed)))
        for _ in range(draw(st.integers(0, 12)))
    ]  # fmt: skip
    kinds = {"ids": ids, "nonces": draw(st.sampled_from([*BINARY, pa.binary(nonce)])), "aad": draw(st.sampled_from(BINARY)),
             "texts": draw(st.sampled_from(BINARY)) if fixed is None else pa.binary(fixed)}  # fmt: skip
    if fixed == 0:
        kinds["texts"] = pa.binary()
    return cls, keys, names, rows, kinds


def listed(column) -> list:
    return column.to_pylist()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_rows_are_what_the_classes_make_of_them(data):
    """Sealed rows equal the class's; then some are damaged, and open gives every row its own verdict."""
    cls, keys, names, rows, kinds = data.draw(tables())
    by_name = dict(zip(names, keys, strict=True))
    table = Keys(cls, pa.array(keys, pa.binary()), pa.array(names, kinds["ids"]))
    given = {name: arrow(data.draw, [row[i] for row in rows], kinds[name]) for i, name in enumerate(("ids", "nonces", "aad", "texts"))}
    threads = data.draw(st.sampled_from([1, 2]))
    sealed, tags = columns.seal(table, **given, threads=threads)
    wanted = [None if None in row else cls(by_name[row[0]]).encrypt(row[1], row[3], row[2]) for row in rows]
    size = table.tag_length
    assert listed(sealed) == [None if w is None else w[:-size] for w in wanted]
    assert listed(tags) == [None if w is None else w[-size:] for w in wanted]
    if kinds["texts"] in (pa.binary(), pa.large_binary()) or pa.types.is_fixed_size_binary(kinds["texts"]):
        assert sealed.type == kinds["texts"]
    assert isinstance(sealed, pa.ChunkedArray) == any(isinstance(column, pa.ChunkedArray) for column in given.values())

    changed = [(list(row), w) for row, w in zip(rows, wanted, strict=True)]
    opened = []
    for row, w in changed:
        if w is None:
            opened.append((None, None))
            continue
        texts, tag = bytearray(w[:-size]), bytearray(w[-size:])
        what = data.draw(st.sampled_from(["", "", "", "tag", "text", "aad", "key"]))
        verdict = Verdict.FORGED
        if what == "tag":
            tag[data.draw(st.integers(0, size - 1))] ^= 1
        elif what == "text" and texts:
            texts[-1] ^= 0x80
        elif what == "aad":
            row[2] += b"?"
        elif what == "key":
            row[0] = 101 if isinstance(names[0], int) else names[0] + names[0][:1]  # none has this name
            verdict = Verdict.NO_KEY
        else:
            verdict = Verdict.AUTHENTIC
        opened.append((bytes(texts), bytes(tag)))
        row.append(verdict)
    again = {name: arrow(data.draw, [row[i] for row, _ in changed], kinds[name]) for i, name in enumerate(("ids", "nonces", "aad"))}
    again["texts"] = arrow(data.draw, [t for t, _ in opened], kinds["texts"])
    again["tags"] = arrow(data.draw, [t for _, t in opened], data.draw(st.sampled_from([*BINARY, pa.binary(size)])))
    texts, verdicts = columns.open(table, **again, threads=threads)
    assert listed(verdicts) == [None if w is None else row[-1] for row, w in changed]
    assert listed(texts) == [row[3] if w is not None and row[-1] == Verdict.AUTHENTIC else None for row, w in changed]
    texts.validate(full=True)


def meters(n: int, cls=haechi.LEAGCM, size: int = 32):
    random = Random(n)
    keys = np.frombuffer(random.randbytes(16 * 50), np.uint8).reshape(50, 16)
    ids = np.array([random.randrange(50) for _ in range(n)])
    nonces = np.frombuffer(random.randbytes(12 * n), np.uint8).reshape(n, 12)
    texts = np.frombuffer(random.randbytes(size * n), np.uint8).reshape(n, size)
    return Keys(cls, keys), keys, ids, nonces, texts


@pytest.mark.parametrize("threads", [1, 2, None])
def test_numpy(threads):
    """More rows than a thread takes at once; every 1000th is forged."""
    n = 40_000
    table, keys, ids, nonces, texts = meters(n)
    sealed, tags = columns.seal(table, ids, nonces, texts, b"aad", threads=threads)
    for i in (0, 1, 16383, 16384, n - 1):
        assert sealed[i].tobytes() + tags[i].tobytes() == haechi.LEAGCM(keys[ids[i]]).encrypt(nonces[i], texts[i], b"aad")
    tags[::1000] ^= 1
    got, verdicts = columns.open(table, ids, nonces, sealed, tags, b"aad", threads=threads)
    assert (np.nonzero(verdicts)[0] == np.arange(0, n, 1000)).all() and set(verdicts) == {0, Verdict.FORGED}
    authentic = verdicts == 0
    assert (got[authentic] == texts[authentic]).all() and not got[~authentic].any()


def test_numpy_values_of_fixed_length():
    table, _, ids, nonces, texts = meters(20)
    texts = texts.copy()
    texts[3, -2:] = 0  # dtype S drops these two zeros, dtype V keeps them
    for dtype in ("V32", "S32"):
        flat = texts.view(dtype).reshape(20)
        sealed, tags = columns.seal(table, ids.astype("uint8"), nonces.copy().view("S12").reshape(20), flat)
        assert sealed.dtype == "V32" and sealed.shape == (20,)
        opened = columns.open(table, ids, nonces, sealed, tags).texts
        assert opened.dtype == "V32" and opened.tobytes() == texts.tobytes()


def apart(array: np.ndarray, how: str) -> np.ndarray:
    """The same rows, but not one behind the other in memory."""
    if how == "columns of a record":
        record = np.full((len(array), 100), 0xEE, np.uint8)
        record[:, 5 : 5 + array.shape[1]] = array
        return record[:, 5 : 5 + array.shape[1]]
    if how == "every third":
        return np.repeat(array, 3, axis=0)[::3]
    return array[::-1].copy()[::-1]


@pytest.mark.parametrize("how", ["columns of a record", "every third", "backwards"])
def test_numpy_rows_apart(how):
    """Rows are taken where they are, whatever lies between them."""
    table, keys, ids, nonces, texts = meters(1000)
    wanted = columns.seal(table, ids, nonces, texts, b"aad")
    apart_ids = ids[::-1].copy()[::-1] if how == "backwards" else np.repeat(ids, 3)[::3]
    given = [apart(array, how) for array in (nonces, texts)]
    assert not any(array.flags.c_contiguous for array in (*given, apart_ids))
    sealed, tags = columns.seal(Keys(haechi.LEAGCM, apart(keys, how)), apart_ids, *given, b"aad", threads=2)
    assert (sealed == wanted.texts).all() and (tags == wanted.tags).all()
    texts_again, verdicts = columns.open(table, apart_ids, given[0], apart(sealed, how), apart(tags, how), b"aad", threads=2)
    assert (texts_again == texts).all() and not verdicts.any()


def test_fields_of_records():
    """The records of a device, as they were received."""
    table, _, ids, nonces, texts = meters(50)
    sealed, tags = columns.seal(table, ids, nonces, texts)
    records = np.zeros(50, [("meter", "<u4"), ("kind", "u1"), ("nonce", "V12"), ("text", "V32"), ("tag", "V16")])
    records["meter"], records["nonce"] = ids, nonces.copy().view("V12").reshape(50)
    records["text"], records["tag"] = sealed.view("V32").reshape(50), tags.view("V16").reshape(50)
    records["tag"][7] = bytes(16)
    got, verdicts = columns.open(table, *(records[name] for name in ("meter", "nonce", "text", "tag")))
    assert [i for i, v in enumerate(verdicts) if v] == [7] and verdicts[7] == Verdict.FORGED
    assert [got[i].tobytes() for i in (0, 7, 49)] == [texts[0].tobytes(), bytes(32), texts[49].tobytes()]


def test_one_nonce_for_rows_that_repeat_it():
    """A broadcast array has one value for all rows."""
    table, keys, ids, _, texts = meters(5)
    nonce = np.broadcast_to(np.arange(12, dtype=np.uint8), (5, 12))
    sealed, tags = columns.seal(table, np.arange(5), nonce, texts)
    assert [s.tobytes() + t.tobytes() for s, t in zip(sealed, tags, strict=True)] == [
        haechi.LEAGCM(keys[i]).encrypt(nonce[0].tobytes(), texts[i].tobytes()) for i in range(5)
    ]


def test_polars():
    table, _, ids, nonces, _ = meters(10)
    texts = pl.Series([b"text %d" % i * i for i in range(9)] + [None], dtype=pl.Binary)
    nonces = pl.Series([n.tobytes() for n in nonces])
    frame = pl.DataFrame({"id": pl.Series(ids), "nonce": nonces, "text": texts})
    sealed, tags = columns.seal(table, frame["id"], frame["nonce"], frame["text"])
    assert isinstance(sealed, pl.Series) and sealed[9] is None and tags[9] is None
    got, verdicts = columns.open(table, frame["id"], frame["nonce"], sealed, tags)
    assert got.to_list() == texts.to_list() and verdicts.to_list() == [0] * 9 + [None]


def test_any_other_library():
    """Objects that have no more than the Arrow C data interface."""

    class Only:
        def __init__(self, array):
            self.__arrow_c_array__ = array.__arrow_c_array__

    table, _, ids, nonces, texts = meters(5)
    given = [Only(pa.array(ids)), Only(pa.array([n.tobytes() for n in nonces])), Only(pa.array([t.tobytes() for t in texts]))]
    (sealed,), (tags,) = columns.seal(table, *given)
    assert isinstance(sealed, columns.Column) and len(sealed) == 5
    (got,), (verdicts,) = columns.open(table, *given[:2], sealed, tags)
    del sealed, tags, table
    gc.collect()
    assert pa.array(got).to_pylist() == [t.tobytes() for t in texts] and pa.array(verdicts).to_pylist() == [0] * 5


@pytest.mark.parametrize("method", ["__arrow_c_array__", "__arrow_c_stream__"])
def test_capsules_are_taken_once(method):
    """An object that returns the same capsules again would have the module read memory that was freed."""
    array = pa.array([b"k" * 16])
    made = getattr(array if method == "__arrow_c_array__" else pa.chunked_array([array]), method)()
    again = type("Again", (), {method: lambda self, requested_schema=None: made})()
    assert len(Keys(haechi.LEAGCM, again)) == 1
    with pytest.raises(ValueError, match="taken before"):
        Keys(haechi.LEAGCM, again)


def test_no_rows():
    table = Keys(haechi.LEAGCM, np.zeros((1, 16), np.uint8))
    empty = [pa.array([], t) for t in (pa.int32(), pa.binary(12), pa.binary())]
    assert columns.seal(table, *empty).texts.to_pylist() == []
    chunked = [pa.chunked_array([], t) for t in (pa.int32(), pa.binary(12), pa.binary())]
    texts, tags = columns.seal(table, *chunked)
    assert texts.to_pylist() == tags.to_pylist() == [] and texts.type == pa.binary()
    nothing = np.zeros((0, 12), np.uint8)
    assert columns.seal(table, np.zeros(0, int), nothing, nothing).tags.shape == (0, 16)


def test_lengths_of_a_row():
    """Opening, a row with a nonce or tag of another length is a bad row; sealing, it is a mistake."""
    table = Keys(haechi.LEACCM, pa.array([b"k" * 16, b"l" * 16]))
    aead = haechi.LEACCM(b"k" * 16)
    w = aead.encrypt(bytes(12), b"text")
    short = haechi.LEACCM(b"k" * 16, tag_length=4).encrypt(bytes(12), b"text")
    nonces = pa.array([bytes(12), bytes(6), bytes(12), bytes(12), b""])
    tags = pa.array([w[4:], w[4:], w[4:-1], short[4:], w[4:]])
    texts, verdicts = columns.open(table, pa.array([0] * 5), nonces, pa.array([w[:4]] * 5), tags)
    assert verdicts.to_pylist() == [0, Verdict.LENGTH, Verdict.LENGTH, Verdict.LENGTH, Verdict.LENGTH]
    assert texts.to_pylist() == [b"text", None, None, None, None]
    with pytest.raises(ValueError, match="row 1: the nonce has 6 bytes; CCM takes 7 to 13"):
        columns.seal(table, pa.array([0] * 5), nonces, pa.array([b"text"] * 5))
    long = pa.array([b"x", bytes(65536)])
    for call in (columns.seal, columns.open):
        more = (pa.array([bytes(16)] * 2),) if call is columns.open else ()
        with pytest.raises(ValueError, match="row 1: the data has 65536 bytes; CCM with a nonce of 13 bytes takes at most 65535"):
            call(table, pa.array([0, 1]), pa.array([bytes(13)] * 2), long, *more)
    with pytest.raises(ValueError, match="row 1: there is no key of this id"):
        columns.seal(table, pa.array([0, 2]), pa.array([bytes(12)] * 2), pa.array([b"x", b"y"]))
    texts, verdicts = columns.open(table, pa.array([2, -1, 0]), pa.array([bytes(12)] * 3), pa.array([w[:4]] * 3), pa.array([w[4:]] * 3))
    assert verdicts.to_pylist() == [Verdict.NO_KEY, Verdict.NO_KEY, 0]


NONCES, TEXTS = pa.array([bytes(12)] * 2), pa.array([b"x", b"y"])


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda t: columns.seal(t, pa.array([0]), NONCES, TEXTS), ValueError, "ids has 1 rows and texts has 2"),
        (lambda t: columns.seal(t, pa.array([0.5, 1]), NONCES, TEXTS), TypeError, "Arrow format 'g'"),
        (lambda t: columns.seal(t, pa.array(["a", "b"]), NONCES, TEXTS), TypeError, "ids holds bytes; the keys are named by integers"),
        (lambda t: columns.seal(t, pa.array([0, 1]), pa.array([1, 2]), TEXTS), TypeError, "nonces holds integers"),
        (lambda t: columns.seal(t, pa.array([0, 1]), NONCES.dictionary_encode(), TEXTS), TypeError, "dictionary"),
        (lambda t: columns.seal(t, [0, 1], NONCES, TEXTS), TypeError, "ids: "),
        (lambda t: columns.seal(t, np.zeros(2), NONCES, TEXTS), TypeError, "1 dimensions of 'd'"),
        (lambda t: columns.seal(t, np.zeros(2, ">i4"), NONCES, TEXTS), TypeError, "'>i'"),
        (lambda t: columns.seal(t, np.zeros(2, int), np.zeros((2, 12), np.uint16), TEXTS), TypeError, "2 dimensions of 'H'"),
        (lambda t: columns.seal(t, np.zeros(2, int), np.zeros((2, 0), np.uint8), TEXTS), ValueError, "the nonce has 0 bytes"),
        (lambda t: columns.seal(t, np.zeros(2, int), np.zeros((12, 2), np.uint8).T, TEXTS), TypeError, "nonces: the bytes of a value do not follow one another"),
        (lambda t: columns.seal(t, np.ma.masked_equal([0, 1], 1), NONCES, TEXTS), TypeError, "ids: numpy's masked arrays are not taken"),
        (lambda t: columns.seal(t, np.array(["a", "b"]), NONCES, TEXTS), TypeError, "ids: "),
        (lambda t: columns.seal(t, np.zeros(2, [("a", "u1"), ("b", "u4")]), NONCES, TEXTS), TypeError, "ids: "),
        (lambda t: columns.seal(t, pa.nulls(2), NONCES, TEXTS), TypeError, "Arrow format 'n'"),
        (lambda t: columns.seal(t, pa.table({"a": [0, 1]}), NONCES, TEXTS), TypeError, "Arrow format '\\+s'"),
        (lambda t: columns.open(t, pa.array([0, 1]), NONCES, TEXTS, pa.array([bytes(12)] * 2, pa.binary(12))), ValueError, "tag has 12 bytes; these keys have tag_length=16"),
        (lambda t: columns.open(t, pa.array([0, 1]), NONCES, TEXTS, None), TypeError, "tags is None"),
        (lambda t: columns.seal(t, pa.array([0, 1]), NONCES, None), TypeError, "texts is None"),
        (lambda t: columns.seal(t, pa.array([0, 1]), NONCES, TEXTS, threads=0), ValueError, "threads is 0; it must be 1 or more"),
        (lambda t: Keys(bytes, pa.array([bytes(16)])), TypeError, "it must be a class such as haechi.LEAGCM"),
        (lambda t: Keys.unwrapped(haechi.LEAGCM, pa.array([bytes(24)]), cipher="LEA", wrapping_key=None), TypeError, "NoneType"),
        (lambda t: columns.seal(b"key", pa.array([0, 1]), NONCES, TEXTS), TypeError, "it must be haechi.columns.Keys"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(16), bytes(24)])), ValueError, "key 1 has 24 bytes; all must have 16"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(15)])), ValueError, "the key has 15 bytes; LEA takes 16, 24 or 32"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(16), None])), ValueError, "key 1 is null"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([None, bytes(16)])), ValueError, "key 0 is null"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([], pa.binary(16))), ValueError, "there are 0 keys"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([1])), TypeError, "the keys are integers"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(16)] * 2), pa.array([5, 5])), ValueError, "the id of key 1 was there before"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(16)] * 2), pa.array(["a", None])), ValueError, "the id of key 1 is null"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(16)] * 2), pa.array([5])), ValueError, "there are 2 keys and 1 ids"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(16)]), pa.array([1 << 63], pa.uint64())), ValueError, "above 2\\^63 - 1"),
        (lambda t: Keys(haechi.LEAGCM, pa.array([bytes(16)]), tag_length=5), ValueError, "the tag has 5 bytes"),
    ],
)  # fmt: skip
def test_wrong_columns(call, error, says):
    with pytest.raises(error, match=says):
        call(Keys(haechi.LEAGCM, pa.array([bytes(16)] * 2)))


def test_a_large_unsigned_id_is_no_negative_one():
    table = Keys(haechi.LEAGCM, pa.array([bytes(16)]), pa.array([-1]))
    w = haechi.LEAGCM(bytes(16)).encrypt(bytes(12), b"x")
    columns_of = pa.array([bytes(12)]), pa.array([w[:1]]), pa.array([w[1:]])
    assert columns.open(table, pa.array([2**64 - 1], pa.uint64()), *columns_of).verdicts.to_pylist() == [Verdict.NO_KEY]
    assert columns.open(table, pa.array([-1], pa.int8()), *columns_of).verdicts.to_pylist() == [0]


@pytest.mark.parametrize("cipher", ["LEA", "ARIA"])
def test_wrapped_keys(cipher):
    raw, kek = [os.urandom(32) for _ in range(300)], os.urandom(24)
    ids = pa.array([f"meter {i}" for i in range(300)])
    table = Keys(haechi.ARIAGCM, pa.array(raw), ids)
    wrapped = pa.array(table.wrapped(cipher, kek))
    assert wrapped.to_pylist() == [haechi.key_wrap(cipher, kek, key) for key in raw]
    again = Keys.unwrapped(haechi.ARIAGCM, wrapped, ids, cipher=cipher, wrapping_key=kek)
    sealed, tags = columns.seal(again, ids, pa.array([bytes(12)] * 300), ids.cast(pa.binary()))
    assert columns.open(table, ids, pa.array([bytes(12)] * 300), sealed, tags).texts == ids.cast(pa.binary())
    damaged = wrapped.to_pylist()
    damaged[7] = damaged[8]
    Keys.unwrapped(haechi.ARIAGCM, pa.array(damaged), cipher=cipher, wrapping_key=kek)  # authentic, though moved
    damaged[7] = bytes(40)
    with pytest.raises(haechi.InvalidTag, match="key 7 is not authentic"):
        Keys.unwrapped(haechi.ARIAGCM, pa.array(damaged), cipher=cipher, wrapping_key=kek)
    with pytest.raises(ValueError, match="LEA and ARIA"):
        table.wrapped("HIGHT", bytes(16))
    with pytest.raises(TypeError):
        pickle.dumps(table)


def test_nothing_is_lost_or_leaked():
    """Arrow memory is given back, whichever side frees it last."""
    table, _, ids, nonces, _ = meters(1000)
    gc.collect()
    before = pa.total_allocated_bytes()
    for _ in range(3):
        given = [pa.array(ids), pa.array([n.tobytes() for n in nonces]), pa.chunked_array([[b"x" * i for i in range(500)]] * 2)]
        sealed, tags = columns.seal(table, *given)
        texts, verdicts = columns.open(table, *given[:2], sealed, tags)
        assert texts == given[2]
        with pytest.raises(TypeError):
            columns.seal(table, *given[:2], pa.chunked_array([[1.5] * 1000]))
        del given, sealed, tags, texts, verdicts
    gc.collect()
    assert pa.total_allocated_bytes() == before
