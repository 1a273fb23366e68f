# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The gateway: what it accepts, once and for all, and what it refuses; also when it is killed, and when the disk is full."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import frames
import pytest

from examples.telemetry.fleet.gateway import Carrier, Gateway, Keys, Verdict

NODES = 8


class Station:
    """A gateway with its table of keys and a carrier; a context manager."""

    def __init__(self, folder: Path, count: int = NODES, **how):
        self.keys = frames.keys(folder, count)
        self.gateway = Gateway(frames.programs(), self.keys, folder / "gateway.sqlite", **how)
        self.carrier = Carrier(self.gateway)

    def __enter__(self) -> "Station":
        self.gateway.start()
        return self

    def __exit__(self, *exception) -> None:
        self.gateway.stop(signal.SIGKILL)
        self.carrier.close()

    def frame(self, node: int, counter: int, flags: int = 0, heard: int = 0, key: bytes | None = None) -> bytes:
        cipher, own, _ = self.keys.nodes[node]
        return frames.sealed(cipher, key or own, frames.READING, node, counter, frames.reading(counter % 1000, heard=heard), flags)

    def carry(self, frame: bytes) -> Verdict:
        return self.carrier.carry(frame)[0]

    def rows(self, query: str) -> list[tuple]:
        connection = sqlite3.connect(self.gateway.database)
        found = connection.execute(query).fetchall()
        connection.close()
        return found


