# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cores, and the order in which each takes a key and blocks. The test bench and the report are based on this."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

BATCH = 16  # blocks that a lane of the bench holds


@dataclass(frozen=True)
class Core(ABC):
    """A core of one cipher. A subclass for each cipher says in which order the bits of keys and blocks pass the ports."""

    name: str
    top: str
    parameters: dict[str, int] = field(default_factory=dict)
    bits: int = 1  # of the data path
    both: bool = False
    cycles: int = 0  # of a block, from its first digit in to its last digit out
    period: int = 0  # clocks from one block to the next; 0 stands for `cycles`
    undo: int = 0  # clocks by which decryption takes longer
    prepares: int = 0  # clocks between the last digit of the key and the first one of a block
    key_width: int = 1  # bits of key_i that carry the key
    late: bool = False  # the key enters after the reset, with a flag in the bit above it
    data_width: int = 2
    like: str = ""  # the replica of a published core that this core does the work of
    note: str = ""

    cipher = ""  # as spec/ names it
    family = ""
    key_bits = 128
    block_bits = 128
    keyed = False  # the key enters with every block, digit by digit

    @property
    def by_block(self) -> bool:
        """Each block has a direction of its own."""
        return self.both and self.keyed

    @property
    def ahead(self) -> bool:
        """The last result leaves only when another block enters, or moves into the pipe."""
        return bool(self.period) and not self.late

    @abstractmethod
    def key_stream(self, key: bytes, dec: bool) -> int:
        """The bits of the key as a number, the first bit lowest."""

    @abstractmethod
    def block_in(self, block: bytes, dec: bool) -> int:
        """The bits of a block in the order in which they pass data_i, as a number, the first bit lowest."""

    @abstractmethod
    def block_out(self, stream: int, dec: bool) -> bytes:
        """The block whose bits left data_o in this order."""


# ---- HIGHT.


class Hight(Core):
    cipher = family = "HIGHT"
    block_bits = 64

    def key_stream(self, key: bytes, dec: bool) -> int:
        return int.from_bytes(key, "big" if dec or self.data_width == 64 else "little")

    def block_in(self, block: bytes, dec: bool) -> int:
        low, high = (int.from_bytes(bytes(block[n] for n in lane), "little") for lane in self._lanes(dec, False))
        if self._plain():
            return high << 32 | low
        d, mask = self.bits, (1 << self.bits) - 1
        return sum((low >> n & mask | (high >> n & mask) << d) << 2 * n for n in range(0, 32, d))

    def block_out(self, stream: int, dec: bool) -> bytes:
        if self._plain():
            low, high = stream % (1 << 32), stream >> 32
        else:
            d, mask = self.bits, (1 << self.bits) - 1
            low = sum((stream >> 2 * n & mask) << n for n in range(0, 32, d))
            high = sum((stream >> 2 * n + d & mask) << n for n in range(0, 32, d))
        places = [n for lane in self._lanes(dec, True) for n in lane]
        came = low.to_bytes(4, "little") + high.to_bytes(4, "little")
        return bytes(came[places.index(n)] for n in range(8))

    def _plain(self) -> bool:
        """One lane, or all of a block at once."""
        return self.data_width in (self.bits, 64)

    def _lanes(self, dec: bool, out: bool) -> tuple[bytes, bytes]:
        """The bytes of a block in the order in which they pass each lane. Where there is one lane, it passes the
        first part and then the second."""
        if self.data_width == 64:
            return b"\0\1\2\3", b"\4\5\6\7"
        if self._plain():
            return (b"\7\0\1\2", b"\3\4\5\6") if out else (b"\0\1\2\3", b"\4\5\6\7")
        if dec:
            return b"\6\4\2\0", b"\7\5\3\1" if out else b"\5\3\1\7"
        return b"\0\2\4\6", b"\7\1\3\5" if out else b"\1\3\5\7"


def _serial(d: int, both: int) -> Core:
    return Hight(
        f"serial_{'both' if both else 'enc'}_{d}", "hight_serial", {"D": d, "BOTH": both}, d, bool(both), 1088 // d,
        key_width=d, data_width=2 * d,
    )  # fmt: skip


def _plain(d: int) -> Core:
    return Hight(
        f"plain_enc_{d}", "hight_serial", {"D": d, "PLAIN": 1}, d, False, 1152 // d, key_width=d, data_width=d,
        like="replica_enc" if d == 1 else "",
    )  # fmt: skip


# ---- LEA.


