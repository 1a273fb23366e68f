# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The CMSIS-Pack of a release, which packaging/release.py writes.

The pack has one component, Security:Haechi, with the sources for Cortex-M processors and portable C. Its description,
Haechi.Haechi.pdsc, lists them from src/, under version 1.7.7 of the schema of Open-CMSIS-Pack. The address comes from
contact.toml. Equal trees give equal packs, to the byte.
"""

import tomllib
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

OTHERS = {"avr", "msp430", "neon", "rv32", "x86"}  # the folders of machines that are no Cortex-M
PAGES = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-APACHE", "LICENSE-MIT", "docs/defaults.md", "docs/limits.md"]
# Armv6-M, Armv7-M and Armv8-M, by the names that descriptions of devices use.
CORES = ["Cortex-M0", "Cortex-M0+", "Cortex-M3", "Cortex-M4", "Cortex-M7", "Cortex-M23", "Cortex-M33", "Cortex-M35P",
         "Cortex-M52", "Cortex-M55", "Cortex-M85"]  # fmt: skip
ABOUT = "LEA, HIGHT and ARIA, the Korean standard block ciphers, with their modes of operation and CTR_DRBG"


def sources(root: Path) -> list[Path]:
    """The files of src/ that the pack holds, relative to the project."""
    files = (path.relative_to(root) for path in sorted((root / "src").rglob("*")) if path.suffix in (".c", ".S", ".h"))
    return [path for path in files if not OTHERS & {*path.parts}]


def description(root: Path, version: str, date: str) -> bytes:
    """The content of Haechi.Haechi.pdsc."""
    url = tomllib.loads((root / "contact.toml").read_text())["url"]
    package = ElementTree.Element("package", {
        "schemaVersion": "1.7.7",
        "xmlns:xs": "http://www.w3.org/2001/XMLSchema-instance",
        "xs:noNamespaceSchemaLocation": "https://raw.githubusercontent.com/Open-CMSIS-Pack/Open-CMSIS-Pack-Spec/v1.7.7/schema/PACK.xsd",
    })  # fmt: skip

    def add(parent: ElementTree.Element, tag: str, text: str = "", **attributes: str) -> ElementTree.Element:
        element = ElementTree.SubElement(parent, tag, attributes)
        element.text = text or None
        return element

    package.append(ElementTree.Comment(" SPDX-License-Identifier: Apache-2.0 OR MIT "))
    for tag, text in (("vendor", "Haechi"), ("name", "Haechi"), ("description", ABOUT), ("url", url + "/"), ("license", "LICENSE-APACHE")):
        add(package, tag, text)
    licences = add(add(package, "licenseSets"), "licenseSet", id="all", default="true", gating="true")
    for name, title, spdx in (("LICENSE-APACHE", "Apache License 2.0", "Apache-2.0"), ("LICENSE-MIT", "MIT License", "MIT")):
        add(licences, "license", name=name, title=title, spdx=spdx)
    add(add(package, "releases"), "release", "See CHANGELOG.md.", version=version, date=date)
    keywords = add(package, "keywords")
    for word in ("LEA", "HIGHT", "ARIA", "block cipher", "cryptography"):
        add(keywords, "keyword", word)
    conditions = add(package, "conditions")
    cores = add(conditions, "condition", id="Cortex-M")
    for core in CORES:
        add(cores, "accept", Dcore=core)
    compilers = add(conditions, "condition", id="Cortex-M with GNU assembly")
    add(compilers, "require", condition="Cortex-M")
    add(compilers, "accept", Tcompiler="GCC")
    add(compilers, "accept", Tcompiler="CLANG")
    component = add(add(package, "components"), "component", Cclass="Security", Cgroup="Haechi", Cversion=version,
                    condition="Cortex-M with GNU assembly")  # fmt: skip
    add(component, "description", ABOUT)
    files = add(component, "files")
    add(files, "file", category="doc", name="README.md")
    add(files, "file", category="include", name="src/")
    for path in sources(root):
        if path.suffix != ".h":
            add(files, "file", category="sourceAsm" if path.suffix == ".S" else "sourceC", name=str(path))
    for path in sorted((root / "src").glob("*.h")):
        add(files, "file", category="header", name=str(path.relative_to(root)))
    ElementTree.indent(package)
    return ElementTree.tostring(package, encoding="UTF-8", xml_declaration=True) + b"\n"


def pack(root: Path, folder: Path, version: str, date: str) -> Path:
    """Writes Haechi.Haechi.VERSION.pack into the folder and answers its path. date is that of the release: 2026-01-31."""
    members = {"Haechi.Haechi.pdsc": description(root, version, date)}
    members |= {str(path): (root / path).read_bytes() for path in [*sources(root), *map(Path, PAGES)]}
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"Haechi.Haechi.{version}.pack"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name), members[name], zipfile.ZIP_DEFLATED)
    return out
