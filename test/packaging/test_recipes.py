# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The recipes of Conan and vcpkg for an archive of this tree: Conan itself builds its package and the test package, and vcpkg's
port runs over a stand-in of vcpkg's functions, as vcpkg itself is in no package registry."""

import gzip
import io
import json
import os
import re
import sys
import tarfile
from pathlib import Path

import native
import pytest
import recipes
import release
from consumer import PRINTS, PROJECT
from firmware import HERE

pytestmark = pytest.mark.full

VERSION, URL = release.version(native.ROOT), "https://haechi.test/haechi"
# The kernels for x86-64 take most of the time to compile: the archive of these tests lacks them.
QUICK = {"CFLAGS": " ".join(f"-DHAECHI_{c}_KERNEL={c.lower()}_c" for c in ("LEA", "HIGHT", "ARIA"))}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with an archive of the files of this tree, and its recipes."""
    folder = tmp_path_factory.mktemp("recipes")
    listed = native.run(["git", "-C", native.ROOT, "ls-files", "-co", "--exclude-standard"]).stdout.splitlines()
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name in listed:
            if (native.ROOT / name).is_file() and not re.match("results/|src/.*/x86/", name):
                archive.add(native.ROOT / name, f"haechi-{VERSION}/{name}")
    path = folder / f"haechi-{VERSION}.tar.gz"
    path.write_bytes(gzip.compress(content.getvalue(), 1))
    assert all(file.exists() for file in recipes.recipes(native.ROOT, folder, path, VERSION, URL))
    return folder


def test_nothing_is_left_to_fill_in(made):
    for path in (*(made / "conan").rglob("*"), *(made / "vcpkg").rglob("*")):
        if path.is_file():
            assert not re.search(r"@[A-Z0-9]+@", path.read_text()), path
    port = json.loads((made / "vcpkg/haechi/vcpkg.json").read_text())
    assert port["version-semver"] == VERSION and port["homepage"] == URL
    assert f"{URL}/releases/download/v{VERSION}/haechi-{VERSION}.tar.gz" in (made / "vcpkg/haechi/portfile.cmake").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_conan_creates_the_package(tmp_path, made, shared):
    """Conan fetches the archive by a file: address in the place of the release's, and compares its hash."""
    recipe = made / "conan"
    data = recipe / "conandata.yml"
    data.write_text(re.sub(r'url: ".*"', f'url: "{(made / f"haechi-{VERSION}.tar.gz").as_uri()}"', data.read_text()))
    env = {**os.environ, **QUICK, "CONAN_HOME": str(tmp_path / "home")}
    conan = Path(sys.executable).with_name("conan")
    native.run([conan, "profile", "detect"], env=env)
    said = native.run([conan, "create", recipe, "-o", f"haechi/*:shared={shared}"], env=env)
    assert PRINTS in said.stdout + said.stderr
    (package,) = (path.parent for path in (tmp_path / "home/p/b").glob("*/p/conaninfo.txt"))
    files = {str(path.relative_to(package)) for path in package.rglob("*") if not path.is_dir()}
    assert ("lib/libhaechi.a" in files) != shared and ("lib/libhaechi.so" in files) == shared
    assert {"licenses/LICENSE-MIT", "licenses/LICENSE-APACHE", "include/haechi.h"} <= files and not (package / "share").exists()


@pytest.mark.slow
@pytest.mark.parametrize("linkage", ["static", "dynamic"])
def test_vcpkg_port(tmp_path, made, linkage):
    """The port fetches the archive with the right hash and installs what vcpkg demands, and a project finds the package."""
    port, packages = made / "vcpkg/haechi", tmp_path / "packages"
    told = {"VERSION": VERSION, "PORT": "haechi", "VCPKG_LIBRARY_LINKAGE": linkage, "CURRENT_PACKAGES_DIR": packages,
            "CURRENT_BUILDTREES_DIR": tmp_path / "buildtrees", "ARCHIVES": made}  # fmt: skip
    stand_in = ["-P", HERE / "vcpkg/ports.cmake"]
    env = {**os.environ, **QUICK}
    native.run(["cmake", *(f"-D{k}={v}" for k, v in told.items()), f"-DPORTFILE={port / 'portfile.cmake'}", *stand_in], env=env)
    files = {str(path.relative_to(packages)) for path in packages.rglob("*") if not path.is_dir()}
    assert {"include/haechi.h", "share/haechi/copyright", "share/haechi/haechi-config.cmake"} <= files
    assert not {f for f in files if f.startswith(("debug/include", "bin/", "debug/bin/", "lib/cmake", "debug/lib/cmake"))}
    assert {f for f in files if f.endswith(".a")} == ({"lib/libhaechi.a", "debug/lib/libhaechi.a"} if linkage == "static" else set())
    assert ("lib/libhaechi.so" in files) == (linkage == "dynamic")
    native.run(["cmake", "-G", "Ninja", "-S", PROJECT, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={packages / 'share/haechi'}"])
    native.run(["cmake", "--build", tmp_path / "b"])
    assert native.run([tmp_path / "b/main"]).stdout == PRINTS


def test_vcpkg_port_refuses_another_archive(tmp_path, made):
    port = tmp_path / "portfile.cmake"
    port.write_text(re.sub("SHA512 ....", "SHA512 0000", (made / "vcpkg/haechi/portfile.cmake").read_text()))
    told = [f"-DVERSION={VERSION}", f"-DARCHIVES={made}", f"-DPORTFILE={port}", f"-DCURRENT_BUILDTREES_DIR={tmp_path}"]
    with pytest.raises(RuntimeError, match="hash"):
        native.run(["cmake", *told, "-P", HERE / "vcpkg/ports.cmake"])
