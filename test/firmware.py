# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fresh projects of firmware that use Haechi as a package: building them by their own CMakeLists.txt for a simulated chip,
and reading what they print there (test/packaging/console.c)."""

import sys
from pathlib import Path

import native
from kernels import TARGETS

from bench.simulated.simulators import open_simulator

HERE = native.ROOT / "test/packaging"
CONSOLE = HERE / "console.c"


def cmake(target: str, project: Path, *options: str, sources: list[Path] = ()) -> Path:
    """The ELF that a project's CMakeLists.txt makes for a target of the bench. The start-up code and the stand-in's other
    sources come with it."""
    chip = TARGETS[target]
    flags = [f"{chip.chip_flag}{chip.chip}", *(f for f in chip.flags if not f.startswith(("-std", "-O"))), "-Os"]
    brought = [*(native.ROOT / name for name in chip.sources), CONSOLE, *sources]
    build = project / "build"
    told = {
        "CMAKE_SYSTEM_NAME": "Generic", "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
        "CMAKE_C_COMPILER": chip.compiler, "CMAKE_ASM_COMPILER": chip.compiler,
        "CMAKE_C_FLAGS": " ".join([*flags, f"-I{HERE / 'include'}"]), "CMAKE_ASM_FLAGS": " ".join(flags),
        "CMAKE_EXE_LINKER_FLAGS": " ".join([*chip.link, "-Wl,--undefined=haechi_bench_idle", "-T", str(native.ROOT / chip.script)]),
        "STAND_IN_SOURCES": ";".join(map(str, brought)), "STAND_IN_PYTHON": sys.executable,
    }  # fmt: skip
    native.run(["cmake", "-G", "Ninja", "-S", project, "-B", build, *(f"-D{k}={v}" for k, v in told.items()), *options])
    native.run(["cmake", "--build", build])
    (elf,) = build.glob("*.elf")
    return elf


def printed(target: str, elf: Path) -> str:
    """What main prints in the target's simulator."""
    chip = TARGETS[target]
    with open_simulator(chip, chip.chip, elf) as machine:
        assert machine.call(machine.image.address("main")).violations == []
        return machine.read(machine.image.address("serial_text") & 0xFFFFFFFF, 256).split(b"\0")[0].decode()
