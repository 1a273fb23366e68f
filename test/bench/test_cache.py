# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cache of the bench: it returns a kept result only as long as everything that the function read is unchanged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.made import cache

MODULE = """
import subprocess
import time
from pathlib import Path
from bench.made.cache import kept, note, once, tool
from {helper} import ADDED

HERE = Path({here!r})
calls = []

@once
def remembered() -> str:
    return (HERE / "remembered").read_text()

remembered()  # before any kept function runs

@kept
def inner() -> str:
    return (HERE / "inner").read_text()

@kept
def told() -> str:
    note(HERE / "told")
    return "told"

@kept
def outer(number: int) -> list[str]:
    calls.append(number)
    (HERE / "written").write_text(str(time.time_ns()))
    said = subprocess.run([tool("llvm-haechi"), str(HERE / "argument")], capture_output=True, text=True).stdout
    names = sorted(path.name for path in (HERE / "folder").iterdir())
    (HERE / "written").read_text()
    return [str(number + ADDED), (HERE / "read").read_text(), remembered(), inner(), told(), said, *names]
"""
FILES = ("read", "remembered", "inner", "told", "argument")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A module of kept functions that read in every way, and that a fresh process calls."""
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    for folder in ("folder", "bin", "modules"):
        (tmp_path / folder).mkdir()
    for name in FILES:
        (tmp_path / name).write_text(name)
    (tmp_path / "modules/helper.py").write_text("ADDED = 1\n")
    (tmp_path / "modules/reader.py").write_text(MODULE.format(here=str(tmp_path), helper="helper"))
    script(tmp_path / "bin/llvm-haechi-1", "cat $1")
    return tmp_path


def script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def ran(project: Path, number: int = 1) -> tuple[bool, list[str]]:
    """Whether a fresh process had to run the function, and the result. The folder holds both project and cache."""
    code = (
        "import sys; from pathlib import Path; import bench.made.cache as c; here = Path(sys.argv[1])\n"
        "c.ROOT, c.KEPT = here / 'modules', here / 'kept'; sys.path.insert(0, str(here / 'modules'))\n"
        "(here / 'modules/requirements.txt').touch()\n"
        "import reader; print(repr((bool, reader.outer(int(sys.argv[2])), reader.calls)[1:]))"
    )
    command = [sys.executable, "-c", code, project, str(number)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=cache.ROOT)
    result, calls = eval(done.stdout)  # noqa: S307 - what the line above printed
    return calls == [number], result


def test_a_second_process_finds_the_result(project):
    fresh, result = ran(project)
    assert fresh and result == ["2", "read", "remembered", "inner", "told", "argument"]
    assert ran(project) == (False, result)
    (project / "written").write_text("by somebody else")
    assert ran(project) == (False, result)
    for entry in (project / "kept").rglob("*.json"):
        entry.write_text('{"result": 1}')
    assert ran(project) == (True, result)
    assert ran(project, 5) == (True, ["6", *result[1:]])


def test_whatever_was_read_is_compared(project):
    """A change of a file, of a folder's names, of an imported module or of the tool makes the function run again."""
    ran(project)
    for name in FILES:
        (project / name).write_text(name.upper())
        assert ran(project)[0], name
        assert not ran(project)[0], name
    (project / "folder/new").touch()
    assert ran(project) == (True, ["2", "READ", "REMEMBERED", "INNER", "told", "ARGUMENT", "new"])
    (project / "modules/helper.py").write_text("ADDED = 20\n")
    assert ran(project)[1][0] == "21"
    script(project / "bin/llvm-haechi-1", "echo other")
    assert ran(project)[1][5] == "other\n"
    script(project / "bin/llvm-haechi-12", "echo newer")
    assert ran(project)[1][5] == "newer\n"
    assert not ran(project)[0]


def test_a_file_that_is_gone_is_made_again(tmp_path):
    from bench.made import build

    source = tmp_path / "a.c"
    source.write_text('#include "a.h"\nint a = A;\n')
    (tmp_path / "a.h").write_text("#define A 1\n")
    first = build.compile("gcc", source, [])
    first.unlink()
    assert build.compile("gcc", source, []) == first and first.exists()
    (tmp_path / "a.h").write_text("#define A 2\n")
    assert build.compile("gcc", source, []) != first


def test_what_cannot_be_compared_is_refused():
    @cache.kept
    def anything(argument: object) -> int:
        return 1

    with pytest.raises(NotImplementedError, match="object is no argument"):
        anything(object())
