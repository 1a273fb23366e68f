# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example from node to lake: a fleet, the gateway and the lake together, as its command runs them."""

import os
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import frames
import pytest
from test_station import NODES, Station

import native
from bench.declared.model import load_targets
from bench.measured import python as door
from examples.telemetry import __main__ as example
from examples.telemetry.fleet.fleet import Fleet
from examples.telemetry.fleet.gateway import Carrier, Gateway, Verdict


# The keys are random, so that the byte may be 0 already.
ANOTHER_BYTE = "CASE substr(sealed, 13, 1) WHEN x'00' THEN x'01' ELSE x'00' END"


@pytest.fixture(scope="module")
def package() -> Path:
    """A folder with the package haechi."""
    return door.package(door.module(load_targets()["host"]))


def test_fleet(tmp_path, package):
    report, well = example.run(tmp_path, frames.programs(), package, nodes=12, rounds=4, seed=5)
    assert well, report


def test_what_a_fleet_must_not_do_is_noticed(tmp_path):
    """The comparison of the database with what was sent fails where a frame is gone, there twice, or not the node's."""
    fleet = Fleet(tmp_path, 3, seed=2)
    fleet.keys.write(frames.programs().haechi)
    gateway = Gateway(frames.programs(), fleet.keys, tmp_path / "gateway.sqlite")
    with gateway:
        carrier = Carrier(gateway)
        fleet.round(carrier, faults=False)
        carrier.close()
    assert fleet.check(gateway).wrong == []
    good = gateway.database.read_bytes()
    for change in (
        "INSERT INTO frame SELECT * FROM frame LIMIT 1", "DELETE FROM frame WHERE rowid = 1", "UPDATE frame SET supply = supply + 99 WHERE rowid = 2",
        "UPDATE node SET next = next + 1",
    ):  # fmt: skip
        gateway.database.write_bytes(good)
        changed(gateway.database, change)
        assert fleet.check(gateway).wrong, change


def changed(database: Path, statement: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement)


def test_the_lake_notices_a_changed_archive(tmp_path, package):
    """Frames stay sealed in the lake: who changes one there is found, and so is a reading that is not the frame's."""
    with Station(tmp_path) as station:
        for i in range(40):
            station.carry(station.frame(1 + i % NODES, i // NODES))
        station.gateway.stop()
        for change, found in (
            ("UPDATE frame SET sensor = 7 WHERE rowid = 1", "agree 39\ndiffer 1\nforged 0\n"),
            (f"UPDATE frame SET sealed = substr(sealed, 1, 12) || {ANOTHER_BYTE} || substr(sealed, 14) WHERE rowid = 2", "agree 38\ndiffer 1\nforged 1\n"),
        ):
            changed(station.gateway.database, change)
            assert example.lake(station.gateway.database, tmp_path / "lake", package=package) == "40 frames\n"
            assert example.lake("--check", station.keys.table, station.keys.key_file, tmp_path / "lake", package=package) == found


@pytest.mark.slow
def test_the_command():
    """In under two minutes, as its page says; here without a clock."""
    done = native.run([native.ROOT / ".venv/bin/python", "-m", "examples.telemetry"], cwd=native.ROOT)
    assert "WRONG" not in done.stdout and "0 differ, 0 are forged" in done.stdout


@pytest.mark.slow
def test_soak(tmp_path):
    """A million frames with everything at random: order, copies, changes, losses, kills. On loopback, for ten minutes at most."""
    chance, ends = random.Random(3), time.monotonic() + 600
    with Station(tmp_path, 200) as station:
        next_, sent, waiting, taken = Counter(), 0, {}, Counter()
        good: set[bytes] = set()
        while sent < 1_000_000 and time.monotonic() < ends:
            batch = []
            for _ in range(400):
                node = chance.randrange(1, 201)
                if chance.random() < 0.02 or not good:
                    frame = station.frame(node, next_[node])
                    next_[node] += 1
                    good.add(frame)
                    waiting[frame[: frames.NONCE]] = frame
                else:
                    frame = chance.choice([*waiting.values()]) if waiting and chance.random() < 0.2 else next(iter(good))
                kind = chance.random()
                if kind < 0.3:
                    changed = bytearray(frame)
                    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
                    frame = bytes(changed)
                elif kind < 0.4:
                    frame = os.urandom(chance.randrange(0, 60))
                batch.append(frame)
            chance.shuffle(batch)
            for frame in batch:
                station.carrier.send(frame)
            sent += len(batch)
            while found := station.carrier.answer(0.0):
                taken[found[0]] += 1
                if found[0] in (Verdict.ACCEPTED, Verdict.REPLAYED):
                    waiting.pop(found[1], None)
            if chance.random() < 0.002:
                station.gateway.stop(signal.SIGKILL)
                station.gateway.start()
        for frame in waiting.values():
            assert station.carry(frame) in (Verdict.ACCEPTED, Verdict.REPLAYED)
        stored = Counter(row[0] for row in station.rows("SELECT sealed FROM frame"))
        assert {*stored} <= good and {*stored.values()} == {1}
        assert {*taken} >= {Verdict.ACCEPTED, Verdict.REPLAYED, Verdict.FORGED, Verdict.UNKNOWN, Verdict.MALFORMED}


@pytest.mark.slow
def test_spark_gives_the_same_answer(tmp_path, package):
    if shutil.which("java") is None:
        pytest.skip("there is no Java (Debian package openjdk-17-jre-headless)")
    with Station(tmp_path) as station:
        for i in range(200):
            station.carry(station.frame(1 + i % NODES, i // NODES))
        station.gateway.stop()
        example.lake(station.gateway.database, tmp_path / "lake", package=package)
        python = door.environment(door.PINS, package)
        env = {**os.environ, "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
        words = [python, example.LAKE, "--check", station.keys.table, station.keys.key_file, tmp_path / "lake"]
        assert native.run(words, env=env).stdout == native.run([*words, "--spark"], env=env).stdout == "agree 200\ndiffer 0\nforged 0\n"
