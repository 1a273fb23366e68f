# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The promises of the README: a chip needs one TOML; a kernel needs one file, one entry in a card and one rung."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.declared.model import ROOT, VARIANTS, BenchError, kernels, load_cards, load_target, load_targets
from bench.measured import counter, drbg, kernels as measured, modes

CHIP = "atmega1284p"
SAMPLE = ["hight_avr_small"]
TREE = ("src", "bench", "proof", "spec", "tools", "papers", "vectors", "results", "test")


@pytest.fixture(scope="module")
def chip(tmp_path_factory):
    """The ATmega1284P, declared by one TOML file beside avr.toml."""
    text = (ROOT / "bench/declared/targets/avr.toml").read_text()
    path = tmp_path_factory.mktemp("targets") / f"{CHIP}.toml"
    path.write_text(text.replace('name = "avr"', f'name = "{CHIP}"').replace('chip = "atmega128"', f'chip = "{CHIP}"'))
    return load_target(path)


def test_a_chip_has_all_kernels_of_its_machine(chip):
    assembly = {k for card in load_cards() if card.machine == "avr" for k in card.kernels}
    assert len(assembly) >= 17 and assembly <= {kernel for _, kernel in kernels(chip)}
    assert set(measured.KERNELS.parts(chip, list(VARIANTS))) == {k for _, k in kernels(load_targets()["avr"])}
    for measurement in (modes.MODES, counter.WAYS, drbg.DRBG):
        assert chip.machine in measurement.machines and measurement.parts(chip, list(VARIANTS))


def alike(chip, names) -> None:
    """The cycles of assembly are the same on every ATmega."""
    parts, stored = measured.KERNELS.parts(chip, list(VARIANTS)), measured.KERNELS.read("avr")
    for name in names:
        cycles = {(r.cipher, r.operation, r.blocks): r.cycles for r in measured.rows(chip, parts[name])}
        mine = {
            (r.cipher, r.operation, r.blocks): r.cycles
            for r in stored if r.kernel == name and r.compiler == "assembly"
        }  # fmt: skip
        assert mine and mine.items() <= cycles.items()


def test_a_chip_is_measured(chip):
    alike(chip, SAMPLE)


@pytest.mark.slow
def test_a_chip_is_measured_with_all_kernels(chip):
    alike(chip, [kernel for card, kernel in kernels(chip) if card.machine == "avr"])


# ---- A kernel.

OLD, NEW = "hight_avr_small", "hight_avr_renamed"
ASK = f"""
from kernels import everywhere, TARGETS
from bench.declared.model import load_targets
from bench.made import build
from bench.measured import kernels as measured
from proof.claims import breaches, claims, kernels as proved
avr = load_targets()["avr"]
assert build.ladder(avr, "HIGHT") == ["{NEW}"]
assert "{NEW}" in everywhere(TARGETS["avr"])
parts = measured.KERNELS.parts(avr, ["HIGHT"])
rows = [[(r.operation, r.blocks, r.cycles, r.linked_code_bytes) for r in measured.rows(avr, parts[k])] for k in ("{OLD}", "{NEW}")]
assert rows[0] == rows[1] and rows[0]
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project that has a kernel a second time, under another name."""
    root = tmp_path_factory.mktemp("project")
    for name in TREE:
        shutil.copytree(ROOT / name, root / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "plots"))
    shutil.copy(ROOT / "requirements.txt", root)
    folder = root / "src/hight/avr"
    (folder / f"{NEW}.S").write_text((folder / f"{OLD}.S").read_text().replace(OLD, NEW))
    card = (folder / "card.yml").read_text()
    entry = re.search(rf"^  {OLD}:\n(?:    .*\n)+", card, re.M)[0]
    (folder / "card.yml").write_text(card + entry.replace(f"  {OLD}:", f"  {NEW}:"))
    ladder = root / "src/hight/kernels.h"
    ladder.write_text(ladder.read_text().replace("RUNG(hight_avr_flash,", f"RUNG({NEW},"))
    return root


def ask(project: Path, *command: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *command], cwd=project, capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{project}:{project}/test"})  # fmt: skip


@pytest.mark.full
def test_a_kernel_is_measured_and_the_default(project):
    done = ask(project, "-c", ASK)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_kernel_is_proved_and_tested(project):
    done = ask(project, "-m", "proof", "--target", "avr", "--kernel", NEW)
    assert done.returncode == 0 and f"avr HIGHT {NEW} enc" in done.stdout, done.stdout + done.stderr
    collected = ask(project, "-m", "pytest", "-q", "--collect-only", "test/kernel/test_kernels.py")
    assert f"test_mutation[{NEW}" in collected.stdout



def test_a_kernel_without_a_card_is_named(tmp_path):
    (tmp_path / "bench/declared").mkdir(parents=True)
    (tmp_path / "bench/declared/targets").symlink_to(ROOT / "bench/declared/targets")
    (tmp_path / "src/hight").mkdir(parents=True)
    shutil.copytree(ROOT / "src/hight/avr", tmp_path / "src/hight/avr")
    (tmp_path / "papers").symlink_to(ROOT / "papers")
    (tmp_path / f"src/hight/avr/{NEW}.S").touch()
    with pytest.raises(BenchError, match=f"{NEW}.S: no card names this kernel; describe it in .*src/hight/avr/card.yml"):
        load_cards(tmp_path)