class Lea(Core):
    """Words pass the ports side by side, low bits first, or one after the other, X3 and T1 first. To decrypt, the words of
    a block are in the opposite order."""

    cipher = "LEA-128"
    family = "LEA"
    keyed = True

    def key_stream(self, key: bytes, dec: bool) -> int:
        return self._stream(key, (1, 3, 2, 0))

    def block_in(self, block: bytes, dec: bool) -> int:
        return self._stream(block, (3, 2, 1, 0), dec)

    def _stream(self, value: bytes, order: tuple[int, ...], back: bool = False) -> int:
        words = [int.from_bytes(value[n : n + 4], "little") for n in range(0, len(value), 4)][:: -1 if back else 1]
        if self.data_width == 1:
            return sum(words[n] << 32 * at for at, n in enumerate(order))
        d, mask = self.data_width // 4, (1 << self.data_width // 4) - 1
        return sum((w >> at & mask) << len(words) * at + d * n for at in range(0, 32, d) for n, w in enumerate(words))

    def block_out(self, stream: int, dec: bool) -> bytes:
        if self.data_width == 1:
            words = [stream >> 32 * at & 0xFFFFFFFF for at in (3, 2, 1, 0)]
        else:
            d, mask = self.data_width // 4, (1 << self.data_width // 4) - 1
            words = [sum((stream >> 4 * at + d * n & mask) << at for at in range(0, 32, d)) for n in range(4)]
        return b"".join(word.to_bytes(4, "little") for word in words[:: -1 if dec else 1])


class Lea192(Lea):
    cipher = "LEA-192"
    key_bits = 192


class Lea256(Lea):
    cipher = "LEA-256"
    key_bits = 256


def _lea(d: int, form: type[Lea] = Lea) -> Core:
    words = form.key_bits // 32
    name, top, parameters = ("lea", "lea_serial", {"D": d}) if words == 4 else (
        f"lea{form.key_bits}", "lea_long", {"D": d, "WORDS": words}
    )  # fmt: skip
    passes = 17 + 2 * words  # a round each, and one in which a block enters
    return form(
        f"{name}_enc_{4 * d}", top, parameters, 4 * d, False, (passes + 1) * 32 // d, passes * 32 // d,
        key_width=words * d, data_width=4 * d,
    )  # fmt: skip


def _lea_both(d: int, form: type[Lea] = Lea) -> Core:
    words = form.key_bits // 32
    name, parameters = ("lea", {"D": d}) if words == 4 else (f"lea{form.key_bits}", {"D": d, "WORDS": words})
    passes = 17 + 2 * words  # a round each, and one in which a block enters; in all but two of them the key runs to its end
    return form(
        f"{name}_both_{4 * d}", "lea_both", parameters, 4 * d, True, (passes + 1) * 32 // d, passes * 32 // d,
        (passes - 2) * 32 // d, key_width=words * d, data_width=4 * d,
    )  # fmt: skip


# ---- ARIA.


class Aria(Core):
    """Bytes in the order of memory."""

    cipher = "ARIA-128"
    family = "ARIA"

    def key_stream(self, key: bytes, dec: bool) -> int:
        return int.from_bytes(key, "little")

    def block_in(self, block: bytes, dec: bool) -> int:
        return int.from_bytes(block, "little")

    def block_out(self, stream: int, dec: bool) -> bytes:
        return stream.to_bytes(16, "little")


def _aria(d: int) -> Core:
    period = 688 + 280 // d
    return Aria(
        f"aria_enc_8_{d}", "aria_serial", {"D": d}, 8, False, period + 16, period, prepares=16 + 8 // d, key_width=8,
        data_width=8,
    )  # fmt: skip


def _wide(w: int, both: int) -> Core:
    columns = 128 // w
    return Aria(
        f"aria_{'both' if both else 'enc'}_{w}", "aria_wide", {"W": w, "BOTH": both}, w, bool(both), 14 * columns,
        13 * columns, prepares=(12 if both else 6) * columns, key_width=w, data_width=w,
    )  # fmt: skip


CORES = {
    core.name: core
    for core in (
        *(_serial(d, both) for both in (0, 1) for d in (1, 2, 4, 8)),
        *(_plain(d) for d in (1, 8)),
        Hight("latch_enc", "hight_latch", cycles=1088, period=1152, late=True),
        Hight("round_enc", "hight_round", {"BOTH": 0}, 64, False, 34, key_width=8, data_width=64),
        Hight("round_both", "hight_round", {"BOTH": 1}, 64, True, 34, key_width=8, data_width=64),
        Hight("pipe_enc", "hight_pipe", {}, 64, False, 34, 1, key_width=8, data_width=64),
        Hight("replica_enc", "hight_replica", cycles=2176, data_width=1, note="replica of the published one"),
        *(_lea(d) for d in (1, 2, 4, 8, 16, 32)),
        *(_lea_both(d) for d in (1, 2, 8, 32)),
        *(_lea(d, Lea192) for d in (1, 8, 32)),
        *(_lea_both(d, Lea192) for d in (8, 32)),
        *(_lea(d, Lea256) for d in (1, 8, 32)),
        *(_lea_both(d, Lea256) for d in (8, 32)),
        Lea("lea_latch", "lea_latch", {}, 1, False, 2632, 2504, data_width=1),
        *(_aria(d) for d in (1, 4)),
        *(_wide(w, both) for both, widths in ((0, (32, 128)), (1, (8, 32, 128))) for w in widths),
    )
}


