# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The recipes of Conan and vcpkg for a release. They name the release's archive and its hashes, which is why they stand beside
the archive and not in it. In packaging/conan and packaging/vcpkg, @URL@ and other words stand for what a release fills in."""

import hashlib
from pathlib import Path


def recipes(root: Path, folder: Path, archive: Path, version: str, url: str) -> list[Path]:
    """Writes conan/ and vcpkg/haechi/ into the folder and answers their files. url is the project's, in which the archive
    is a file of the release with the tag v<version>."""
    content = archive.read_bytes()
    words = {
        "VERSION": version, "URL": url, "ARCHIVE": f"{url}/releases/download/v{version}/{archive.name}",
        "SHA256": hashlib.sha256(content).hexdigest(), "SHA512": hashlib.sha512(content).hexdigest(),
    }  # fmt: skip
    made = []
    for kind, to in (("conan", "conan"), ("vcpkg", "vcpkg/haechi")):
        for path in sorted((root / "packaging" / kind).rglob("*")):
            if path.is_dir() or "__pycache__" in path.parts:
                continue
            text = path.read_text()
            for word, value in words.items():
                text = text.replace(f"@{word}@", value)
            made.append(folder / to / path.relative_to(root / "packaging" / kind))
            made[-1].parent.mkdir(parents=True, exist_ok=True)
            made[-1].write_text(text)
    return made
