# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs that use the installed library in all usual ways."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import native
import pytest
from consumer import PRINTS, PROGRAM
from installed import installed, installed_in
from toolchains import TOOLCHAINS

from bench.declared.model import BenchError
from bench.made.cache import tool


@pytest.fixture(scope="module")
def prefix():
    """The library, built and installed as the README describes, and moved from /usr to another place."""
    return installed()


def library_folder(prefix):
    return next(prefix.glob("lib*/**/libhaechi.a")).parent


def output_of(program, prefix):
    return native.run([program], env={**os.environ, "LD_LIBRARY_PATH": str(library_folder(prefix))}).stdout


@pytest.mark.full
@pytest.mark.parametrize("compiler, suffix", [("gcc", "c"), ("g++", "cc"), (tool("clang"), "c"), ("gcc -flto", "c")])
def test_pkg_config(prefix, tmp_path, compiler, suffix):
    source = tmp_path / f"main.{suffix}"
    shutil.copy(PROGRAM, source)
    env = {**os.environ, "PKG_CONFIG_PATH": str(library_folder(prefix) / "pkgconfig")}
    flags = native.run(["pkg-config", "--cflags", "--libs", "haechi"], env=env).stdout.split()
    native.run([*compiler.split(), source, *flags, "-o", tmp_path / "main"])
    assert output_of(tmp_path / "main", prefix) == PRINTS


@pytest.mark.full
def test_pkg_config_wherever_it_is_installed(tmp_path):
    """cmake --install --prefix names another place than the configuration."""
    elsewhere = installed_in(tmp_path / "else where")
    env = {**os.environ, "PKG_CONFIG_PATH": str(library_folder(elsewhere) / "pkgconfig")}
    flags = shlex.split(native.run(["pkg-config", "--cflags", "--libs", "haechi"], env=env).stdout)
    assert {Path(f[2:]).resolve() for f in flags if f[:2] in ("-I", "-L")} == {elsewhere / "include", library_folder(elsewhere)}
    native.run(["gcc", PROGRAM, *flags, "-o", tmp_path / "main"])
    assert output_of(tmp_path / "main", elsewhere) == PRINTS


@pytest.mark.full
def test_hardening(prefix):
    """The libraries have stack protectors, control-flow enforcement, and no writable table of addresses."""
    for path in (prefix / "bin/haechi", library_folder(prefix) / "libhaechi.so"):
        read = native.run(["readelf", "-W", "--segments", "--dynamic", "--notes", path]).stdout
        assert "GNU_RELRO" in read and re.search(r"FLAGS_1\).*\bNOW\b", read) and "TEXTREL" not in read, path
        assert re.search(r"GNU_STACK .* RW ", read), path
        assert "__stack_chk_fail" in native.run(["nm", "-D", path]).stdout, path
        if os.uname().machine == "x86_64":
            assert re.search(r"x86 feature: IBT, SHSTK", read), path
            code = native.run(["objdump", "-d", "--no-show-raw-insn", path]).stdout
            assert code.count("endbr64") > 50, path
    assert re.search(r"FLAGS_1\).*\bPIE\b", native.run(["readelf", "-d", "-W", prefix / "bin/haechi"]).stdout)


