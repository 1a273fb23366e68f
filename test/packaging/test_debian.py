# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Debian's tools build the packages, lintian accepts them, and a program is built with what they hold."""

import os
import re
import shutil

import native
import pytest
import release
from consumer import PRINTS, PROJECT

CONTACT = {"url": "https://haechi.test/haechi", "email": "haechi@haechi.test"}


def test_files_of_the_packages_agree():
    """The changelog begins with the version, the library's package is named after its number, and the licence is the whole one."""
    folder = native.ROOT / "packaging/debian"
    said = re.match(r"haechi \((.*)-1\)", (folder / "changelog").read_text())[1]
    assert said == release.version(native.ROOT)
    assert f"\nPackage: libhaechi{said.partition('.')[0]}\n" in (folder / "control").read_text()
    licence = re.sub(r"\s+", " ", (native.ROOT / "LICENSE-MIT").read_text().split("\n\n", 2)[2])
    assert licence.strip() in re.sub(r"\s+", " ", (folder / "copyright").read_text().replace("\n .\n", "\n"))
    assert not {p.name for p in folder.glob("*.install")} - {"libhaechi0.install", "libhaechi-dev.install", "haechi.install"}


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("dh") and shutil.which("lintian")), reason="apt-get install debhelper lintian")
def test_debian_packages(tmp_path):
    tree = tmp_path / "haechi"
    for name in native.run(["git", "-C", native.ROOT, "ls-files", "-co", "--exclude-standard"]).stdout.splitlines():
        if (native.ROOT / name).is_file() and not name.startswith("results/"):
            to = tree / name.removeprefix("packaging/" if name.startswith("packaging/debian/") else "")
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(release.filled(name, (native.ROOT / name).read_bytes(), CONTACT))
            shutil.copymode(native.ROOT / name, to)
    env = {**os.environ, "DEB_BUILD_OPTIONS": "parallel=2"}
    native.run(["dpkg-buildpackage", "--unsigned-source", "--unsigned-changes", "--build=binary", "--no-check-builddeps"], cwd=tree, env=env)
    (changes,) = tmp_path.glob("*.changes")
    # The project has no bug in Debian's tracker that asks for the package, and does not sign.
    native.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", "initial-upload-closes-no-bugs", changes])
    root = tmp_path / "root"
    packages = sorted(path for path in tmp_path.glob("*.deb") if "-dbgsym" not in path.name)
    assert [path.name.partition("_")[0] for path in packages] == ["haechi", "libhaechi-dev", "libhaechi0"]
    for path in packages:
        native.run(["dpkg-deb", "--extract", path, root])
    native.run(["cmake", "-G", "Ninja", "-S", PROJECT, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={root / 'usr'}"])
    native.run(["cmake", "--build", tmp_path / "b"])
    assert native.run([tmp_path / "b/main"]).stdout == PRINTS
    assert "libhaechi.so.0" in native.run(["readelf", "-d", tmp_path / "b/main"]).stdout
    assert native.run([root / "usr/bin/haechi", "--version"]).stdout.split()[-1] == release.version(native.ROOT)
