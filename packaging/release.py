#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs a release: python3 packaging/release.py [FOLDER] writes haechi-VERSION.tar.gz there, by default into build/.

The archive holds the files of git's HEAD, and is the same to the byte whenever it is packed. The contact data of
contact.toml are filled into library.properties, library.json, idf_component.yml, packaging/debian and the manifests of the Java
provider and of the Rust crates. Beside the archive stand the CMSIS-Pack and the recipes of Conan and vcpkg. A release is refused while they are under example.org, while files differ from HEAD, and while the first heading of
CHANGELOG.md is not the version of haechi.h.
"""

import gzip
import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

from cmsis_pack import pack as cmsis_pack
from recipes import recipes


def git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True).stdout


def why_not(root: Path) -> list[str]:
    """The reasons not to pack what stands in this folder."""
    contact = tomllib.loads((root / "contact.toml").read_text())
    found = [f"contact.toml: {k} is still under example.org" for k, v in contact.items() if "example.org" in v]
    if git(root, "status", "--porcelain"):
        found.append("files differ from HEAD")
    heading = re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(), re.M)[1]
    if heading != version(root):
        found.append(f"CHANGELOG.md begins with {heading}, haechi.h is of version {version(root)}")
    return found


def version(root: Path) -> str:
    return re.search(r'^#define HAECHI_VERSION "(.*)"', (root / "src/haechi.h").read_text(), re.M)[1]


def filled(name: str, content: bytes, contact: dict[str, str]) -> bytes:
    """The file as it stands in the archive."""
    if name == "library.properties":
        content = re.sub(rb"(?m)^url=.*", f"url={contact['url']}".encode(), content)
        content = re.sub(rb"(?m)^maintainer=(.*)", rb"maintainer=\1 <" + contact["email"].encode() + b">", content)
    if name == "library.json":
        fields = {**json.loads(content), "homepage": contact["url"]}
        content = (json.dumps(fields, indent=4, ensure_ascii=False) + "\n").encode()
    if name == "idf_component.yml":
        content = re.sub(rb"(?m)^(description: .*)", rb"\1\nurl: " + contact["url"].encode(), content)
    if name.startswith("packaging/debian/"):
        content = content.replace(b"@URL@", contact["url"].encode()).replace(b"@EMAIL@", contact["email"].encode())
    if name == "bindings/java/pom.xml":
        content = re.sub(rb"( *)<description>.*", rb"\g<0>\n\1<url>" + contact["url"].encode() + b"</url>", content, count=1)
    if re.fullmatch(r"bindings/rust/haechi(-sys)?/Cargo\.toml", name):
        content = re.sub(rb"(?m)^(description = .*)", rb'\1\nrepository = "' + contact["url"].encode() + b'"', content)
    return content


def pack(root: Path, folder: Path) -> Path:
    """Writes the archive and answers its path."""
    contact = tomllib.loads((root / "contact.toml").read_text())
    name = f"haechi-{version(root)}"
    made = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(git(root, "archive", f"--prefix={name}/", "HEAD"))) as old,
        tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in old:
            content = old.extractfile(member).read() if member.isreg() else b""
            content = filled(member.name.removeprefix(name + "/"), content, contact)
            member.size = len(content)
            new.addfile(member, io.BytesIO(content))
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"{name}.tar.gz"
    out.write_bytes(gzip.compress(made.getvalue(), mtime=0))
    return out


def main() -> None:
    root = Path(__file__).resolve().parent.parent
    if reasons := why_not(root):
        sys.exit("This release is not packed:\n" + "\n".join(f"- {reason}." for reason in reasons))
    folder = Path(sys.argv[1]) if sys.argv[1:] else root / "build"
    archive = pack(root, folder)
    url, date = tomllib.loads((root / "contact.toml").read_text())["url"], git(root, "log", "-1", "--format=%cs").decode().strip()
    made = [archive, cmsis_pack(root, folder, version(root), date), *recipes(root, folder, archive, version(root), url)]
    print("\n".join(map(str, made)))


if __name__ == "__main__":
    main()
