# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Zephyr module, built with the sample as a project of its own. Zephyr's tree is in no package registry: a stand-in of its
build (test/packaging/zephyr) takes module.yml, Kconfig and CMakeLists.txt as its documentation says that Zephyr does."""

import shutil

import kconfiglib
import native
import pytest
from firmware import HERE, cmake, printed
from library import Aead

from bench.made.elf import Image

pytestmark = pytest.mark.full

KEY = bytes.fromhex("0f1e2d3c4b5a69788796a5b4c3d2e1f0")


def application(folder, *options: str):
    """A copy of the sample, with further lines in its prj.conf."""
    project = folder / "application"
    shutil.copytree(native.ROOT / "examples/zephyr", project)
    with (project / "prj.conf").open("a") as file:
        file.writelines(f"{option}\n" for option in options)
    return project


def built(target: str, project):
    return cmake(target, project, f"-DZephyr_DIR={HERE / 'zephyr'}", f"-DZEPHYR_EXTRA_MODULES={native.ROOT}")


@pytest.mark.parametrize("target", ["armv7m", *(pytest.param(t, marks=pytest.mark.slow) for t in ("armv6m", "rv32"))])
def test_the_sample_seals_its_reading(tmp_path, target):
    text, tag = Aead("ccm", "lea128", KEY).seal(b"\1" + bytes(11), b"", b"21.5 C", 8)
    assert printed(target, built(target, application(tmp_path))) == f"sealed: {(text + tag).hex()}\n"


@pytest.mark.slow
def test_kconfig_chooses_a_kernel(tmp_path):
    elf = built("armv7m", application(tmp_path, 'CONFIG_HAECHI_LEA_KERNEL="lea_armv7m_small"'))
    assert "haechi_lea_armv7m_small_128" in Image(elf).symbols and "haechi_lea_armv7m_128" not in Image(elf).symbols


@pytest.mark.parametrize("core, kernel", [("M3", ""), ("M4", "aria_armv7m_ram"), ("M33", "aria_armv7m_ram"), ("M7", "")])
def test_the_core_chooses_the_kernel_of_aria(tmp_path, core, kernel):
    """Empty: the default of the chip's compiler, which cannot tell Cortex-M4 from Cortex-M7."""
    (tmp_path / "Kconfig").write_text(f'config CPU_CORTEX_{core}\n\tbool\n\tdefault y\n\nsource "{native.ROOT}/zephyr/Kconfig"\n')
    (tmp_path / "prj.conf").write_text("CONFIG_HAECHI=y\n")
    options = kconfiglib.Kconfig(str(tmp_path / "Kconfig"), warn_to_stderr=False)
    options.load_config(str(tmp_path / "prj.conf"))
    assert options.syms["HAECHI_ARIA_KERNEL"].str_value == kernel
    assert not kernel or list((native.ROOT / "src/aria/armv7m").glob(f"{kernel}.*"))


@pytest.mark.parametrize("option, wrong", [("CONFIG_HAECHI_CCM=n", "haechi_ccm"), ("CONFIG_HAECHI_LEE=y", "HAECHI_LEE")])
def test_what_kconfig_leaves_out_is_missing(tmp_path, option, wrong):
    with pytest.raises(RuntimeError, match=wrong):
        built("armv7m", application(tmp_path, option))
