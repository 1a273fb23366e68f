# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package as others get it: versions agree, what it exports has documentation and types, the README's programs run."""

import re
from pathlib import Path

import haechi
import header
import native
import tomllib

from bench.measured import python as measured

DOOR = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((DOOR / "pyproject.toml").read_text())


def test_versions_agree():
    version = re.search(r'#define HAECHI_VERSION "(.*)"', (native.ROOT / "src/haechi.h").read_text())[1]
    assert PROJECT["project"]["version"] == version == haechi.__version__


def test_everything_is_exported_and_described():
    """What __all__ names exists, has a docstring, and has its types in the stub."""
    stub = (DOOR / "src/haechi/_haechi.pyi").read_text()
    for name in haechi.__all__:
        thing = getattr(haechi, name)
        assert isinstance(thing, str) or thing.__doc__, name
    for name in dir(haechi._haechi):
        assert name.startswith("_") or re.search(rf"\b{name}\b", stub), name


def test_processes_may_make_the_package_at_the_same_time(tmp_path, monkeypatch):
    """Workers of pytest that start together all need it. None may fail because another was faster."""
    monkeypatch.setattr(measured, "BUILD", tmp_path)
    monkeypatch.setattr(Path, "is_symlink", lambda path: False)  # as asked before the other process made the link
    built = Path(haechi._haechi.__file__).resolve()
    first = measured.package(built)
    assert measured.package(built) == first
    assert (first / "haechi/_haechi.abi3.so").resolve() == built
    assert not [*first.glob("haechi/.*")]


FEATURES = [name for name in header.parse(native.ROOT / "src/haechi_cpu.h").constants]
LEFT_OUT = {
    **dict.fromkeys(("haechi_cmac_derive", "haechi_cmac_message"), "CMAC takes its message in pieces, as in cryptography"),
    "haechi_gmac": "it is encrypt of LEAGCM and ARIAGCM, with associated data alone",
    **dict.fromkeys((f"haechi_cfb{n}_{way}" for n in (1, 64) for way in ("encrypt", "decrypt")), "only tests of standards want them"),
    **dict.fromkeys(("haechi_ctr_jobs", "haechi_cmac_jobs"), "columns are authenticated and encrypted"),
    **dict.fromkeys(("haechi_ecb_threads", "haechi_ctr_threads", "haechi_has_threads"), "calls let other threads of Python run"),
    **dict.fromkeys(("haechi_random", "haechi_random_reseed"), "Python has os.urandom"),
    "HAECHI_TAG_LATER": "a class knows the length of its tags",
    **dict.fromkeys(["haechi_features", "haechi_features_limit", *FEATURES], "the best kernel of the processor is always taken"),
    **dict.fromkeys((f"HAECHI_VERSION{part}" for part in ("", "_MAJOR", "_MINOR", "_PATCH")), "the package asks haechi_version"),
    "HAECHI_MICRO": "Python does not run on microcontrollers that small",
    "HAECHI_EROOM": "objects have the room that haechi.h names",
    "HAECHI_ETEST": "a generator that fails its test is named by the self-test",
}


def test_the_door_offers_all_of_the_headers():
    """Every function, object and constant of the C headers is used, here or in the command's files, or left out above."""
    files = [*DOOR.glob("src/_haechi/*"), *(native.ROOT / "cli" / name for name in ("ciphers.c", "format.c"))]
    assert header.unused(files) == LEFT_OUT.keys()


def test_programs_of_the_readme(tmp_path, monkeypatch):
    """The README's programs in Python run, one after the other; that for Spark is in test_spark.py."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.print", lambda *words: said.append(" ".join(map(str, words))))
    programs, said, names = re.findall(r"```python\n((?!import haechi.spark).*?)```", (DOOR / "README.md").read_text(), re.S), [], {}
    assert len(programs) == 3
    for program in programs:
        exec(program, names)
    assert "not what was encrypted" in said
    assert any(line in programs[1] for line in said if line.startswith("[b'20.1'"))
