# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The CMSIS-Pack: a project takes the component as an IDE does, by what its description lists, and runs."""

import xml.etree.ElementTree as ElementTree
import zipfile

import cmsis_pack
import native
import pytest
import release
from consumer import PRINTS, PROGRAM
from firmware import CONSOLE, HERE, printed
from kernels import TARGETS

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The pack's folder, and the root of its description."""
    folder = tmp_path_factory.mktemp("cmsis")
    path, again = (cmsis_pack.pack(native.ROOT, to, release.version(native.ROOT), "2026-01-31") for to in (folder, folder / "again"))
    assert path.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder / "pack")
    return folder / "pack", ElementTree.parse(folder / "pack/Haechi.Haechi.pdsc").getroot()


def test_the_description_names_what_is_there(unpacked):
    """All files that it names, and every source; the name, version and release agree with the file's name."""
    folder, package = unpacked
    named = {file.get("name") for file in package.iter("file")} | {licence.get("name") for licence in package.iter("license") if licence.get("name")}
    assert all((folder / name).exists() for name in named)
    assert {str(p.relative_to(folder)) for p in (folder / "src").rglob("*") if p.suffix in (".c", ".S")} <= named
    version = package.find("releases/release").get("version")
    assert version == package.find("components/component").get("Cversion") == release.version(native.ROOT)
    conditions = {condition.get("id") for condition in package.iter("condition")}
    assert {component.get("condition") for component in package.iter("component")} <= conditions


@pytest.mark.parametrize("target", ["armv7m", pytest.param("armv6m", marks=pytest.mark.slow)])
def test_a_project_takes_the_component(tmp_path, unpacked, target):
    folder, package = unpacked
    chip = TARGETS[target]
    core = {"cortex-m0plus": "Cortex-M0+", "cortex-m3": "Cortex-M3"}[chip.chip]
    assert core in {accepted.get("Dcore") for accepted in package.iter("accept")}
    files = list(package.iter("file"))
    include = [f"-I{folder / file.get('name')}" for file in files if file.get("category") == "include"]
    taken = [folder / file.get("name") for file in files if file.get("category") in ("sourceC", "sourceAsm")]
    flags = [f"{chip.chip_flag}{chip.chip}", *chip.flags, f"-I{HERE / 'include'}", *include]
    brought = [PROGRAM, CONSOLE, *(native.ROOT / name for name in chip.sources)]
    link = [*chip.link, "-Wl,--undefined=haechi_bench_idle", "-T", native.ROOT / chip.script]
    native.run([chip.compiler, *flags, *link, *taken, *brought, "-lgcc", "-o", tmp_path / "project.elf"])
    assert printed(target, tmp_path / "project.elf") == PRINTS
