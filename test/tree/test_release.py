# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packing a release, the pages that go with it, and the promise that programs need not be built anew."""

import os
import re
import shutil
import subprocess
import tarfile
import xml.etree.ElementTree as ElementTree

import abi
import native
import pytest
import release
import tomllib
import yaml

ROOT = native.ROOT

IDF, DEBIAN = "idf_component.yml", "packaging/debian/control"
CRATE, POM = "bindings/rust/haechi/Cargo.toml", "bindings/java/pom.xml"


@pytest.fixture
def tree(tmp_path):
    """A repository with the files that packing reads, all committed."""
    root = tmp_path / "tree"
    for name in ("contact.toml", "CHANGELOG.md", "src/haechi.h", "library.properties", "library.json", IDF, DEBIAN, CRATE, POM):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    native.run(["git", "init", "-q", root])
    commit(root)
    return root


def commit(root):
    native.run(["git", "-C", root, "add", "-A"])
    me = ["-c", "user.name=x", "-c", "user.email=x"]
    native.run(["git", "-C", root, *me, "commit", "-q", "--allow-empty", "-m", "x"])


def edit(path, old, new):
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_a_release_is_refused_under_example_org(tree):
    assert [w for w in release.why_not(tree) if "example.org" in w] == [
        f"contact.toml: {name} is still under example.org" for name in ("url", "email", "security")
    ]
    edit(tree / "contact.toml", "example.org", "haechi.test")
    assert release.why_not(tree) == ["files differ from HEAD"]
    commit(tree)
    assert release.why_not(tree) == []
    edit(tree / "CHANGELOG.md", "## 0.1.0", "## 0.0.9")
    commit(tree)
    assert release.why_not(tree) == ["CHANGELOG.md begins with 0.0.9, haechi.h is of version " + release.version(ROOT)]


def test_the_script_refuses_this_tree(tmp_path):
    """The contact data are examples now. Once they are real, this test must go."""
    done = subprocess.run(["python3", ROOT / "packaging/release.py", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1 and "still under example.org" in done.stderr and not list(tmp_path.iterdir())


def test_a_release_holds_the_contact_data(tree, tmp_path):
    edit(tree / "contact.toml", "example.org", "haechi.test")
    commit(tree)
    one, two = release.pack(tree, tmp_path / "one"), release.pack(tree, tmp_path / "two")
    assert one.read_bytes() == two.read_bytes() and one.name == f"haechi-{release.version(ROOT)}.tar.gz"
    with tarfile.open(one) as archive:
        read = {m.name.partition("/")[2]: archive.extractfile(m).read().decode() for m in archive if m.isreg()}
    assert read["src/haechi.h"] == (ROOT / "src/haechi.h").read_text()
    assert "\nurl=https://haechi.test/haechi\n" in read["library.properties"]
    assert "\nmaintainer=The Haechi authors <haechi@haechi.test>\n" in read["library.properties"]
    assert '"homepage": "https://haechi.test/haechi"' in read["library.json"]
    assert yaml.safe_load(read[IDF])["url"] == "https://haechi.test/haechi"
    assert "\nMaintainer: The Haechi authors <haechi@haechi.test>\nHomepage: https://haechi.test/haechi\n" in read[DEBIAN]
    assert ElementTree.fromstring(read[POM]).findtext("{*}url") == "https://haechi.test/haechi"
    assert tomllib.loads(read[CRATE])["package"]["repository"] == "https://haechi.test/haechi"


def test_contact_data_stand_in_one_file():
    said = re.compile(r"https?://[\w.-]*example\.org|\w@[\w.-]*example\.org")
    listed = native.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"]).stdout.splitlines()
    files = [name for name in listed if (ROOT / name).is_file()]
    assert [name for name in files if said.search((ROOT / name).read_text(errors="replace"))] == ["contact.toml"]


def test_pages_of_a_release():
    """The pages name files that exist, and the version."""
    for name in ("CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "docs/platforms.md", "examples/arduino/README.md"):
        path = ROOT / name
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text()):
            assert (path.parent / link).exists(), (name, link)
    assert f"\n## {release.version(ROOT)}\n" in (ROOT / "CHANGELOG.md").read_text()


# ---- The binary interface.

needs_abidiff = pytest.mark.skipif(
    shutil.which("abidiff") is None or os.uname().machine != "x86_64", reason="abidiff is not there, or not an x86-64"
)


@needs_abidiff
def test_binary_interface_is_the_one_that_was_described(tmp_path):
    """Nothing with which a program was linked has gone or changed; new functions are allowed."""
    done = abi.compare(abi.library(ROOT, tmp_path, abi.interface(ROOT)))
    assert done.returncode == 0, done.stdout + "\nIf no tag has this interface yet, run packaging/abi.py."


@needs_abidiff
def test_changes_of_the_binary_interface_are_noticed(tmp_path):
    """It notices a structure that grows and a function that is missing."""
    for folder in ("src", "host"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    edit(tmp_path / "src/haechi.h", "typedef struct {\n    uint8_t iv[16];", "typedef struct {\n    uint8_t more[4], iv[16];")
    edit(tmp_path / "src/haechi.h", "HAECHI_API int haechi_verify(", "int haechi_verify(")
    done = abi.compare(abi.library(tmp_path, tmp_path, abi.interface(tmp_path)))
    assert done.returncode != 0
    assert "haechi_aead_stream" in done.stdout and re.search(r"\[D\] .*haechi_verify", done.stdout)


MINGW = "x86_64-w64-mingw32"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which(f"{MINGW}-gcc") is None, reason=f"{MINGW}-gcc is not there (gcc-mingw-w64-x86-64-win32)")
def test_a_dll_exports_what_headers_declare_and_nothing_else(tmp_path):
    """The headers are those of src/, because host/ needs POSIX. A linker for Windows exports every symbol unless some
    are marked for export."""
    cross = ["-DCMAKE_SYSTEM_NAME=Windows", f"-DCMAKE_C_COMPILER={MINGW}-gcc", "-DCMAKE_BUILD_TYPE=Debug"]
    native.run(["cmake", "-S", ROOT, "-B", tmp_path, *cross])
    native.run(["cmake", "--build", tmp_path, "--target", "haechi_shared"])
    headers = native.run([f"{MINGW}-objdump", "-p", tmp_path / "libhaechi.dll"]).stdout
    table = headers.partition("[Ordinal/Name Pointer] Table")[2].partition("\n\n")[0]
    exported = re.findall(r"^\s*\[\s*\d+\].*?(\w+)$", table, re.M)
    assert exported == abi.promised(ROOT, [name for name in abi.HEADERS if name.startswith("src/")])
