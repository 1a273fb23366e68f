# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The slaves of rtl/bus keep what they promise in every state, and what is planted in them is found out."""

import re
import shutil
from functools import cache

import pytest
from engines import EACH_ENGINE, EACH_SLAVE, FIRST
from planted import plant

from bench.declared.engines import ENGINES
from bench.made.registers import BUS
from proof.bits import Unproved
from proof.bus import STATEMENTS, Claims, Slave
from proof.rtl import BOXES

pytestmark = pytest.mark.skipif(not shutil.which("yosys"), reason="yosys is not installed")
LONG = "the_key_stream_is_the_cipher_of_the_counter"
made = cache(Slave)  # yosys takes six seconds for one


@pytest.mark.full
@EACH_ENGINE
@EACH_SLAVE
def test_every_transfer_is_as_promised(slave, engine):
    """In every state, for every address and every word."""
    found = {name: getattr(Claims(made(slave, engine)), name)() for name in STATEMENTS if name != LONG}
    assert len(found) > 7 and not {name: model for name, model in found.items() if model}


@pytest.mark.full
@EACH_ENGINE
@EACH_SLAVE
def test_start_and_clear_take_the_clocks_that_are_declared(slave, engine):
    """READY comes from every reachable state one clock before the first word, which moves in a transfer of its own."""
    claims, declared = Claims(made(slave, engine)), ENGINES[engine]
    assert (claims.ready_within() + 1, claims.cleared_within()) == (declared.started, declared.cleared)


@pytest.mark.slow
@pytest.mark.parametrize("bus, engine", [("wishbone", FIRST), *(("apb", name) for name in ENGINES)])
def test_the_key_stream_is_the_cipher_of_the_counter(bus, engine):
    claims = Claims(Slave(bus, engine, box=BOXES.get(ENGINES[engine].core.family, "")))
    assert getattr(claims, LONG)() is None


def test_the_driver_waits_long_enough():
    text = (BUS / "driver/haechi_ctr.h").read_text()
    assert int(re.search(r"#define HAECHI_CTR_TRIES (\d+)", text)[1]) > max(engine.started for engine in ENGINES.values())


FAULTS = {  # the bus, the file, what to replace in it by what, which statement fails, and for which engine if not for the usual one
    "the key can be read": (
        "apb", "haechi_ctr_registers.v", "{32{read_i & at_data}} & out_q", "{32{read_i & at_data}} & out_q | {32{read_i & at_key}} & word_i",
        "reads_give_only_what_they_should",
    ),
    "a write in the middle of a block passes": (
        "apb", "haechi_ctr_registers.v", "busy & (at_key | at_count |", "busy & (at_key |", "a_write_in_the_middle_of_a_block_is_refused",
    ),
    "a refused write changes the key": (
        "wishbone", "haechi_ctr_registers.v", "write_i & at_key & ~busy", "write_i & at_key", "what_is_refused_changes_nothing",
    ),
    "a transfer acts twice": (
        "wishbone", "haechi_ctr_wishbone.v", "stb_i & ~ack_q & ~err_q", "stb_i", "every_transfer_has_one_answer",
    ),
    "APB acts before its access": ("apb", "haechi_ctr_apb.v", "psel_i & penable_i", "psel_i", "every_transfer_has_one_answer"),
    "the result can be read twice": (
        "apb", "haechi_ctr_registers.v", "else if (read_i & at_data)", "else if (1'b0)", "a_word_of_data_meets_a_word_of_key_stream",
    ),
    "CLEAR leaves the key in the core": ("apb", "haechi_ctr_pace.v", "loaded_q & ~run_i", "~run_i", "clear_leaves_nothing"),
    "a key has a word too many": ("apb", "haechi_ctr_registers.v", "nth < kind", "nth <= kind", "reads_give_only_what_they_should"),
    "a word of the key goes to its neighbour": (
        "apb", "haechi_ctr_registers.v", "8'd1 << nth", "8'd1 << (nth ^ 4'd1)",
        "a_write_changes_the_word_that_it_names",
    ),
    "a new key does not end the key stream": (
        "apb", "haechi_ctr.v", "run_q & ~changed", "run_q", "there_is_key_stream_only_behind_start",
    ),
    "old key stream stays behind a new counter": (
        "apb", "haechi_ctr.v", "|{key_we_i, count_we_i}", "|key_we_i", "there_is_key_stream_only_behind_start",
    ),
    "key stream leaves the core without START": (
        "apb", "haechi_ctr_pace.v", "leaves_o = run_i &", "leaves_o =", "there_is_key_stream_only_behind_start",
    ),
    "CLEAR leaves the key in HIGHT's core": (
        "apb", "haechi_ctr_hight.v", ".RESET(RESET)", ".RESET(8)", "clear_leaves_nothing",
    ),
    "CLEAR leaves blocks in HIGHT's pipeline": ("apb", "haechi_ctr_hight.v", "(PIPE != 0 ? 3 : 2)", "2", "clear_leaves_nothing", "pipe_enc"),
    "CLEAR leaves the key in ARIA's core": ("apb", "haechi_ctr_aria.v", ".RESET(2 * 128 / W)", ".RESET(8)", "clear_leaves_nothing"),
    "the lanes of HIGHT's result change places": ("apb", "haechi_ctr_hight.v", "(2 * i + 7) % 8", "(2 * i + 1) % 8", LONG),
    "the counter carries one word only": ("apb", "haechi_ctr.v", "number + 1'b1", "{number[127:32], number[31:0] + 32'd1}", LONG),
}  # fmt: skip


def _faulty(bus, folder, *fault, engine):
    copies = plant(folder, *fault, files=BUS.glob("*.v*"))
    return Slave(bus, engine, sources=tuple(path for path in copies if path.suffix == ".v"))


@pytest.mark.slow
@pytest.mark.parametrize("fault", [
    pytest.param(f, marks=pytest.mark.ci if LONG not in fault and "pipe_enc" not in fault else ()) for f, fault in FAULTS.items()
])  # fmt: skip
def test_proofs_can_fail(fault, tmp_path):
    bus, name, right, wrong, statement, *other = FAULTS[fault]
    engine = other[0] if other else {"haechi_ctr_hight.v": "serial_enc_8", "haechi_ctr_aria.v": "aria_enc_8_1"}.get(name, "lea_enc_32" if statement == LONG else "lea_enc_4")
    claims = Claims(_faulty(bus, tmp_path, name, right, wrong, engine=engine))
    try:
        assert getattr(claims, statement)()
    except Unproved:
        pass


@pytest.mark.slow
@pytest.mark.ci
def test_a_core_that_never_starts_is_found(tmp_path):
    """READY then never comes in a state that can be reached."""
    faulty = _faulty("apb", tmp_path, "haechi_ctr.v", "full_q <= 1'b1", "full_q <= 1'b0", engine="lea_enc_4")
    with pytest.raises(Unproved, match="READY never comes"):
        Claims(faulty).ready_within()
