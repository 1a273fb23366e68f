# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every core equals the specification for all keys and blocks, and what is planted in one is found out."""

import shutil

from marks import LATER
from planted import plant
import pytest

from bench.declared.cores import CORES, Core
from bench.made.synth import sources
from bench.measured.measurement import read_rows
from bench.reported.cores import PROVED, Proved
from proof.engines import sweep
from proof.rtl import code, theorem, ways

pytestmark = pytest.mark.skipif(not shutil.which("yosys"), reason="yosys is not installed")
WAYS = [(core, dec) for core in CORES.values() for dec in ways(core)]
SAMPLE = [("round_enc", False), ("lea_enc_64", False), ("aria_both_128", True)]
ALIKE = (  # make test-ci proves another core of the kind
    "aria_enc_8_1", "aria_enc_32", "aria_enc_128", "aria_both_8",
    "lea_both_4", "lea_both_8", "lea_both_32", "lea192_both_32", "lea192_both_128", "lea256_both_32",
)
FAULTS = {
    "a rotation": ("serial_enc_2", "hight_serial_f.v", "pair[6+:D] : pair[4+:D]", "pair[5+:D] : pair[4+:D]"),
    "the last round turns": (
        "serial_enc_8", "hight_serial_control.v", "pause_o & ~dec_i;", "pause_o & ~dec_i & ~last_i;"
    ),
    "another rotation": ("round_enc", "hight_step.v", "{pair[4:0], pair[7:5]}", "{pair[5:0], pair[7:6]}"),
    "a wrong bit for one in 2^24 of what a step of one round works on": (
        "round_enc", "hight_step.v", "b_o = b_i ^ sum",
        "b_o = b_i ^ sum ^ {({a_i, b_i, key_i, delta_i} == 31'h2BCDEF6D), 7'd0}",
    ),
    "the key turns once more behind a block": (
        "round_enc", "hight_round.v", "(dec ? ~last : rounds_q)", "(dec ? ~last : rounds_q) | out"
    ),
    "a word of LEA turns by another number": ("lea_enc_32", "lea_serial_text.v", "i == 1 ? 27", "i == 1 ? 26"),
    "a word of LEA-256's key moves to another place": (
        "lea256_enc_32", "lea_long_keys.v", "{t_o[0+:(6-ON)*D], rest}", "{t_o[D+:(6-ON)*D], rest}"
    ),
    "LEA-192 takes another constant in round 6": ("lea192_enc_32", "lea_long_delta.v", "r%WORDS", "r%7"),
    "LEA-256 ends a round early": ("lea256_enc_32", "lea_long_control.v", "? count_q[C-1] :", "? &count_q[4:0] :"),
    "LEA decrypts with a word of the key that turns by another number": (
        "lea_both_128", "lea_both_keys.v", ".M(32 - K)", ".M(i == 2 ? 25 : 32 - K)"
    ),
    "the direction of LEA's next block counts": (
        "lea_both_128", "lea_both_control.v", "if (load_o) dec_q <= dec_i", "dec_q <= dec_i"
    ),
    "LEA's text does not wait for the last key": (
        "lea_both_128", "lea_both_control.v", "dec_q & ~(back_q | last | load_o)", "1'b0"
    ),
    "LEA-192 decrypts with another word of the key in the last sum": (
        "lea192_both_128", "lea_both_text.v", "5 - 2 * i", "i == 0 ? 3 : 5 - 2 * i"
    ),
    "a word of LEA-256's key returns to another place": (
        "lea256_both_128", "lea_both_keys.v", "{rest, sum[2*D+:4*D]}", "{rest, sum[D+:4*D]}"
    ),
    "a carry of LEA goes on to the next word": ("lea_enc_4", "lea_add.v", "carry[D] & more_i", "carry[D]"),
    "an S-box of ARIA is wrong for one byte": (
        "aria_enc_128", "aria_sbox.v", "assign y_o =", "assign y_o = (x_i == 8'h5A) ^"
    ),
    "a sum of ARIA's diffusion layer has another bit": (
        "aria_enc_128", "aria_diffuse.v", "x[63] = x[0] ^ x[50]", "x[63] = x[1] ^ x[50]"
    ),
    "a word of ARIA's key turns by another number": (
        "aria_enc_128", "aria_turn.v", "word_i[8*8+3+:5]", "word_i[8*9+3+:5]"
    ),
    "the lost word of ARIA's key is not in the fourth round": (
        "aria_enc_8_4", "aria_serial_control.v", "take_o = step_q[1] & ~step_q[0]", "take_o = step_q[1] & step_q[0]"
    ),
    "a word of ARIA's key is sought in the wrong place": (
        "aria_enc_32", "aria_wide_keys.v", "column_i >= FROM[C-1:0]", "column_i > FROM[C-1:0]"
    ),
    "the last word of ARIA's key is made a pass early for decryption": (
        "aria_both_128", "aria_wide_control.v", "count_q == 4'd4,", "count_q == 4'd5,"
    ),
    "the last round key of ARIA is not added to a block that enters to be decrypted": (
        "aria_both_32", "aria_wide.v", "back & rst_ni", "back & ~load & rst_ni"
    ),
    "the text of ARIA does not stall": ("aria_enc_8_4", "aria_mixer.v", "posedge clk_i) if (en_i) x_q", "posedge clk_i) x_q"),
    "a register does not stall": ("round_enc", "hight_round.v", "posedge clk) if (en) delta_q", "posedge clk_i) delta_q"),
}  # fmt: skip


@pytest.mark.parametrize(
    "core, dec",
    [
        pytest.param(core, dec, id=f"{core.name}-{'dec' if dec else 'enc'}",
                     marks=pytest.mark.full if (core.name, dec) in SAMPLE else pytest.mark.slow if core.name in ALIKE else LATER)
        for core, dec in WAYS
    ],
)  # fmt: skip
def test_core_is_the_specification(core: Core, dec: bool):
    assert theorem(core, dec) is None


def test_every_core_was_proved():
    """Each core as it is now, in each of its directions: `make prove TARGET=rtl` writes results/rtl-proofs.csv."""
    rows = read_rows(PROVED, Proved)
    assert rows == [Proved(core.name, core.cipher, "dec" if dec else "enc", code(core)) for core, dec in WAYS]


FOUND = [
    "a rotation", "an S-box of ARIA is wrong for one byte",
    "a wrong bit for one in 2^24 of what a step of one round works on", "a register does not stall",
]  # fmt: skip
LONG = [  # for make test-all
    "a sum of ARIA's diffusion layer has another bit", "a word of ARIA's key turns by another number",
    "the lost word of ARIA's key is not in the fourth round",
    "LEA decrypts with a word of the key that turns by another number", "LEA's text does not wait for the last key",
    "LEA-192 decrypts with another word of the key in the last sum", "a word of LEA-256's key returns to another place",
]  # fmt: skip


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(f, marks=pytest.mark.full if f in FOUND else pytest.mark.slow if f in LONG else LATER)
        for f in FAULTS
    ],
)
def test_proofs_can_fail(fault, tmp_path):
    name, file, right, wrong = FAULTS[fault]
    core = CORES[name]
    assert theorem(core, core.both, plant(tmp_path, file, right, wrong, sources(core.family)))


@pytest.mark.slow
@pytest.mark.ci
def test_another_engine():
    assert theorem(CORES["round_enc"], False, engine=sweep) is None
