# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Setting up: what is missing is installed or named, and what is there is left alone."""

import os
import subprocess

import pytest

from bench import setup


def test_packages_of_report_are_a_part_of_those_of_test():
    report, test = set(setup.wanted("report")), set(setup.wanted("test"))
    assert report < test and {"gcc-avr", "libsimavr-dev", "libcrypto++-dev", "python3-venv"} <= report


def test_missing_packages_are_found():
    assert setup.missing(["dpkg", "haechi-no-such-package"]) == ["haechi-no-such-package"]


def test_without_root_the_command_is_printed(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(setup.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit) as end:
        setup.install(["gcc-avr", "valgrind"])
    assert "apt-get install -y --no-install-recommends gcc-avr valgrind" in str(end.value.code)


@pytest.mark.parametrize("root", [True, False])
def test_root_or_sudo_installs(monkeypatch, root):
    done = []
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", lambda command, **_: done.append(command) or subprocess.CompletedProcess(command, 0))
    setup.install(["valgrind"])
    assert done[-1][-1] == "valgrind" and "apt-get" in done[-1] and ("sudo" in done[-1]) == (not root)


def test_nothing_to_do(monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("ran something"))
    setup.install([])
    setup.make_venv()
