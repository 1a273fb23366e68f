# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves what rtl/bus promises of its slaves for APB and Wishbone: each transfer, from any state of the registers, and the
key stream of the engine behind them, for each engine of bench/declared/engines.py.

As in rtl.py, yosys makes an and-inverter graph of one clock cycle, and the graph runs on symbolic bits. A statement about
one transfer holds for all states of all registers, reachable or not, all addresses and all words. Only READY within so many
clocks is a statement about reachable states: the registers of the control are few, so that all their states are visited."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import spec
from bench.declared.engines import ENGINES
from bench.made import registers, synth
from proof.bits import Bits, Engine, Graph, Model, Unproved, Word, constant, is_constant, number
from proof.engines import abc
from proof.rtl import BOXES, Circuit

ANSWER = ("ack_q", "err_q", "read_q")  # what a slave remembers of a transfer beside the registers of the engine
AT = {r["name"]: r["address"] for r in registers.registers()}
DATA = re.compile(  # the registers of key and data: of the engine, of the larger cores' modules, and of the others
    r"(^|\.)(key_q|ctr\.count_q|stream_q|out_q|(text|texts|keys|adders|word_t1|(line|turn|add)_\w+)\.(.*\.)?\w+_q"
    r"|lower_q|upper_q|row_q|(sk_)?carry_q|stage_0_q|[abefosxyz]_q)$"
)
START, CLEAR = (1 << registers.bit("CONTROL", name) for name in ("START", "CLEAR"))
READY = 1 << registers.bit("STATUS", "READY")

State = Bits
Outcome = tuple[State, Bits, int]  # registers after a transfer, the word that was read, and whether the transfer was refused


class Slave:
    """A slave with one engine as a function of its registers. Transfers are those of the bus."""

    def __init__(self, bus: str, engine: str, solver: Engine = abc, sources: tuple[Path, ...] = (), box: str = ""):
        """With `box`, each instance of this module is cut out as in rtl.py."""
        self.engine = ENGINES[engine]
        self.core = self.engine.core
        files = sources or tuple(sorted(registers.BUS.glob("*.v")))
        self.bus, self.g = bus, Graph(solver)
        set_to = {name: f'"{value}"' if isinstance(value, str) else value for name, value in self.engine.parameters.items()}
        self.circuit = Circuit(f"haechi_ctr_{bus}", set_to, (*files, *synth.sources(self.core.family)), box)

    def at(self, name: str) -> list[int]:
        """The places of a register in the state, its lowest bit first."""
        found = {bit: i for i, names in enumerate(self.circuit.names) for said, bit in names.items() if f".{said}".endswith(f".{name}")}
        if not found:
            raise Unproved(f"{self.bus}: no register {name}")
        if len(found) != sum(f".{said}".endswith(f".{name}") for names in self.circuit.names for said in names):
            raise Unproved(f"{self.bus}: several registers {name}")
        return [found[bit] for bit in range(len(found))]

    def get(self, state: State, name: str) -> Bits:
        return tuple(state[i] for i in self.at(name))

    def put(self, state: State, **words: Bits) -> State:
        """The state with other words in these registers, where the slave has them."""
        new = list(state)
        for name, word in words.items():
            for i, x in zip(self.at(name), word, strict=True):
                new[i] = x
        return tuple(new)

    @cached_property
    def inner(self) -> list[int]:
        """The places of all registers but those that only remember an answer."""
        return [i for i, names in enumerate(self.circuit.names) if not {*ANSWER} & {*names}]

    def any_bits(self, name: str = "any state") -> State:
        """Any bits in the registers, between two transfers."""
        state = self.g.input(name, len(self.circuit.latches))
        return state if self.bus == "apb" else self.put(state, ack_q=(0,), err_q=(0,))

    def any_state(self, name: str = "any state") -> State:
        """Any state between two transfers. Without a result its register is zero, and before START there is no key stream: the
        registers keep this."""
        state = self.any_bits(name)
        for flag, *names in (("out_full_q", "out_q"), ("ctr.run_q", "ctr.full_q", "stream_q")):
            (there,) = self.get(state, flag)
            state = self.put(state, **{of: tuple(self.g.and_(x, there) for x in self.get(state, of)) for of in names})
        return state

    def clock(self, state: State, select: int, write: int, address: Bits, word: Bits) -> tuple[State, dict[str, Bits]]:
        if self.bus == "apb":
            return self.circuit.clock(
                self.g, state, presetn_i=(1,), psel_i=(select,), penable_i=(select,), pwrite_i=(write,), paddr_i=address, pwdata_i=word
            )
        return self.circuit.clock(
            self.g, state, rst_i=(0,), cyc_i=(select,), stb_i=(select,), we_i=(write,), adr_i=address, dat_i=word
        )

    def transfer(self, state: State, write: int, address: Bits, word: Bits) -> Outcome:
        """One transfer: on APB the clock of its access, on Wishbone the clock before its answer."""
        after, outs = self.clock(state, 1, write, address, word)
        if self.bus == "apb":
            return after, outs["prdata_o"], outs["pslverr_o"][0]
        return after, self.get(after, "read_q"), self.get(after, "err_q")[0]

    def idle(self, state: State) -> State:
        return self.clock(state, 0, *self.anything())[0]

    def reset(self, state: State) -> State:
        """One clock of reset."""
        low = {"presetn_i": (0,)} if self.bus == "apb" else {"rst_i": (1,)}
        return self.circuit.clock(self.g, state, **low)[0]

    def anything(self) -> tuple[int, Bits, Bits]:
        """A direction, an address and a word."""
        return self.g.input("write", 1)[0], self.g.input("address", 6), self.g.input("word", 32)

    def do(self, state: State, name: str, write: bool, word: Bits | int = 0) -> tuple[State, Bits]:
        """A transfer that must not be refused, with an idle clock behind it."""
        word = constant(word, 32) if isinstance(word, int) else word
        after, read, refused = self.transfer(state, int(write), constant(AT[name], 6), word)
        if refused != 0:
            raise Unproved(f"{self.bus}: {name} is refused, or may be")
        return self.idle(after), read


