# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Setting up: what is missing is installed or named, and what is installed stays as it is."""

import os
import re
import subprocess

import pytest

from bench import setup


def test_packages_of_report_are_a_part_of_those_of_test():
    report, test = set(setup.wanted("report")), set(setup.wanted("test"))
    assert report < test and {"gcc-avr", "libsimavr-dev", "libcrypto++-dev", "python3-venv"} <= report


def test_missing_packages_are_found():
    entries = ["dpkg", "haechi-no-such-package", "haechi-no-such-package | dpkg", "haechi-1 | haechi-2"]
    assert setup.missing(entries) == ["haechi-no-such-package", "haechi-1 | haechi-2"]


@pytest.fixture
def debian(monkeypatch):
    """A Debian whose apt knows some packages; a list of the commands that it was given."""
    done = []

    def run(command, **_):
        done.append([str(word) for word in command])
        policy = "".join(f"{n}:\n  Installed: (none)\n  Candidate: {v}\n" for n, v in debian_has.items() if n in command)
        return subprocess.CompletedProcess(command, 0, policy if "policy" in command else "")

    debian_has = {"python3": "3", "valgrind": "1", "new-dev": "3", "old-dev": "(none)", "both": "1", "other": "2"}
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    return done


def test_the_first_alternative_that_the_release_has_is_installed(debian):
    setup.install(["valgrind", "old-dev | new-dev", "both | other", "gone"])
    assert debian[-1][-3:] == ["valgrind", "new-dev", "both"]


def test_what_the_release_does_not_have_is_named(debian, capsys):
    setup.install(["gone", "old-dev"])
    assert "has no gone, old-dev" in capsys.readouterr().out and not [c for c in debian if "apt-get" in c]


def test_without_root_the_command_is_printed(debian, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(setup.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit) as end:
        setup.install(["both", "old-dev | new-dev"])
    assert "apt-get install -y --no-install-recommends both new-dev" in str(end.value.code)


@pytest.mark.parametrize("root", [True, False])
def test_root_or_sudo_installs(debian, monkeypatch, root):
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    setup.install(["valgrind"])
    assert debian[-1][-1] == "valgrind" and "apt-get" in debian[-1] and ("sudo" in debian[-1]) == (not root)


def test_nothing_to_do(monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("ran something"))
    setup.install([])
    setup.make_venv()


def test_every_python_package_has_its_version_and_its_hashes():
    """pip refuses files that are not listed; requirements.txt is what packaging/requirements.py makes of requirements.in."""
    text = (setup.ROOT / "requirements.txt").read_text()
    listed = dict(re.findall(r"^([\w.-]+==\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", text, re.M))
    assert len(listed) == text.count("==") and "http" not in text
    direct = [line for line in (setup.ROOT / "requirements.in").read_text().splitlines() if line and line[0] != "#"]
    assert {line.lower().replace("_", "-") for line in direct} <= listed.keys() and len(listed) > len(direct)
    assert '"--require-hashes"' in (setup.ROOT / "bench/setup.py").read_text()


@pytest.mark.parametrize(
    "commands, works, said",
    [
        ((), True, "The Java binding is left out: there is no JDK"),
        (("javac",), True, "The Java binding is left out: there is no Maven"),
        (("javac", "mvn"), False, "The Java binding is left out: Maven failed.\nno network"),
        (("javac", "mvn"), True, "Downloading"),
    ],
)
def test_what_java_lacks_is_said(commands, works, said, monkeypatch, capsys, tmp_path):
    """Without Java, without Maven and without a network, the script goes on; only what was downloaded is noted as there."""
    ran = []

    def run(command, **_):
        ran.append(command)
        return subprocess.CompletedProcess(command, int(not works), "" if works else "no network")

    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}" if name in commands else None)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(setup, "JARS", tmp_path / "maven")
    monkeypatch.setattr(setup, "JARS_STAMP", tmp_path / "maven/pom.sha256")
    setup.fetch_jars()
    shown = capsys.readouterr().out
    assert said in shown and ("left out" in shown) != setup.has_jars() and bool(ran) == (len(commands) == 2)
    ran.clear()
    setup.fetch_jars()
    assert bool(ran) == (len(commands) == 2 and not works)


@pytest.mark.parametrize(
    "version, fetched, said",
    [
        (None, True, "The Rust binding is left out: there is no cargo (Rust 1."),
        ("rustc 1.63.0 (Debian)", True, "or later is needed, this is rustc 1.63.0 (Debian)"),
        ("", True, "this is none that answers"),
        ("rustc 1.200.0", False, "could not fetch the crates"),
        ("rustc 1.200.0", True, "Fetching and compiling"),
    ],
)
def test_what_rust_lacks_is_said(version, fetched, said, monkeypatch, capsys, tmp_path):
    """Without Rust, with one that is too old and without a network, the script goes on; only what was fetched is noted as there."""
    ran = []

    def run(command, **_):
        ran.append(command)
        answer = {"--version": version, "-vV": "host: x86_64-unknown-linux-gnu\n"}.get(command[1])
        return subprocess.CompletedProcess(command, int(command[1] == "fetch" and not fetched), answer)

    monkeypatch.setattr(setup.shutil, "which", lambda name: None if version is None else f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(setup, "RUST_TARGET", tmp_path / "rust")
    monkeypatch.setattr(setup, "CRATES", tmp_path / "rust/crates.sha256")
    setup.prepare_crates()
    assert said in capsys.readouterr().out
    assert setup.CRATES.exists() == ("Fetching" in said) == any(command[1] == "check" for command in ran)
