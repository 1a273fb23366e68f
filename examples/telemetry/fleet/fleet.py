# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A fleet: nodes on simulated boards, what goes wrong with them and on their way, and what must come of it."""

import os
import random
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from examples.telemetry.fleet.board import CHIPS, CIPHERS, Board, Chip, State, provisioned, torn, unslip
from examples.telemetry.fleet.gateway import Carrier, Gateway, Keys, Verdict

INTERVAL = 60  # seconds, of every node on its first day


@dataclass
class Node:
    """A simulated node, and what it has sent."""

    number: int
    cipher: str
    board: Board
    on: bool = False
    sent: list[bytes] = field(default_factory=list)  # frames, in their order
    measured: dict[bytes, tuple[int, int]] = field(default_factory=dict)  # by frame: millivolts of sensor and supply
    accepted: set[bytes] = field(default_factory=set)
    lost: set[bytes] = field(default_factory=set)  # frames that were lost on the way
    resets: int = 0

    @property
    def chip(self) -> Chip:
        return self.board.chip


@dataclass
class Told:
    """What a run of a fleet came to."""

    nodes: int
    frames: int
    verdicts: Counter
    resets: int
    attacks: Counter
    missing: int
    skipped: int
    wrong: list[str]


class Fleet:
    """Nodes of all chips and ciphers in turn, with a gateway and a carrier between them. `seed` makes all that happens."""

    def __init__(self, folder: Path, count: int, seed: int = 1, chips: list[str] | None = None):
        self._random = random.Random(seed)
        kinds = [(CHIPS[chip], cipher) for cipher in CIPHERS for chip in chips or CHIPS]
        numbers = self._random.sample(range(1 << 32), count)
        keys = {}
        self.nodes: list[Node] = []
        for place, number in enumerate(numbers):
            chip, cipher = kinds[place % len(kinds)]
            key, kek = os.urandom(16), os.urandom(16)
            keys[number] = cipher, key, kek
            board = Board(chip, cipher, provisioned(chip, number, kek, State(0, INTERVAL, 0, 0, key)), seed=number)
            self.nodes.append(Node(number, cipher, board))
        self.keys = Keys(folder, keys)
        self.verdicts, self.attacks, self.wrong = Counter(), Counter(), []

    def round(self, carrier: Carrier, faults: bool = True) -> None:
        """Each node wakes, reads and sends once. With faults, some are reset at any event of that, some frames are lost on the
        way, and some are replayed, changed, cut, or come from nobody."""
        for node in self.nodes:
            self._turn(node, carrier, faults)

    def _turn(self, node: Node, carrier: Carrier, faults: bool) -> None:
        measured = self._random.randrange(2400), self._random.randrange(2600, 3300)
        node.board.measure(*measured)
        cut, lost = (faults and self._random.random() < chance for chance in (0.1, 0.05))
        node.board.answer = lambda frame: [] if cut else self._carried(node, carrier, frame, measured, lost)
        old = node.board.lasting()
        ended = node.board.run() if node.on else node.board.power()
        node.on = True
        if ended != "asleep":
            self.wrong.append(f"node {node.number} on {node.chip.name}: {ended}")
        if cut:
            for frame in self._reset(node, old):
                self._carried(node, carrier, frame, measured, lost)
        if faults and node.sent and self._random.random() < 0.2:
            self._attack(node, carrier)

    def _carried(self, node: Node, carrier: Carrier, frame: bytes, measured: tuple[int, int], lost: bool) -> list[bytes]:
        node.sent.append(frame)
        node.measured[frame] = measured
        if lost:
            self.attacks["lost on the way"] += 1
            node.lost.add(frame)
            return []
        verdict, replies = carrier.carry(frame)
        self.verdicts[verdict] += 1
        if verdict == Verdict.ACCEPTED:
            node.accepted.add(frame)
        else:
            self.wrong.append(f"node {node.number}: a fresh frame is {verdict.name}")
        return replies

    def _reset(self, node: Node, old: bytes) -> list[bytes]:
        """The power failed at one of the events of this turn, which had memory `old` before it: what came after did not happen.
        Returns the frames that had left."""
        place = self._random.randrange(len(node.board.events))
        events, (event, value) = node.board.events[:place], node.board.events[place]
        memory = [old, *(content for kind, content in events if kind == "write")][-1]
        node.board.cut(torn(memory, value, self._random) if event == "write" else memory)
        node.on = False
        node.resets += 1
        return unslip(bytes(content for kind, content in events if kind == "byte"))

    def _attack(self, node: Node, carrier: Carrier) -> None:
        frame = bytearray(self._random.choice(node.sent))
        kind = self._random.choice(["replayed", "changed", "cut", "of nobody", "long"])
        self.attacks[kind] += 1
        allowed = {Verdict.FORGED, Verdict.UNKNOWN, Verdict.MALFORMED, Verdict.REPLAYED}
        if kind == "replayed":  # one that was lost comes late
            allowed = {Verdict.REPLAYED, Verdict.FORGED, Verdict.ACCEPTED} if bytes(frame) in node.lost else {Verdict.REPLAYED}
        elif kind == "changed":
            frame[self._random.randrange(len(frame))] ^= 1 << self._random.randrange(8)
        elif kind == "cut":
            del frame[self._random.randrange(len(frame)) :]
        elif kind == "of nobody":
            frame[1:5] = self._random.randbytes(4)
        else:
            frame += self._random.randbytes(self._random.randrange(1, 40))
        verdict, _ = carrier.carry(bytes(frame))
        self.verdicts[verdict] += 1
        if verdict not in allowed:
            self.wrong.append(f"node {node.number}: a frame that was {kind} is {verdict.name}")

    def check(self, gateway: Gateway) -> Told:
        """Compares the database with what the nodes sent."""
        with closing(sqlite3.connect(gateway.database)) as connection:
            found = connection.execute("SELECT sealed, node, sensor, supply, heard FROM frame").fetchall()
            missing, skipped = connection.execute("SELECT coalesce(sum(missing), 0), coalesce(sum(skipped), 0) FROM node").fetchone()
            accounted = connection.execute(
                "SELECT number, next, missing + skipped, (SELECT count(*) FROM frame WHERE node = number) FROM node"
            ).fetchall()
        stored, rows = Counter(row[0] for row in found), {row[0]: row[1:] for row in found}
        sent = {frame: node for node in self.nodes for frame in node.sent}
        wrong = list(self.wrong)
        wrong += [f"frame {frame.hex()} is there {times} times" for frame, times in stored.items() if times != 1]
        wrong += [f"frame {frame.hex()} was never sent" for frame in rows if frame not in sent]
        wrong += [f"frame {frame.hex()} was accepted and is gone" for node in self.nodes for frame in node.accepted if frame not in rows]
        for frame, (number, _, supply, _) in rows.items():
            if frame in sent and (sent[frame].number != number or abs(supply - sent[frame].measured[frame][1]) > 30):
                wrong.append(f"frame {frame.hex()} does not say what was measured: {supply}, {sent[frame].measured[frame]}")
        for node in self.nodes:
            nonces = [frame[:9] for frame in node.sent]
            if len(nonces) != len({*nonces}):
                wrong.append(f"node {node.number} has used a nonce twice")
        wrong += [f"node {n}: {next_} counters, {came} came, {gone} are missing" for n, next_, gone, came in accounted if next_ != came + gone]
        return Told(len(self.nodes), len(rows), self.verdicts, sum(n.resets for n in self.nodes), self.attacks, missing, skipped, wrong)
