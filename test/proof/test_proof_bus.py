# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The slaves of rtl/bus keep what they promise in every state, and what is planted in them is found out."""

import shutil
from functools import cache

import pytest
from planted import plant

from bench.made.registers import BUS
from proof.bits import Unproved
from proof.bus import CLEARED, SLAVES, STARTED, STATEMENTS, Claims, Slave

pytestmark = pytest.mark.skipif(not shutil.which("yosys"), reason="yosys is not installed")
LONG = "the_key_stream_is_the_cipher_of_the_counter"
slave = cache(Slave)


@pytest.mark.full
@pytest.mark.parametrize("bus", SLAVES)
def test_every_transfer_is_as_promised(bus):
    """In every state, for every address and every word."""
    found = {name: getattr(Claims(slave(bus)), name)() for name in STATEMENTS if name != LONG}
    assert len(found) > 7 and not {name: model for name, model in found.items() if model}


@pytest.mark.full
@pytest.mark.parametrize("bus", SLAVES)
def test_ready_comes_in_time_from_every_reachable_state(bus):
    """One clock less than haechi_ctr.v says of the first word, which moves in a transfer of its own."""
    claims = Claims(slave(bus))
    every, _ = claims.reachable
    assert len(every) == 1196 and claims.ready_within() == STARTED - 1


@pytest.mark.slow
@pytest.mark.parametrize("bus", SLAVES)
def test_the_key_stream_is_the_cipher_of_the_counter(bus):
    assert getattr(Claims(slave(bus)), LONG)() is None


def test_the_clocks_stand_in_the_source():
    text = " ".join((BUS / "haechi_ctr.v").read_text().replace("//", " ").split())
    assert f"the first word can move {STARTED} clocks later" in text and f"nothing of the key is left {CLEARED} clocks later" in text


FAULTS = {  # the bus, the file, what to replace in it by what, and which statement fails
    "the key can be read": (
        "apb", "haechi_ctr_registers.v", "{32{read_i & at_out}} & out_q", "{32{read_i & at_out}} & out_q | {32{read_i & at_key}} & word_i",
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
        "apb", "haechi_ctr_registers.v", "else if (read_i & at_out)", "else if (1'b0)", "a_word_of_data_meets_a_word_of_key_stream",
    ),
    "CLEAR leaves the key in the core": ("apb", "haechi_ctr.v", "clear ? 3'd5", "clear ? 3'd2", "clear_leaves_nothing"),
    "a word of the key goes to its neighbour": (
        "apb", "haechi_ctr_registers.v", "4'd1 << address_i[3:2]", "4'd1 << (address_i[3:2] ^ 2'd1)",
        "a_write_changes_the_word_that_it_names",
    ),
    "the counter carries one word only": ("apb", "haechi_ctr.v", "number + 128'd1", "{number[127:32], number[31:0] + 32'd1}", LONG),
}  # fmt: skip


def _faulty(bus, folder, *fault):
    copies = plant(folder, *fault, files=BUS.glob("*.v*"))
    return Slave(bus, sources=tuple(path for path in copies if path.suffix == ".v"))


@pytest.mark.slow
@pytest.mark.parametrize("fault", [pytest.param(f, marks=pytest.mark.ci if fault[-1] != LONG else ()) for f, fault in FAULTS.items()])
def test_proofs_can_fail(fault, tmp_path):
    bus, name, right, wrong, statement = FAULTS[fault]
    claims = Claims(_faulty(bus, tmp_path, name, right, wrong))
    try:
        assert getattr(claims, statement)()
    except Unproved:
        pass


@pytest.mark.slow
@pytest.mark.ci
def test_a_core_that_never_starts_is_found(tmp_path):
    """READY then never comes in a state that can be reached."""
    faulty = _faulty("apb", tmp_path, "haechi_ctr.v", "full_q <= 1'b1", "full_q <= 1'b0")
    with pytest.raises(Unproved, match="READY never comes"):
        Claims(faulty).ready_within()