class Claims:
    """The statements about a slave. Each is a method whose name is its claim; it returns None or a counterexample."""

    def __init__(self, slave: Slave):
        self.slave, self.g = slave, slave.g
        self.core, self.key_bits, self.block_bits = slave.core, slave.core.key_bits, slave.core.block_bits
        self.write, self.address, self.word = slave.anything()
        self.state = slave.any_state()

    # ---- Conditions.

    def same(self, a: Bits, b: Bits, when: int = 1) -> Model | None:
        """Whether two words are equal in all cases in which the condition holds."""
        mask = lambda word: tuple(self.g.and_(x, when) for x in word)  # noqa: E731
        return self.g.differ(mask(a), mask(b))

    def never(self, *conditions: int) -> Model | None:
        """Whether these conditions never hold together."""
        return self.g.differ((self.all(*conditions),), (0,))

    def all(self, *conditions: int) -> int:
        found = 1
        for x in conditions:
            found = self.g.and_(found, x)
        return found

    def any(self, *conditions: int) -> int:
        return self.all(*(x ^ 1 for x in conditions)) ^ 1

    def addressed(self, name: str, words: int = 1) -> int:
        """Whether the address is that of a register, or of one of its words."""
        places = (AT[name] + 4 * i for i in range(words))
        return self.any(*(self.all(*(x ^ ~want >> i & 1 for i, x in enumerate(self.address))) for want in places))

    def busy(self) -> int:
        return self.any(*self.slave.get(self.state, "word_q"), *self.slave.get(self.state, "out_full_q"))

    def inner(self, state: State) -> Bits:
        return tuple(state[i] for i in self.slave.inner)

    # ---- Statements about one transfer.

    def the_result_is_zero_where_there_is_none(self) -> Model | None:
        """After a transfer, an idle clock and a reset, if it was so before."""
        after, *_ = self.slave.transfer(self.state, self.write, self.address, self.word)
        for after in (after, self.slave.idle(self.state), self.slave.reset(self.g.input("any bits", len(self.state)))):
            (full,) = self.slave.get(after, "out_full_q")
            out = self.slave.get(after, "out_q")
            if found := self.same(out, constant(0, len(out)), full ^ 1):
                return found
        return None

    def there_is_key_stream_only_behind_start(self) -> Model | None:
        """The engine runs from START to CLEAR, to a reset, or to a write to KEY or COUNTER that is not refused. While it does not
        run, the key stream is zero and stays so, READY is low, and a write to DATA is refused."""
        slave, (runs,) = self.slave, self.slave.get(self.state, "ctr.run_q")
        after, _, refused = slave.transfer(self.state, self.write, self.address, self.word)
        start, clear = (
            self.all(self.write, self.addressed("CONTROL"), self.word[bit.bit_length() - 1]) for bit in (START, CLEAR)
        )
        changed = self.all(
            self.write, self.any(self.addressed("KEY", self.key_bits // 32), self.addressed("COUNTER", self.block_bits // 32))
        )
        start, ends = self.all(start, clear ^ 1, refused ^ 1), self.any(clear, self.all(changed, refused ^ 1))
        idle, reset = slave.idle(self.state), slave.reset(self.g.input("any bits", len(self.state)))
        for state, run in ((after, self.any(start, self.all(runs, ends ^ 1))), (idle, runs), (reset, 0)):
            stream = (*slave.get(state, "ctr.full_q"), *slave.get(state, "stream_q"))
            if found := self.g.differ(slave.get(state, "ctr.run_q"), (run,)) or self.same(stream, constant(0, len(stream)), run ^ 1):
                return found
        if found := self.never(runs ^ 1, self.write, self.addressed("DATA"), refused ^ 1):
            return found
        _, status, _ = slave.transfer(self.state, 0, constant(AT["STATUS"], 6), self.word)
        return self.never(runs ^ 1, status[READY.bit_length() - 1])

    def every_transfer_has_one_answer(self) -> Model | None:
        """APB: the slave is always ready. Wishbone: an answer comes one clock after the transfer began, it is either ACK or
        ERR, and it does nothing once more; without a transfer there is none."""
        if self.slave.bus == "apb":
            begun = self.g.input("begun", 1)[0]  # the first clock of a transfer, in which penable_i is low
            setup, outs = self.slave.circuit.clock(
                self.g, self.state, presetn_i=(1,), psel_i=(begun,), penable_i=(0,), pwrite_i=(self.write,), paddr_i=self.address,
                pwdata_i=self.word,
            )
            return self.g.differ(outs["pready_o"], (1,)) or self.same(setup, self.slave.idle(self.state))
        cyc, stb = self.g.input("cyc", 1)[0], self.g.input("stb", 1)[0]
        ports = {"rst_i": (0,), "we_i": (self.write,), "adr_i": self.address, "dat_i": self.word}
        after, _ = self.slave.circuit.clock(self.g, self.state, cyc_i=(cyc,), stb_i=(stb,), **ports)
        again, outs = self.slave.circuit.clock(self.g, after, cyc_i=(cyc,), stb_i=(stb,), **ports)
        either = self.g.xor(*outs["ack_o"], *outs["err_o"])
        told = self.same((either,), (self.all(cyc, stb),)) or self.never(*outs["ack_o"], *outs["err_o"])
        return told or self.same(self.inner(again), self.inner(self.slave.idle(after)))

    def what_is_refused_changes_nothing(self) -> Model | None:
        after, read, refused = self.slave.transfer(self.state, self.write, self.address, self.word)
        return self.same(self.inner(after), self.inner(self.slave.idle(self.state)), refused) or self.same(
            read, constant(0, 32), refused
        )

    def a_write_in_the_middle_of_a_block_is_refused(self) -> Model | None:
        """Writes to KEY and COUNTER, and to CONTROL without CLEAR."""
        *_, refused = self.slave.transfer(self.state, 1, self.address, self.word)
        clear = self.all(self.addressed("CONTROL"), self.word[CLEAR.bit_length() - 1])
        kept = self.any(
            self.addressed("KEY", self.key_bits // 32), self.addressed("COUNTER", self.block_bits // 32), self.addressed("CONTROL")
        )
        return self.never(self.busy(), kept, clear ^ 1, refused ^ 1)

    def reads_give_only_what_they_should(self) -> Model | None:
        """ID, STATUS, and a result that is there; all other reads give zeros, those of key and counter included. Addresses
        that are none of a register are refused, as the words are that the cipher's key or counter does not have."""
        after, read, refused = self.slave.transfer(self.state, 0, self.address, self.word)
        get = lambda name: self.slave.get(self.state, name)  # noqa: E731
        (result,), (full,) = get("out_full_q"), get("ctr.full_q")
        status = (self.all(full, result ^ 1), result, self.busy(), *constant(0, 29))
        identity = constant(registers.identity(self.core.family, self.key_bits, self.block_bits), 32)
        wanted = [constant(0, 32)]
        for name, word in (("ID", identity), ("STATUS", status), ("DATA", tuple(self.all(x, result) for x in get("out_q")))):
            wanted.append(tuple(self.all(x, self.addressed(name)) for x in word))
        there = [self.addressed(name) for name in ("ID", "CONTROL", "STATUS")]
        there += [self.addressed("KEY", self.key_bits // 32), self.addressed("COUNTER", self.block_bits // 32)]
        there.append(self.all(self.addressed("DATA"), result))
        return self.same(read, tuple(self.any(*bits) for bits in zip(*wanted, strict=True))) or self.g.differ(
            (refused,), (self.any(*there) ^ 1,)
        )

    def a_write_changes_the_word_that_it_names(self) -> Model | None:
        """A word of the key or of the counter, where it is not refused. The other words are as without the transfer. The key stream
        is dropped, and the core is reset and waits for START."""
        for name, register, bits in (("KEY", "ctr.key_q", self.key_bits), ("COUNTER", "ctr.count_q", self.block_bits)):
            for i in range(bits // 32):
                address = constant(AT[name] + 4 * i, 6)
                after, _, refused = self.slave.transfer(self.state, 1, address, self.word)
                idle = self.slave.idle(self.state)
                words = list(self.slave.get(idle, register))
                words[32 * i : 32 * i + 32] = self.word
                wanted = self.slave.put(idle, **{register: tuple(words), **self.stopped(idle)})
                if found := self.same(self.inner(after), self.inner(wanted), refused ^ 1):
                    return found
        return None

    def stopped(self, state: State) -> dict[str, Bits]:
        """What the registers of the engine hold once it has stopped: no key stream, and the core in its reset."""
        zero = ("ctr.run_q", "ctr.full_q", "stream_q", "word_q", "pace.loaded_q", "pace.digit_q")
        return {name: constant(0, len(self.slave.get(state, name))) for name in zero} | {"pace.rst_q": (1,)}

    def a_word_of_data_meets_a_word_of_key_stream(self) -> Model | None:
        """A write of DATA: the result is the word XOR the next word of key stream, which is used up. A read of DATA: the
        result leaves, once. Neither touches the core, the key or the counter."""
        get = self.slave.get
        after, _, refused = self.slave.transfer(self.state, 1, constant(AT["DATA"], 6), self.word)
        idle, stream = self.slave.idle(self.state), get(self.state, "stream_q")
        result = tuple(self.g.xor(a, b) for a, b in zip(self.word, stream, strict=False))
        word = get(self.state, "word_q")
        last = self.all(*word[: self.block_bits // 64])
        used = tuple(self.all(x, last ^ 1) for x in self.g.sum(word, constant(1, 2)))
        (full,) = get(idle, "ctr.full_q")
        wanted = self.slave.put(
            idle, out_q=result, out_full_q=(1,), stream_q=(*stream[32:], *constant(0, 32)), word_q=used,
            **{"ctr.full_q": (self.all(full, last ^ 1),)},
        )  # fmt: skip
        if found := self.same(self.inner(after), self.inner(wanted), refused ^ 1):
            return found
        after, _, refused = self.slave.transfer(self.state, 0, constant(AT["DATA"], 6), self.word)
        wanted = self.slave.put(idle, out_q=constant(0, 32), out_full_q=(0,))
        return self.same(self.inner(after), self.inner(wanted), refused ^ 1)

    def clear_leaves_nothing(self) -> Model | None:
        """In every state: key, counter, key stream and result are zero in the next clock, and after the engine's number of
        clocks no register depends on what any of them held before."""
        ends = []
        for name in ("any state", "any other state"):
            after, _, refused = self.cleared(name)
            kept = tuple(x for name in ("ctr.key_q", "ctr.count_q", "stream_q", "out_q", "out_full_q") for x in self.slave.get(after, name))
            if found := self.never(refused) or self.same(kept, constant(0, len(kept))):
                return found
            for _ in range(self.slave.engine.cleared):
                after = self.slave.idle(after)
            ends.append(after)
        return self.same(*ends)

    def cleared(self, name: str) -> Outcome:
        """CLEAR in any state."""
        return self.slave.transfer(self.slave.any_state(name), 1, constant(AT["CONTROL"], 6), constant(CLEAR, 32))

    def cleared_within(self) -> int:
        """The number of clocks behind CLEAR after which no register depends on what any held before."""
        one, other = (self.cleared(name)[0] for name in ("any state", "any other state"))
        for n in range(1000):
            if one == other:
                return n
            one, other = self.slave.idle(one), self.slave.idle(other)
        raise Unproved("CLEAR leaves something")

    # ---- The engine.

    def started(self) -> tuple[State, Bits, Bits]:
        """The state behind START with any key and counter, from any state in which the engine does not run and no block is begun: a
        write to KEY or COUNTER leads to such a state, and so does CLEAR."""
        slave = self.slave
        key, counter = self.g.input("key", self.key_bits), self.g.input("counter", self.block_bits)
        zero = ("ctr.run_q", "ctr.full_q", "stream_q", "word_q", "out_full_q", "out_q")
        none = {name: constant(0, len(slave.get(self.state, name))) for name in zero}
        state = slave.put(self.state, **{"ctr.key_q": key, "ctr.count_q": counter}, **none)
        return slave.do(state, "CONTROL", True, START)[0], key, counter

    def the_key_stream_is_the_cipher_of_the_counter(self) -> Model | None:
        """The blocks of key stream after START are the cipher of the counter, of the counter plus 1 and so on, up to the first one
        that enters the core behind the use of a block: the third one, and in hight_pipe the 35th. Whenever a block is there and
        the core waits, control and key are the same, in the core too, and the counter is `ahead` more than that of the block:
        therefore all blocks that follow are right. Between two blocks the words leave at one pace. That the pace does not matter
        follows from the statement about DATA and from the core's, that a stalled clock changes nothing."""
        slave, g = self.slave, self.g
        state, key, counter = self.started()
        steps = 0
        family = self.core.family
        rounds = spec.round_keys(family, Word(g, key), False)
        ends = []
        for turn in range(slave.engine.ahead + 1):
            state, steps = self.filled(state, counter, steps)
            block = self.later(counter, turn)
            want = spec.crypt(family, rounds, Word(g, block), False).bits
            if found := g.differ(slave.get(state, "stream_q"), want):
                return found
            if found := g.differ(slave.get(state, "ctr.count_q"), self.later(counter, turn + slave.engine.ahead)):
                return found
            ends.append(state)
            for i in range(self.block_bits // 32) if turn < slave.engine.ahead else ():
                state, _ = slave.do(state, "DATA", True, g.input(f"message {i}", 32))
                state, _ = slave.do(state, "DATA", False)
        held = self.held(ends[0], key)
        if not {*self.control} <= {*held}:
            raise Unproved("the control depends on the counter or on a message")
        first, *others = (tuple(state[i] for i in held) for state in ends)
        return next((found for other in others if (found := g.differ(first, other))), None)

    def held(self, state: State, key: Bits) -> list[int]:
        """The places of the registers whose content is known, or depends on nothing but the key."""
        g, stays = self.g, {0, *(x >> 1 for x in key)}
        for node in g.cone(state):
            operands = g.fanin[node] or g.looked_up.get(node, (0, ()))[1]
            if operands and all(x >> 1 in stays for x in operands):
                stays.add(node)
        return [i for i in self.slave.inner if state[i] >> 1 in stays]

    def later(self, counter: Bits, n: int) -> Bits:
        """The counter block n blocks later. Its first byte is the highest of a number."""
        turned = lambda word: tuple(x for i in range(self.block_bits - 8, -8, -8) for x in word[i : i + 8])  # noqa: E731
        return turned(self.g.sum(turned(counter), constant(n, self.block_bits)))

    def filled(self, state: State, counter: Bits, steps: int) -> tuple[State, int]:
        """The state in which a block of key stream is ready, and the core has made the next one and waits. Whenever the counter
        has gone on by one, from so many steps behind the first one, the sum in the state becomes the specification's, so that
        the blocks are the same bits."""
        for _ in range(3 * self.slave.engine.started):
            before, state = state, self.slave.idle(state)
            if before == state:
                return state, steps
            old, new = (self.slave.get(s, "ctr.count_q") for s in (before, state))
            if new != old:
                steps += 1
                if self.g.differ(new, plus := self.later(counter, steps)):
                    raise Unproved("the counter does not go on by one")
                state = self.slave.put(state, **{"ctr.count_q": plus})
        raise Unproved("the core never waits")

    # ---- Reachable states.

    @cached_property
    def control(self) -> list[int]:
        """The registers that hold neither data nor an answer. While Wishbone's answer is there, the slave does as without a
        transfer."""
        return [i for i in self.slave.inner if not any(map(DATA.search, self.slave.circuit.names[i]))]

    @cached_property
    def reachable(self) -> tuple[set[int], Callable[[int, str], int]]:
        """All states of the control after a reset, as numbers, and the next one for what the bus does."""
        slave, g, places = self.slave, self.g, self.control
        state = slave.any_bits()
        moves = {
            "nothing": slave.idle(state),
            **{
                f"{name} {write} {word}": slave.transfer(state, write, constant(AT[name], 6), constant(word, 32))[0]
                for name, write, word in (
                    ("CONTROL", 1, START), ("CONTROL", 1, CLEAR), ("DATA", 1, 0), ("DATA", 0, 0), ("KEY", 1, 0),
                    ("COUNTER", 1, 0), ("ID", 0, 0),
                )
            },
        }  # fmt: skip
        variables = [state[i] >> 1 for i in places if state[i] > 1]
        cones = {}
        for name, after in moves.items():
            word = tuple(after[i] for i in places)
            if not {*g.support(word)} <= {*variables}:
                raise Unproved(f"the control depends on data: {name}")
            cones[name] = word, g.cone(word)

        def next_(at: int, move: str) -> int:
            word, cone = cones[move]
            value = {0: 0} | {state[i] >> 1: at >> n & 1 for n, i in enumerate(places) if state[i] > 1}
            for node in cone:
                if node not in value:
                    a, b = g.fanin[node]
                    value[node] = (value[a >> 1] ^ a & 1) & (value[b >> 1] ^ b & 1)
            return sum((value[x >> 1] ^ x & 1) << n for n, x in enumerate(word))

        return self._closure(self._reset(places), next_, moves), next_

    def _reset(self, places: list[int]) -> int:
        """The control after a clock of reset and as many without as CLEAR takes, from any state."""
        state = self.slave.reset(self.state)
        for _ in range(self.slave.engine.cleared):
            state = self.slave.idle(state)
        word = tuple(state[i] for i in places)
        if not is_constant(word):
            raise Unproved("the reset does not define the control")
        return number(word)

    def _closure(self, first: int, next_: Callable[[int, str], int], moves: Iterable[str]) -> set[int]:
        found, waiting = {first}, [first]
        while waiting:
            at = waiting.pop()
            for move in moves:
                if (after := next_(at, move)) not in found:
                    found.add(after)
                    waiting.append(after)
        return found

    def ready_within(self) -> int:
        """The largest number of clocks without a transfer after which READY or RESULT is there, over all reachable states
        in which START was given."""
        places = self.control
        flag = {name: places.index(self.slave.at(name)[0]) for name in ("ctr.full_q", "ctr.run_q", "out_full_q")}
        every, next_ = self.reachable
        has = lambda at, name: at >> flag[name] & 1  # noqa: E731
        left = {at: 0 for at in every if not has(at, "ctr.run_q") or has(at, "ctr.full_q") or has(at, "out_full_q")}
        for at in every:
            passed = []
            while at not in left:
                passed.append(at)
                at = next_(at, "nothing")
                if len(passed) > len(every):
                    raise Unproved("a state in which READY never comes")
            there = left[at]
            left |= {state: there + n for n, state in enumerate(reversed(passed), 1)}
        return max(left.values())


STATEMENTS = (
    "the_result_is_zero_where_there_is_none", "there_is_key_stream_only_behind_start",
    "every_transfer_has_one_answer", "what_is_refused_changes_nothing", "a_write_in_the_middle_of_a_block_is_refused",
    "reads_give_only_what_they_should", "a_write_changes_the_word_that_it_names", "a_word_of_data_meets_a_word_of_key_stream",
    "clear_leaves_nothing", "the_key_stream_is_the_cipher_of_the_counter",
)  # fmt: skip

