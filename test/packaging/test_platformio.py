# SPDX-License-Identifier: Apache-2.0 OR MIT
"""PlatformIO's own packer makes the archive, and the compilers of Debian build the sketch from it as PlatformIO would: the
library's folder src/ by itself, found by -I. PlatformIO's toolchains come from a registry that the tests do not use."""

import json
import tarfile

import native
import pytest
from platformio.package.manifest.schema import ManifestSchema
from platformio.package.pack import PackagePacker
from test_arduino import check_run, sketch

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """PlatformIO would read the list of SPDX's licences from the network."""
    known = {"licenses": [{"licenseId": name} for name in ("Apache-2.0", "MIT")]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ManifestSchema, "load_spdx_licenses", staticmethod(lambda: known))
        return PackagePacker(str(native.ROOT)).pack(str(tmp_path_factory.mktemp("platformio")))


def test_the_archive_holds_the_library_alone(archive):
    with tarfile.open(archive) as packed:
        files = {name.removeprefix("./") for name in packed.getnames()}
        tops = {name.partition("/")[0] for name in files}
        manifest = json.load(packed.extractfile("library.json"))
    assert tops - {".piopm"} == {"CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "examples", "library.json",
                                 "library.properties", "src"}  # fmt: skip
    assert {str(path.relative_to(native.ROOT)) for path in native.sources()} <= files
    (example,) = manifest["examples"]
    assert {f"{example['base']}/{name}" for name in example["files"]} <= files


@pytest.mark.parametrize("target", ["avr", pytest.param("armv6m", marks=pytest.mark.slow)])
def test_the_unpacked_library_builds_the_sketch(tmp_path, archive, target):
    library = tmp_path / "Haechi"
    library.mkdir()
    native.run(["tar", "-xf", archive, "-C", library])
    check_run(target, sketch(tmp_path, target, "library", src=library / "src"))
