# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scenarios 1 and 2 of FELICS: the figures in results/ are those of the code there is, their arithmetic gives published
figures of merit, and a wrong answer stops the measurement."""

import pytest
from msgspec.structs import replace

from bench.declared.model import VARIANTS, BenchError, kernels, load_targets
from bench.made import build
from bench.measured import felics, felics_arm
from bench.measured.measurement import differences
from bench.reported import pages
from bench.reported.book import Book
from bench.simulated.drive import Drive
from bench.simulated.simulators import open_simulator

TARGETS = load_targets()
KEY = bytes.fromhex("0f1e2d3c4b5a69788796a5b4c3d2e1f0")
SOME = [("avr", "hight_avr_flash_tiny"), ("msp430", "hight_msp430_signed"), ("armv7m", "aria_armv7m_flash")]


def _card(target, kernel):
    return next(card for card, name in kernels(target) if name == kernel)


@pytest.mark.parametrize("name, kernel", SOME)
def test_figures_of_the_scenarios_are_those_of_the_code_there_is(name, kernel):
    target = felics.device(TARGETS[name])
    build.check(target)
    fresh = felics.rows(felics.TARGET, (target, _card(target, kernel), kernel))
    stored = [row for row in felics.SCENARIOS.read("felics") if (row.target, row.kernel) == (name, kernel)]
    assert {row.scenario for row in fresh} == {1, 2} == {row.scenario for row in stored}
    assert not differences(stored, fresh)


def test_every_kernel_for_microcontrollers_has_both_scenarios():
    wanted = {
        (name, kernel, scenario)
        for name in felics.DEVICES for _, kernel in kernels(TARGETS[name]) for scenario in (1, 2)
    }  # fmt: skip
    found = {(row.target, row.kernel, row.scenario) for row in felics.SCENARIOS.read("felics") if row.wrapper == "C"}
    assert found == wanted


def test_every_kernel_with_scenarios_in_assembly_has_both():
    wanted = {
        (name, kernel, scenario)
        for name in felics.DEVICES for _, kernel in kernels(TARGETS[name]) for scenario in (1, 2) if felics.fused(kernel).exists()
    }  # fmt: skip
    found = {(row.target, row.kernel, row.scenario) for row in felics.SCENARIOS.read("felics") if row.wrapper == "assembly"}
    assert found == wanted
    files = {path.stem.removeprefix("felics_") for path in felics.HARNESS.parent.glob("felics_*.S")}
    assert files == {kernel for _, kernel, _ in wanted}, "a file whose name is not that of a kernel"


@pytest.mark.parametrize("scenario", [1, 2])
def test_scenarios_in_assembly_beat_those_in_C(scenario):
    ours = [row for row in felics.TRIATHLON.read("felics") if (row.scenario, row.side) == (scenario, "Haechi")]
    best = {(row.cipher, row.wrapper): row.fom for row in ours}
    for cipher in felics.CIPHERS:
        assert best[cipher, "assembly"] < best[cipher, "C"]


def test_triathlon_is_that_of_the_figures():
    assert felics.TRIATHLON.read("felics") == felics.triathlon(felics.SCENARIOS.read("felics"), felics.published())


@pytest.mark.parametrize(
    "scenario, wanted", [(1, {"avr": 8.098, "msp430": 8.841, "armv7m": 7.760}), (2, {"avr": 6.384, "msp430": 7.794, "armv7m": 9.422})]
)
def test_published_figures_of_merit_come_out(scenario, wanted):
    """The published ones of LEA in FELICS."""
    found = {
        row.target: round(sum(felics.ratios(scenario, row.target, row.code_bytes, row.ram_bytes, row.cycles)), 3)
        for row in felics.published() if (row.scenario, row.cipher) == (scenario, "LEA")
    }  # fmt: skip
    assert found == wanted


def test_the_better_side_has_the_better_rank():
    rows = felics.triathlon([], felics.published())
    assert [row.two_devices_rank for row in rows if row.scenario == 1] == list(range(1, 1 + len(rows) // 2))
    assert rows[0].cipher == "Chaskey-128/128"


def test_a_wrong_answer_stops_the_measurement():
    target, kernel = TARGETS["avr"], "hight_avr_flash_tiny"
    card, variant = _card(target, kernel), VARIANTS["HIGHT"][0]
    build.check(target)
    names = tuple(f"haechi_{kernel}_{what}" for what in ("enc", "dec")) + ("",)
    source = felics._source(target, card, kernel, variant, names, bytes(136))  # not the round keys of the key
    program = felics._program(target, card, kernel, source, "-Os")
    with open_simulator(target, target.chip, program.elf) as simulator:
        scenarios = felics.Scenarios(target, simulator, program, kernel, variant, "-Os", "C")
        scenarios.expect()
        scenarios.one(("felics_cbc_encrypt_uint8_t", "felics_cbc_decrypt_uint8_t"))
        with pytest.raises(BenchError, match="ctr is not what single blocks give"):
            scenarios.two("felics_ctr_uint8_t")
        scenarios.enciphered = bytes(felics.DATA)
        with pytest.raises(BenchError, match="enc is not what single blocks give"):
            scenarios.one(("felics_cbc_encrypt_uint8_t", "felics_cbc_decrypt_uint8_t"))


def test_a_faster_row_has_the_smaller_figure():
    row = next(row for row in felics.SCENARIOS.read("felics") if row.scenario == 1)
    half = felics.ratios(1, row.target, row.code_bytes, row.ram_bytes, row.cycles // 2)
    assert sum(half) < row.fom == pytest.approx(row.code_ratio + row.ram_ratio + row.cycles_ratio, abs=0.002)


# ---- Published Arm code in our model.


def test_every_published_cipher_of_the_table_is_there_once():
    wanted = {
        (r.scenario, r.cipher, r.block_bits, r.key_bits, r.version, r.options, r.cycles)
        for r in felics.published() if r.target == "armv7m" and r.cipher in felics_arm.CIPHERS
    }  # fmt: skip
    rows = felics_arm.PUBLISHED_ON_ARM.read("felics")
    assert len(rows) == len(wanted)
    assert wanted == {
        (r.scenario, r.cipher, r.block_bits, r.key_bits, r.version, r.options, r.published_cycles) for r in rows
    }


def test_a_board_that_waits_for_its_flash_is_slower_than_the_model():
    for row in felics_arm.PUBLISHED_ON_ARM.read("felics"):
        assert row.cycles == row.eks_cycles + row.enc_cycles + row.dks_cycles + row.dec_cycles
        assert row.published_cycles > row.cycles and row.ratio == round(row.published_cycles / row.cycles, 2)


@pytest.mark.parametrize("scenario", [1, 2])
def test_the_mean_if_arm_waited_is_that_of_cycles_that_take_longer(scenario):
    """Of all our rows; with figures of merit that are computed anew from longer cycles."""
    factors = [row.ratio for row in felics_arm.PUBLISHED_ON_ARM.read("felics") if row.scenario == scenario]
    slower = [
        [
            replace(row, fom=row.code_ratio + row.ram_ratio + row.cycles_ratio * (factor if row.target == "armv7m" else 1))
            for row in felics.SCENARIOS.read("felics") if row.scenario == scenario
        ]
        for factor in (min(factors), max(factors))
    ]  # fmt: skip
    shown = pages._waiting(Book(), scenario)
    means = [{(r.cipher, r.wrapper): r.fom for r in felics.triathlon(rows, []) if r.scenario == scenario} for rows in slower]
    assert set(shown) == set(means[0]) and len(shown) == 2 * len(felics.CIPHERS)
    for name, text in shown.items():
        low, high = map(float, text.split(" to "))
        assert (low, high) == (pytest.approx(means[0][name], abs=0.011), pytest.approx(means[1][name], abs=0.011))


@pytest.mark.skipif(not felics_arm.CLONE, reason="HAECHI_FELICS does not name a clone of cryptolu/FELICS")
def test_cycles_of_published_code_are_those_of_the_model():
    parts = felics_arm.parts(felics.TARGET, [])
    fresh = [row for part in parts.values() for row in felics_arm.rows(felics.TARGET, part)]
    assert not differences(felics_arm.PUBLISHED_ON_ARM.read("felics"), fresh)


# ---- Scenarios in assembly.


@pytest.mark.parametrize("name, kernel", [(t, k) for t in felics.DEVICES for _, k in kernels(TARGETS[t]) if felics.fused(k).exists()])
def test_scenarios_in_assembly_encrypt_any_message(name, kernel):
    """Of another key, message and counter than those of the measurement, and with a counter whose last byte wraps."""
    target, card = felics.device(TARGETS[name]), _card(TARGETS[name], kernel)
    build.check(target)
    variant = VARIANTS[card.cipher][0]
    with open_simulator(target, target.chip, build.elf(target, target.chip, card, kernel)) as simulator:
        keys, _ = Drive(simulator, kernel, variant, False).expand(KEY)
    program = felics._fused_program(target, card, kernel, keys)
    with open_simulator(target, target.chip, program.elf) as simulator:
        scenarios = felics.Scenarios(target, simulator, program, kernel, variant, "assembly", "assembly")
        scenarios.key, scenarios.data = KEY, bytes(range(1, 129))
        scenarios.iv = bytes(range(200, 199 + variant.block)) + b"\xff"
        scenarios.expect()
        scenarios.one(("felics_cbc_encrypt", "felics_cbc_decrypt"))
        scenarios.two("felics_ctr")
        scenarios.stream = bytes(16)
        with pytest.raises(BenchError, match="ctr is not what single blocks give"):
            scenarios.two("felics_ctr")
