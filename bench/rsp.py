# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers: the project's (vectors/) and, where HAECHI_VECTORS names a folder, those in it."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MORE = Path(os.environ["HAECHI_VECTORS"]) if os.environ.get("HAECHI_VECTORS") else None

_NAME = re.compile(r"(LEA|ARIA)-(128|192|256)[ _](ECB|CTR)|(HIGHT)(?:-128)?[ _](ECB|CTR)")


@dataclass(frozen=True)
class Answer:
    """One known answer: cipher as in haechi_<cipher>, mode ecb or ctr; key, iv, pt and ct are bytes."""

    cipher: str
    mode: str
    key: bytes
    iv: bytes
    pt: bytes
    ct: bytes
    source: str


def _cipher_and_mode(name: str) -> tuple[str, str] | None:
    found = _NAME.match(name)
    if not found:
        return None
    family, bits, mode, hight, hight_mode = found.groups()
    return (hight or family + bits).lower(), (mode or hight_mode).lower()


def load(path: Path) -> list[Answer]:
    """The ECB and CTR answers of a CAVP-style file; HIGHT in specification order is left out."""
    named = _cipher_and_mode(path.stem)
    answers, here, fields = [], named, {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if line.startswith("["):
            section = line.strip("[]")
            here = named if section == "ENCRYPT" else None if "SPECORDER" in section else _cipher_and_mode(section)
        elif line.startswith("COUNT"):
            fields = {}
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            fields[name.strip()] = value.strip()
            if here and name.strip() == "CT":
                key, pt, ct = (bytes.fromhex(fields[x]) for x in ("KEY", "PT", "CT"))
                iv = bytes.fromhex(fields.get("IV") or fields.get("CTR") or "")
                answers.append(Answer(*here, key, iv, pt, ct, f"{path.name}:{number}"))
    return answers


def own() -> list[Answer]:
    """The standards' vectors, which stand in the project."""
    return [a for path in sorted((ROOT / "vectors").glob("*.rsp")) for a in load(path)]


def more() -> list[Answer]:
    """Known-answer and multi-block tests under HAECHI_VECTORS; empty where that is not set."""
    if MORE is None:
        return []
    paths = [p for p in sorted(MORE.glob("*.rsp")) + sorted(MORE.glob("kcmvp/*.rsp")) if "MCT" not in p.name]
    return [a for path in paths for a in load(path)]


def monte_carlo() -> dict[str, list[Answer]]:
    """KCMVP's Monte Carlo chains under HAECHI_VECTORS, by file name."""
    paths = sorted(MORE.glob("kcmvp/*_MCT.rsp")) if MORE else []
    chains = {path.name: load(path) for path in paths}
    return {name: chain for name, chain in chains.items() if chain}
