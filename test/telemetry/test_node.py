# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The node's program on simulated boards: what it sends, what it obeys, and that no reset makes it use a nonce twice."""

import os
import random
import shutil
from pathlib import Path

import frames
import pytest
from planted import plant

from examples.telemetry.fleet.board import CHIPS, CIPHERS, ERASED, HERE, Board, State, firmware, provisioned, torn

NUMBER, KEY, KEK = 0x01C0DBFF, bytes(range(16)), bytes(range(100, 116))  # the number has SLIP's special bytes
ALL = [(chip, cipher) for chip in CHIPS for cipher in CIPHERS]
SMALL_STEP = ("-DNODE_STEP=2",)  # counters are reserved often
NODE_H = (HERE / "node/node.h").read_text()
STEP = 256  # node.h, NODE_STEP


def board(chip: str, cipher: str, *more: str, state: State | None = None, seed: int = 0, node: Path = HERE / "node") -> Board:
    state = state or State(0, 60, 0, 0, KEY)
    made = Board(CHIPS[chip], cipher, provisioned(CHIPS[chip], NUMBER, KEK, state), seed, firmware(CHIPS[chip], cipher, more, node))
    made.measure(700, 2950)
    return made


def test_step_is_that_of_the_header():
    assert f"#define NODE_STEP {STEP}\n" in NODE_H


