# SPDX-License-Identifier: Apache-2.0 OR MIT
"""scikit-build-core, with the licences in every package, and in an sdist the library, which stands two folders above
this one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scikit_build_core import build as core
from scikit_build_core.build import (  # noqa: F401
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)

HERE = Path(__file__).resolve().parent
TREE = HERE.parent.parent
LICENCES = {name: name for name in ("LICENSE-APACHE", "LICENSE-MIT")}
LIBRARY = {f"library/{name}": name for name in ("CMakeLists.txt", "bindings/openssl/CMakeLists.txt", "cli", "cmake", "host", "src")}


@contextmanager
def staged(files: dict[str, str]) -> Iterator[None]:
    """Copies of files of the tree in this folder, which go afterwards; an sdist that was unpacked has them already."""
    missing = {HERE / to: TREE / source for to, source in files.items() if not (HERE / to).exists()}
    try:
        for to, source in missing.items():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, to) if source.is_dir() else shutil.copy(source, to)
        yield
    finally:
        for to in missing:
            top = HERE / to.relative_to(HERE).parts[0]
            shutil.rmtree(top, ignore_errors=True) if top.is_dir() else top.unlink(missing_ok=True)


def build_wheel(directory: str, settings: dict | None = None, metadata: str | None = None) -> str:
    with staged(LICENCES):
        return core.build_wheel(directory, settings, metadata)


def prepare_metadata_for_build_wheel(directory: str, settings: dict | None = None) -> str:
    with staged(LICENCES):
        return core.prepare_metadata_for_build_wheel(directory, settings)


def build_sdist(directory: str, settings: dict | None = None) -> str:
    with staged(LICENCES | LIBRARY):
        return core.build_sdist(directory, settings)