@pytest.mark.full
@pytest.mark.parametrize("component", ["", "COMPONENTS static"])
@pytest.mark.parametrize("language", ["C", "CXX"])
def test_find_package(prefix, tmp_path, component, language):
    suffix = {"C": "c", "CXX": "cc"}[language]
    shutil.copy(PROGRAM, tmp_path / f"main.{suffix}")
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.18)\nproject(consumer {language})\n"
        f"find_package(haechi 0.1 REQUIRED {component})\n"
        f"add_executable(main main.{suffix})\ntarget_link_libraries(main haechi::haechi)\n"
    )
    native.run(["cmake", "-G", "Ninja", "-B", tmp_path / "build", "-S", tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}"])
    native.run(["cmake", "--build", tmp_path / "build"])
    assert output_of(tmp_path / "build/main", prefix) == PRINTS
    needed = native.run(["readelf", "-d", tmp_path / "build/main"]).stdout
    assert ("libhaechi.so" in needed) == (component == "")


def declared(*folders):
    """The names that the public headers in these folders declare for export."""
    header = "".join(path.read_text() for folder in folders for path in native.ROOT.glob(f"{folder}/haechi*.h"))
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    return set(re.findall(r"\bhaechi_\w+(?=[(,;])", "".join(re.findall(r"HAECHI_API[^;]*;", header))))


@pytest.mark.full
def test_shared_library_exports_the_header_and_nothing_else(prefix):
    names = native.run(["nm", "-D", "--defined-only", library_folder(prefix) / "libhaechi.so"]).stdout.split()[2::3]
    assert set(names) == declared("src", "host")


@pytest.mark.full
def test_a_dll_would_export_the_header_and_nothing_else(tmp_path):
    """Objects for Windows tell their linker which names to export. If one does, the linker exports no others."""
    exported = set()
    for path in [*native.ROOT.glob("src/*/*.c")]:
        target = ["--target=x86_64-w64-windows-gnu", "-ffreestanding", "-std=c99", "-DHAECHI_EXPORTS"]
        native.run([TOOLCHAINS["clang"][0], *target, *native.WARNINGS, "-c", path, "-o", tmp_path / "o"])
        exported |= {name.decode() for name in re.findall(rb"-export:(\w+)", (tmp_path / "o").read_bytes())}
    assert exported == declared("src")


@pytest.mark.full
def test_random_bytes(prefix, tmp_path):
    """haechi_random needs nothing but its header."""
    (tmp_path / "main.c").write_text(
        "#include <stdio.h>\n#include <haechi_random.h>\n"
        "int main(void) { unsigned char x[32]; return haechi_random(x, 32) || fwrite(x, 1, 32, stdout) != 32; }\n"
    )
    env = {**os.environ, "PKG_CONFIG_PATH": str(library_folder(prefix) / "pkgconfig")}
    flags = native.run(["pkg-config", "--cflags", "--libs", "haechi"], env=env).stdout.split()
    env = {**os.environ, "LD_LIBRARY_PATH": str(library_folder(prefix))}
    seen = set()
    for link in (flags, [*flags, "-static"]):
        native.run(["gcc", tmp_path / "main.c", *link, "-o", tmp_path / "main"])
        seen |= {subprocess.run([tmp_path / "main"], capture_output=True, check=True, env=env).stdout for _ in range(2)}
    assert len(seen) == 4 and all(len(x) == 32 for x in seen)


@pytest.mark.slow
@pytest.mark.ci
def test_whole_program_lto(tmp_path):
    """Only with the parts of the library that such a program needs, because the other ciphers would take time."""
    needed = [p for p in native.sources() if p.parts[len(native.ROOT.parts) + 1] in ("core", "mode", "hight")]
    include = f"-I{native.ROOT / 'src'}"
    native.run(["gcc", "-O2", "-flto", include, PROGRAM, *needed, "-o", tmp_path / "main"])
    assert native.run([tmp_path / "main"]).stdout == PRINTS


def test_only_named_ciphers_are_linked(tmp_path):
    main = native.build("named", [PROGRAM, *native.sources()], [*native.USUAL, "-Wl,--gc-sections"])
    symbols = native.run(["nm", main]).stdout
    assert "haechi_hight_c\n" in symbols
    for absent in ("haechi_hight_c_inv", "haechi_lea", "haechi_aria", "haechi_ctr", "lea128_ladder", "haechi_drbg"):
        assert absent not in symbols, absent


def test_unknown_kernel_does_not_link(tmp_path):
    flags = [*native.USUAL, "-DHAECHI_HIGHT_KERNEL=hight_nowhere"]
    with pytest.raises(BenchError, match="haechi_hight_nowhere"):
        native.build("unknown", [PROGRAM, *native.sources()], flags)