@pytest.mark.parametrize("chip, cipher", ALL)
def test_readings(chip, cipher):
    b = board(chip, cipher)
    assert b.power() == "asleep"
    (frame,) = b.frames()
    assert frame[: frames.HEADER] == frames.header(frames.READING, NUMBER, 0, frames.RESTARTED)
    text = frames.opened(cipher, KEY, frame)
    raw = {"atmega328p": 700 * 1024 // 2950, "msp430f1611": 700 * 4096 // 2500}.get(chip, 700 * 4096 // 2950)
    supply = int.from_bytes(text[2:4], "big")
    assert abs(int.from_bytes(text[:2], "big") - raw) <= 1 and abs(supply - 2950) < 10
    assert text[4:] == frames.reading(interval=60, heard=0)[4:]
    for counter in (1, 2):
        assert b.run() == "asleep"
        (frame,) = b.frames()
        assert frame[: frames.HEADER] == frames.header(frames.READING, NUMBER, counter) and frames.opened(cipher, KEY, frame)


@pytest.mark.parametrize("chip, cipher", ALL)
def test_commands(chip, cipher):
    """An interval, a new key and then an interval under the new key are obeyed once each; everything else changes nothing."""
    b = board(chip, cipher)
    new = os.urandom(16)
    seal = lambda *how: frames.sealed(cipher, *how)  # noqa: E731
    order = seal(KEY, frames.COMMAND, NUMBER, 5, (300).to_bytes(2, "big"))
    rekey = seal(KEK, frames.NEW_KEY, NUMBER, 6, new)
    again = seal(new, frames.COMMAND, NUMBER, 7, (20).to_bytes(2, "big"))
    wrong = [
        seal(KEK, frames.COMMAND, NUMBER, 9, bytes(2)), seal(KEY, frames.NEW_KEY, NUMBER, 9, new),  # under the other key
        seal(KEY, frames.COMMAND, NUMBER + 1, 9, bytes(2)), seal(KEY, frames.READING, NUMBER, 9, frames.reading()),
        seal(KEY, frames.COMMAND, NUMBER, 9, bytes(3)), seal(KEY, frames.COMMAND, NUMBER, 9, b""), b"", b"\x02", bytes(300),
    ]  # fmt: skip

    def said(*replies: bytes) -> bytes:
        """What the reading after these commands says of interval and last command."""
        b.answer = lambda frame: list(replies)
        assert (b.run() if b.events else b.power()) == "asleep"
        b.answer = lambda frame: []
        assert b.run() == "asleep"
        texts = [frames.opened(cipher, key, b.frames()[0]) for key in (KEY, new)]
        return next(text for text in texts if text)[4:]

    assert said(*wrong[:4]) == said(*wrong[4:]) == frames.reading(interval=60, heard=0)[4:]
    assert said(order) == frames.reading(interval=300, heard=5)[4:]
    assert said(order, seal(KEY, frames.COMMAND, NUMBER, 4, bytes(2))) == frames.reading(interval=300, heard=5)[4:]
    assert said(rekey) == frames.reading(interval=300, heard=6)[4:]
    assert frames.opened(cipher, new, b.frames()[0])
    assert said(rekey, again) == frames.reading(interval=20, heard=7)[4:]
    assert b.power() == "asleep" and frames.opened(cipher, new, b.frames()[0])[4:] == frames.reading(interval=20, heard=7)[4:]


def test_no_changed_command_is_obeyed():
    """Every bit of a command is protected."""
    b = board("msp430f1611", "LEA-128 CCM")
    order = frames.sealed("LEA-128 CCM", KEY, frames.COMMAND, NUMBER, 1, (9).to_bytes(2, "big"))
    b.power()
    for bit in range(8 * len(order)):
        changed = bytearray(order)
        changed[bit // 8] ^= 1 << bit % 8
        b.answer = lambda frame, changed=bytes(changed): [changed]
        assert b.run() == "asleep"
        assert not [event for event, _ in b.events if event == "write"], bit
    b.answer = lambda frame: [order]
    b.run()
    assert [event for event, _ in b.events if event == "write"]


# ---- Resets.


def nonces(events: list) -> set[bytes]:
    """The nonces of frames that have begun to leave the board, where all of it has left."""
    line = bytes(value for event, value in events if event == "byte")
    parts = [part.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb") for part in line.split(b"\xc0")]
    return {part[: frames.NONCE] for part in parts if len(part) >= frames.NONCE}


def life(b: Board, cipher: str, turns: int) -> list:
    """The events of some turns, in which commands come too."""
    orders = {
        2: frames.sealed(cipher, KEY, frames.COMMAND, NUMBER, 1, (33).to_bytes(2, "big")),
        4: frames.sealed(cipher, KEK, frames.NEW_KEY, NUMBER, 2, bytes(reversed(KEY))),
    }
    events = []
    for turn in range(turns):
        b.answer = lambda frame, turn=turn: [orders[turn]] if turn in orders else []
        assert (b.run() if turn else b.power()) == "asleep"
        events += b.events
    return events


def repeated(chip: str, cipher: str, turns: int, node: Path = HERE / "node", sparse: int = 1) -> list[str]:
    """Resets a node wherever in some turns of its life a reset makes a difference, with memory as it was and torn. Returns what
    goes wrong in the life after it: a nonce that was used before, counters that are skipped without need, or no life at all."""
    b = board(chip, cipher, *SMALL_STEP, node=node)
    before = b.lasting()
    events = life(b, cipher, turns)
    found, noise, used, content = [], random.Random(7), set(), before
    after = board(chip, cipher, *SMALL_STEP, seed=3, node=node)
    states = []  # memory, and the nonces that had been used when it was last like this
    for place, (event, value) in enumerate(events):
        if event == "write":
            states.append((content, nonces(events[:place]), None))
            states += [(torn(content, value, noise), nonces(events[: place + 1]), value) for _ in range(2)]
            content = value
    states.append((content, nonces(events), None))
    for memory, used, _ in states[::sparse]:
        ended = after.power(memory)
        again = nonces(after.events) & used
        if ended != "asleep":
            found.append(f"{ended} with {memory[:64].hex()}")
        elif again:
            found.append(f"uses {again} again")
        else:
            counter = int.from_bytes(after.frames()[0][5:9], "big")
            most = max((int.from_bytes(nonce[5:9], "big") for nonce in used), default=-1)
            if counter > most + 1 + 2 * 2 + 2:
                found.append(f"skips from {most} to {counter}")
    return found


@pytest.mark.parametrize(
    "chip, cipher, sparse",
    [(*ALL[0], 11), (*ALL[3], 3), (*ALL[4], 11), *(pytest.param(*both, 1, marks=pytest.mark.slow) for both in ALL)],
)
def test_reset_anywhere(chip, cipher, sparse):
    """RAM is lost in a reset, so that only what was written and sent before it can make a difference: the events of a life are
    all the instructions at which there is something to see. The pages turn twice in this life."""
    assert repeated(chip, cipher, 18, sparse=sparse) == []


PLANTED = {
    "a counter is not reserved before it is used": (
        "node.c", "return state_save(&n->state) ? NODE_ESTATE : NODE_OK;\n", "return NODE_OK;\n",
    ),
    "the counter goes on where the record says": (
        "node.c", "n->counter = n->state.reserved;\n    n->state.reserved += NODE_STEP;",
        "n->counter = n->state.reserved - (n->state.reserved ? 1 : 0);\n    n->state.reserved += NODE_STEP;",
    ),
    "a page is erased while it holds the newest record": ("state.c", "page ^= 1;", "page ^= 0;"),
    "a torn record counts": ("state.c", "if (found.check != check_of(&found)) continue;", "if (found.sequence == 0xffff) continue;"),
    "the oldest record counts": ("state.c", "(int16_t)(found.sequence - s->sequence) <= 0", "(int16_t)(found.sequence - s->sequence) >= 0"),
}  # fmt: skip


@pytest.mark.parametrize("fault", PLANTED)
def test_planted_faults_are_found(fault, tmp_path):
    name, right, wrong = PLANTED[fault]
    node = tmp_path / "examples/telemetry/node"
    shutil.copytree(HERE / "node", node)
    shutil.copy(HERE / "frame.h", node.parent)
    for path in node.rglob("*.[ch]"):
        path.write_text(path.read_text().replace('"../../../src/haechi.h"', f'"{HERE.parent.parent}/src/haechi.h"'))
    plant(node, name, right, wrong)
    with pytest.raises(AssertionError):
        assert repeated("msp430f1611", "LEA-128 CCM", 18, node) == []


def test_many_resets():
    """Resets follow each other at random, also during the start that follows a reset."""
    for seed in range(3):
        chance, seen = random.Random(seed), set()
        b = board("msp430f1611", "HIGHT EAX", *SMALL_STEP, seed=seed)
        for _ in range(120):
            old = b.lasting()
            assert (b.run() if b.events and chance.random() < 0.6 else b.power()) == "asleep"
            place = chance.randrange(len(b.events) + 1) if chance.random() < 0.5 else len(b.events)
            came = nonces(b.events[:place])
            assert not came & seen
            seen |= came
            if place < len(b.events):
                content = [old, *(value for event, value in b.events[:place] if event == "write")][-1]
                event, value = b.events[place]
                b.cut(torn(content, value, chance) if event == "write" and chance.random() < 0.7 else content)
                b.events = []


@pytest.mark.parametrize("chip", CHIPS)
def test_a_node_that_knows_no_counter_is_silent(chip):
    """Without a record, or at the end of all counters, a node sends nothing."""
    b = board(chip, "HIGHT EAX")
    page = CHIPS[chip].page
    assert b.power(b"\xff" * 2 * page + b.lasting()[2 * page :]) == "stopped" and b.frames() == []
    assert b.power(os.urandom(2 * page) + b.lasting()[2 * page :]) == "stopped" and b.frames() == []
    b = board(chip, "HIGHT EAX", state=State(0xFFFF, 60, (1 << 32) - STEP - 1, 0, KEY))
    assert b.power() == "asleep" and b.run() == "asleep"
    (frame,) = b.frames()
    assert frame[5:9] == ((1 << 32) - STEP).to_bytes(4, "big")
    assert b.power() == "stopped" and b.frames() == []
    b = board(chip, "HIGHT EAX", state=State(7, 60, (1 << 32) - 2, 0, KEY))
    assert b.power() == "stopped" and b.frames() == []


def test_wear():
    """A record is written for each step of counters, and a page of 128 bytes is erased once in eight records."""
    b = board("msp430f1611", "LEA-128 CCM", *SMALL_STEP)
    wiped, records = 0, 0
    for turn in range(32):
        before = b.lasting()
        (b.run if turn else b.power)()
        contents = [before, *(value for event, value in b.events if event == "write")]
        records += len(contents) > 1
        wiped += sum(new.count(ERASED) > old.count(ERASED) for old, new in zip(contents, contents[1:], strict=False))
    assert records == 16
    assert wiped == 3  # one record was there before; the 4th, the 8th and the 12th of the others fill a page