def test_verdicts(tmp_path):
    with Station(tmp_path, metrics=tmp_path / "metrics") as station:
        for node in (1, 2):
            good = station.frame(node, 0, frames.RESTARTED)
            for size in [*range(len(good)), *range(len(good) + 1, 60)]:
                assert station.carry((good * 3)[:size]) == Verdict.MALFORMED, size
            for bit in range(0, 8 * len(good), 1 if node == 1 else 7):
                changed = bytearray(good)
                changed[bit // 8] ^= 1 << bit % 8
                wanted = Verdict.MALFORMED if bit < 8 else Verdict.UNKNOWN if bit < 40 else Verdict.FORGED
                assert station.carry(bytes(changed)) in ({wanted, Verdict.FORGED} if bit < 40 else {wanted}), bit
            assert station.rows("SELECT * FROM frame WHERE node = " + str(node)) == []
            assert station.carry(good) == Verdict.ACCEPTED
            assert station.carry(good) == Verdict.REPLAYED
        other = frames.sealed("LEA-128 CCM", bytes(16), frames.READING, 999, 0, frames.reading())
        assert station.carry(other) == Verdict.UNKNOWN
        assert station.gateway.stop() == 0
        assert station.rows("SELECT node, counter, sensor, supply, interval, heard FROM frame") == [(1, 0, 0, 3000, 60, 0), (2, 0, 0, 3000, 60, 0)]
        text = (tmp_path / "metrics").read_text()
        counts = {name: int(value) for name, value in re.findall(r"^(\S+) (\d+)$", text, re.M)}
        assert counts['telemetry_frames_total{verdict="accepted"}'] == 2 == counts["telemetry_nodes_heard"]
        assert counts['telemetry_frames_total{verdict="replayed"}'] == 2
        for name in {name.split("{")[0] for name in counts}:
            assert f"# HELP {name} " in text and re.search(rf"^# TYPE {name} (counter|gauge)$", text, re.M)


def test_order_of_frames(tmp_path):
    """Frames may overtake each other by 63 counters; older ones are refused, for nobody knows whether they came."""
    with Station(tmp_path) as station:
        taken = [(100, Verdict.ACCEPTED), (50, Verdict.ACCEPTED), (99, Verdict.ACCEPTED), (37, Verdict.ACCEPTED), (36, Verdict.REPLAYED),
                 (50, Verdict.REPLAYED), (101, Verdict.ACCEPTED), (37, Verdict.REPLAYED), (38, Verdict.ACCEPTED), (500, Verdict.ACCEPTED),
                 (100, Verdict.REPLAYED), (437, Verdict.ACCEPTED), (436, Verdict.REPLAYED), ((1 << 32) - 2, Verdict.ACCEPTED),
                 ((1 << 32) - 65, Verdict.ACCEPTED), ((1 << 32) - 66, Verdict.REPLAYED), ((1 << 32) - 2, Verdict.REPLAYED)]  # fmt: skip
        for counter, verdict in taken:
            assert station.carry(station.frame(3, counter)) == verdict, counter
        (missing, next_), = station.rows("SELECT missing, next FROM node WHERE number = 3")
        assert missing == next_ - sum(verdict == Verdict.ACCEPTED for _, verdict in taken)
        station.carry(station.frame(4, 7, frames.RESTARTED))
        assert station.rows("SELECT restarts, missing, skipped FROM node WHERE number = 4") == [(1, 0, 7)]


def test_a_frame_that_comes_many_times_at_once(tmp_path):
    with Station(tmp_path) as station:
        frame = station.frame(1, 5)
        for _ in range(300):
            station.carrier.send(frame)
        answers = Counter()
        while found := station.carrier.answer(1.0):
            answers[found[0]] += 1
        assert answers == {Verdict.ACCEPTED: 1, Verdict.REPLAYED: 299}
        assert station.rows("SELECT count(*) FROM frame") == [(1,)]


def test_floods_of_one_node_touch_no_other(tmp_path):
    with Station(tmp_path, rate=5) as station:
        answers = Counter(station.carry(station.frame(1, counter)) for counter in range(40))
        assert answers[Verdict.ACCEPTED] <= 15 and answers[Verdict.FLOODED] == 40 - answers[Verdict.ACCEPTED] > 0
        assert station.carry(station.frame(2, 0)) == Verdict.ACCEPTED
        time.sleep(1.1)
        assert station.carry(station.frame(1, 39)) == Verdict.ACCEPTED


def deliver(station: Station, wanted: list[bytes], answered: threading.Semaphore) -> None:
    """Sends frames, up to 64 without an answer, until the gateway has answered for all; releases `answered` once for each."""
    waiting, queue = {}, list(reversed(wanted))
    while queue or waiting:
        while queue and len(waiting) < 64:
            frame = queue.pop()
            waiting[frame[: frames.NONCE]] = frame
            station.carrier.send(frame)
        found = station.carrier.answer(0.2)
        if found is None:
            for frame in waiting.values():
                station.carrier.send(frame)
        elif found[0] in (Verdict.ACCEPTED, Verdict.REPLAYED):
            if waiting.pop(found[1], None):
                answered.release()
        elif found[0] == Verdict.NOT_STORED and found[1] in waiting:
            time.sleep(0.01)
            station.carrier.send(waiting[found[1]])


@pytest.mark.parametrize("kills", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_killed_at_any_time(tmp_path, kills):
    """No accepted frame is lost and none is there twice, however often the process is killed; and replays stay refused.

    A kill waits for a number of answers, not for a time, so that a fast gateway is not done before it was killed.
    """
    chance = random.Random(1)
    with Station(tmp_path) as station:
        wanted = [station.frame(1 + i % NODES, i // NODES) for i in range(250 * kills)]
        answered = threading.Semaphore(0)
        sender = threading.Thread(target=deliver, args=(station, wanted, answered), daemon=True)
        sender.start()
        for _ in range(kills):
            for _ in range(chance.randrange(1, 250)):
                assert answered.acquire(timeout=60)
            station.gateway.stop(signal.SIGKILL)
            station.gateway.start()
        sender.join(timeout=60)
        assert not sender.is_alive()
        stored = Counter(station.rows("SELECT sealed FROM frame"))
        assert stored == Counter((frame,) for frame in wanted)
        station.gateway.stop(signal.SIGKILL)
        station.gateway.start()
        assert {station.carry(frame) for frame in wanted[-60:]} == {Verdict.REPLAYED}


def test_full_disk(tmp_path):
    """While nothing can be stored, nothing is accepted; afterwards everything can come again."""
    limit = ["bash", "-c", "trap '' XFSZ; ulimit -f 160; exec \"$@\"", "-"]  # blocks of 1024 bytes
    with Station(tmp_path, wrapper=limit) as station:
        wanted = [station.frame(1 + i % NODES, i // NODES) for i in range(1200)]
        verdicts = [station.carry(frame) for frame in wanted]
        assert {*verdicts} == {Verdict.ACCEPTED, Verdict.NOT_STORED} and verdicts[-1] == Verdict.NOT_STORED
        assert station.carry(wanted[-1]) == Verdict.NOT_STORED  # what was not stored does not count as seen
        station.gateway.stop(signal.SIGKILL)
        accepted = [frame for frame, verdict in zip(wanted, verdicts, strict=True) if verdict == Verdict.ACCEPTED]
        assert Counter(station.rows("SELECT sealed FROM frame")) == Counter((frame,) for frame in accepted)
        later = Gateway(frames.programs(), station.keys, station.gateway.database)
        with later:
            carrier = Carrier(later)
            again = [carrier.carry(frame)[0] for frame in wanted[-300:]]
            carrier.close()
        assert again == [Verdict.REPLAYED if v == Verdict.ACCEPTED else Verdict.ACCEPTED for v in verdicts[-300:]]


def test_commands(tmp_path):
    """A command is sent with each answer, as the same frame, until a reading says that it was obeyed. A new key takes effect with
    the first reading under it, and the database keeps the old one, wrapped."""
    with Station(tmp_path) as station:
        for node in (1, 2):
            cipher, key, kek = station.keys.nodes[node]
            assert station.carrier.carry(station.frame(node, 0)) == (Verdict.ACCEPTED, [])
            station.gateway.order(node, 900)
            station.gateway.order(node, None)
            time.sleep(1.2)
            _, (first,) = station.carrier.carry(station.frame(node, 1))
            assert first[: frames.HEADER] == frames.header(frames.COMMAND, node, 1)
            assert frames.opened(cipher, key, first) == (900).to_bytes(2, "big")
            station.gateway.stop(signal.SIGKILL)
            station.gateway.start()
            assert station.carrier.carry(station.frame(node, 2)) == (Verdict.ACCEPTED, [first])
            _, (second,) = station.carrier.carry(station.frame(node, 3, heard=1))
            assert second[: frames.HEADER] == frames.header(frames.NEW_KEY, node, 2)
            new = frames.opened(cipher, kek, second)
            assert len(new) == 16 and new != key
            station.gateway.stop(signal.SIGKILL)
            station.gateway.start()
            assert station.carrier.carry(station.frame(node, 4, heard=1)) == (Verdict.ACCEPTED, [second])
            assert station.carrier.carry(station.frame(node, 5, heard=2, key=new)) == (Verdict.ACCEPTED, [])
            assert station.carry(station.frame(node, 6)) == Verdict.FORGED
            station.gateway.stop(signal.SIGKILL)
            station.gateway.start()
            assert station.carry(station.frame(node, 6)) == Verdict.FORGED
            assert station.carry(station.frame(node, 6, heard=2, key=new)) == Verdict.ACCEPTED
            assert station.rows(f"SELECT version FROM key WHERE node = {node} ORDER BY 1") == [(0,), (1,)]
        content = b"".join(path.read_bytes() for path in tmp_path.glob("gateway.sqlite*"))
        assert not any(key in content for _, *keys in station.keys.nodes.values() for key in keys) and new not in content
        with pytest.raises(RuntimeError, match="there is no node 77"):
            station.gateway.order(77, 1)


def started(station: Station) -> str:
    """What the gateway says when it does not start."""
    with pytest.raises(RuntimeError) as said:
        station.gateway.start()
    station.gateway.stop(signal.SIGKILL)
    return str(said.value)


def test_damaged_database(tmp_path):
    """A page of the database that a disk has damaged is noticed at the start; a copy helps."""
    station = Station(tmp_path)
    with station:
        for i in range(300):
            station.carry(station.frame(1 + i % NODES, i // NODES))
        station.gateway.stop()
    database = station.gateway.database
    copy = tmp_path / "copy"
    shutil.copy(database, copy)
    content = bytearray(database.read_bytes())
    content[4096 * 4 : 4096 * 5] = os.urandom(4096)
    database.write_bytes(content)
    assert "the database is damaged" in started(station) or "malformed" in started(station)
    shutil.copy(copy, database)
    with station:
        pass
    other = Station(tmp_path / "other")
    other.gateway = Gateway(frames.programs(), other.keys, database)
    assert "does not belong to this table of keys" in started(other)


def test_bad_tables_of_keys(tmp_path):
    station = Station(tmp_path)
    haechi = frames.programs().haechi
    table = station.keys.table.read_bytes()

    def put(plain: bytes) -> None:
        station.keys.table.unlink()
        subprocess.run([haechi, "enc", "-q", "-k", station.keys.key_file, "-o", station.keys.table], input=plain, check=True)

    record = bytes([0, 0, 0, 9, 1]) + bytes(32)
    for plain, says in [
        (bytes(31), "too short"), (bytes(32) + record[:-1], "ends inside a record"), (bytes(32) + record * 2, "a node twice"),
        (bytes(32) + record[:4] + b"\x03" + record[5:], "neither LEA nor HIGHT"),
    ]:  # fmt: skip
        put(plain)
        assert says in started(station)
    station.keys.table.write_bytes(table[:-1])
    assert "haechi" in started(station)
    station.keys.table.write_bytes(table)
    other = Keys(tmp_path / "other", station.keys.nodes)
    other.write(haechi)
    station.keys.key_file.write_bytes(other.key_file.read_bytes())
    assert "has another key" in started(station)
    assert not station.gateway.database.exists()


def test_usage():
    program = frames.programs().gateway
    for arguments in ([], ["-k", "a"], ["-k", "a", "-t", "b", "-d", "c", "-p", "70000"], ["-k", "a", "-t", "b", "-d", "c", "-i", "5"], ["-x"],
                      ["-k", "a", "-t", "b", "-d", "c", "-n", "1", "-i", "0"]):  # fmt: skip
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr
    assert subprocess.run([program, "-h"], capture_output=True, text=True).stdout.startswith("telemetry-gateway: ")
