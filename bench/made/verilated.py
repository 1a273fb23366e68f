# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RISC-V cores whose RTL PyPI has (pythondata-cpu-...), as shared objects for this host, made by Verilator."""

import os
import shutil
from importlib.resources import files
from pathlib import Path

import msgspec

from bench.declared.model import ROOT
from bench.made import build
from bench.made.cache import BUILD, digest, kept, note

HERE = ROOT / "bench/made/cores"
# Verilator finds modules by their names, but it must read packages before it reads what imports them.
PACKAGES = ["prim_ram_1p", "prim_secded", "prim_mubi", "prim_cipher", "prim_count", "prim_util"]


class Core(msgspec.Struct, frozen=True):
    """A core in one configuration. design names the file in bench/made/cores/ that instantiates it, and parameters are
    that file's, where they are not its defaults."""

    name: str
    design: str
    parameters: dict[str, int] = {}

    def __hash__(self) -> int:
        return hash(self.name)


def _ibex() -> list:
    top = Path(str(files("pythondata_cpu_ibex"))) / "system_verilog"
    ip = top / "vendor/lowrisc_ip/ip"
    folders = [top / "rtl", ip / "prim/rtl", ip / "prim_generic/rtl"]
    include = [f"-I{folder}" for folder in folders[:2]] + [f"-I{top}/vendor/lowrisc_ip/dv/sv/dv_utils"]
    search = [word for folder in folders for word in ("-y", folder)]
    return [*include, *search, *(ip / f"prim/rtl/{name}_pkg.sv" for name in PACKAGES), top / "rtl/ibex_pkg.sv"]


def _picorv32() -> list:
    return [Path(str(files("pythondata_cpu_picorv32"))) / "verilog/picorv32.v"]


SOURCES = {"ibex": _ibex, "picorv32": _picorv32}


@kept
def verilated(core: Core) -> Path:
    """The shared object, with the functions of bench/made/cores/core.cc."""
    folder = BUILD / "cores" / f".{core.name}.{os.getpid()}"  # other processes may build the same core
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = ["verilator", "--cc", "--exe", "--build", "-j", "2", "--top-module", "core", "--prefix", "Vcore", "--Mdir", folder]
    command += ["-O3", "--x-assign", "fast", "--x-initial", "fast", "-DSYNTHESIS", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
    command += [f"-G{name}={value}" for name, value in core.parameters.items()]
    command += [*SOURCES[core.design](), HERE / f"{core.design}.sv", HERE / "core.cc"]
    build.run([*command, "-CFLAGS", "-fPIC -O1 -std=c++17", "-LDFLAGS", "-shared", "-o", "core.so"])
    read = (folder / "Vcore__ver.d").read_text().partition(":")[2].split()
    note(*(path for path in read if Path(path).suffix in (".v", ".sv", ".svh", ".cc")))
    made = folder / "core.so"
    out = BUILD / "cores" / f"{core.name}-{digest(made)}.so"
    made.replace(out)
    shutil.rmtree(folder)
    return out
