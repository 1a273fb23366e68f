# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The component for ESP-IDF: packed by Espressif's own component manager, unpacked as a managed component of the example,
and built. ESP-IDF itself is in no package registry: a stand-in of its build system (test/packaging/esp-idf) takes the component's
CMakeLists.txt, with Debian's compiler for RISC-V in the place of Espressif's for ESP32-C3."""

import os
import shutil
import sys
from pathlib import Path

import native
import pytest
from firmware import HERE, cmake, printed

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def component(tmp_path_factory):
    """What the component's archive holds."""
    folder = tmp_path_factory.mktemp("esp-idf")
    tree = folder / "tree"
    listed = native.run(["git", "-C", native.ROOT, "ls-files", "-co", "--exclude-standard"]).stdout.splitlines()
    for name in (name for name in listed if (native.ROOT / name).is_file()):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(native.ROOT / name, tree / name)
    compote = Path(sys.executable).with_name("compote")
    env = {**os.environ, "IDF_COMPONENT_CACHE_PATH": str(folder / "cache")}
    native.run([compote, "component", "pack", "--name", "haechi", "--dest-dir", folder / "packed"], cwd=tree, env=env)
    (archive,) = (folder / "packed").glob("*.tgz")
    component = folder / "component"
    component.mkdir()
    native.run(["tar", "-xf", archive, "-C", component])  # tarfile takes a filter from Python 3.11.4 on, and warns without one from 3.12 on
    return component


def project(folder, component):
    """The example by itself, as its owner has it after the component manager's work."""
    made = folder / "project"
    shutil.copytree(component / "examples/esp-idf", made)
    shutil.copytree(component, made / "managed_components/haechi")
    return made


def test_the_component_holds_the_library_alone(component):
    files = {str(path.relative_to(component)) for path in component.rglob("*") if path.is_file()}
    library = {str(path.relative_to(native.ROOT)) for path in (native.ROOT / "src").rglob("*") if path.is_file()}
    assert library <= files and sum((component / name).stat().st_size for name in files) < 3_000_000
    assert {name.partition("/")[0] for name in files - library} == {
        "CHANGELOG.md", "CMakeLists.txt", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "examples", "idf_component.yml", "packaging",
    }  # fmt: skip


def test_the_example_obeys_its_owner_alone(tmp_path, component, monkeypatch):
    monkeypatch.setenv("IDF_PATH", str(HERE / "esp-idf"))
    made = project(tmp_path, component)
    program, start = made / "main/main.c", [HERE / "esp-idf/start.c"]
    assert printed("rv32", cmake("rv32", made, sources=start)) == "obeyed\n"
    program.write_text(program.read_text().replace('"open the valve"', '"shut the valve"'))
    assert printed("rv32", cmake("rv32", made, sources=start)) == "refused\n"