def bench() -> str:
    """The top of the test bench in Verilog. Every core of CORES has a lane of its own, which has a clock while it is
    selected.

    Inputs change after the rising edge of the clock. With DATA_AFTER_FALL defined, key and data change after the
    falling edge instead, and with ALL_AFTER_FALL all inputs do. With NETLIST defined, modules have the names of the
    cores and no parameters."""
    key_bits, block_bits = (max(getattr(core, bits) for core in CORES.values()) for bits in ("key_bits", "block_bits"))
    lines = [
        "// SPDX-License-Identifier: Apache-2.0 OR MIT",
        "`timescale 1ns / 1ps",
        "module bench;",
        "`ifdef ALL_AFTER_FALL",
        "  localparam CONTROL = 1, DATA = 1;",
        "`elsif DATA_AFTER_FALL",
        "  localparam CONTROL = 0, DATA = 1;",
        "`else",
        "  localparam CONTROL = 0, DATA = 0;",
        "`endif",
        "  reg run, key_go, go, stalls, dec;",
        "  reg [7:0] selected;",
        f"  reg [{key_bits - 1}:0] key;",
        "  reg [6:0] count;",
        f"  reg [{BATCH * block_bits - 1}:0] blocks;",
        "  reg clk;",
        "  initial {run, key_go, go, stalls, dec, selected, key, count, blocks, clk} = 0;",
        "  always #5 clk = ~clk & run;",
    ]
    for n, core in enumerate(CORES.values()):
        k, w = core.key_width + core.late, core.data_width
        parameters = ", ".join(f".{p}({v})" for p, v in core.parameters.items())
        lines += [
            f"`ifdef WITH_{core.name}",
            f"  wire {core.name}_clk, {core.name}_rst_n, {core.name}_stall, {core.name}_dec;",
            f"  wire {core.name}_ready, {core.name}_valid;",
            f"  wire [{k - 1}:0] {core.name}_key;",
            f"  wire [{w - 1}:0] {core.name}_in, {core.name}_out;",
            f"  wire {core.name}_rst_ni, {core.name}_stall_i, {core.name}_dec_i;",
            f"  wire [{k - 1}:0] {core.name}_key_i;",
            f"  wire [{w - 1}:0] {core.name}_data_i;",
            f"  inputs #(.W(3), .AFTER_FALL(CONTROL)) {core.name}_control (",
            f"      .clk({core.name}_clk), .d({{{core.name}_rst_n, {core.name}_stall, {core.name}_dec}}),",
            f"      .q({{{core.name}_rst_ni, {core.name}_stall_i, {core.name}_dec_i}})",
            "  );",
            f"  inputs #(.W({k + w}), .AFTER_FALL(DATA)) {core.name}_digits (",
            f"      .clk({core.name}_clk), .d({{{core.name}_key, {core.name}_in}}),",
            f"      .q({{{core.name}_key_i, {core.name}_data_i}})",
            "  );",
            f"  lane #(.KB({core.key_bits}), .KW({core.key_width}), .LATE({int(core.late)}), .KEYED({int(core.keyed)}),",
            f"      .BB({core.block_bits}), .DW({w}), .BATCH({BATCH})) {core.name}_lane (",
            f"      .clk(clk), .select(selected == {n}), .key_go(key_go), .key(key[{core.key_bits - 1}:0]), .go(go),",
            f"      .count(count), .blocks(blocks[{BATCH * core.block_bits - 1}:0]), .stalls(stalls), .dec(dec), .busy(),",
            "      .results(), .cycles(),",
            *(
                f"      .core_{port}({core.name}_{wire}),"
                for port, wire in (
                    ("clk", "clk"), ("rst_n", "rst_n"), ("stall", "stall"), ("dec", "dec"), ("key", "key"),
                    ("data", "in"), ("ready", "ready"), ("valid", "valid"),
                )
            ),
            f"      .core_result({core.name}_out)",
            "  );",
            "`ifdef NETLIST",
            f"  {core.name}",
            "`else",
            f"  {core.top}" + (f" #({parameters})" if parameters else ""),
            "`endif",
            f"  {core.name}_core (",
            f"      .clk_i({core.name}_clk), .rst_ni({core.name}_rst_ni), .stall_i({core.name}_stall_i),",
            f"      .dec_i({core.name}_dec_i), .key_i({core.name}_key_i), .data_i({core.name}_data_i),",
            f"      .ready_o({core.name}_ready),",
            f"      .valid_o({core.name}_valid), .data_o({core.name}_out)",
            "  );",
            "`endif",
        ]  # fmt: skip
    return "\n".join([*lines, "endmodule", ""])
