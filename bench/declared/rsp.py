# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers: the project's (vectors/) and, where HAECHI_VECTORS names a folder, those in it."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MORE = Path(os.environ["HAECHI_VECTORS"]) if os.environ.get("HAECHI_VECTORS") else None

_NAME = re.compile(r"(?:(GCM|CCM)_)?(?:(LEA|ARIA)-(128|192|256)|(HIGHT)(?:-128)?)(?:[ _]([A-Z]+\d*))?")
_MODES = {"cfb128": "cfb"}


@dataclass(frozen=True)
class Answer:
    """One known answer: cipher as in haechi_<cipher>, mode ecb, cbc, ctr, ofb, cfb, cfb8, cfb64, cfb1, cmac, gcm, ccm;
    the rest are bytes. Of cmac, pt is the message and tag the MAC; of cfb1, bits is how many there are of pt and ct.
    fails: opening must be refused."""

    cipher: str
    mode: str
    key: bytes
    iv: bytes
    pt: bytes
    ct: bytes
    source: str
    aad: bytes = b""
    tag: bytes = b""
    fails: bool = False
    bits: int = 0


def _cipher_and_mode(name: str) -> tuple[str, str] | None:
    found = _NAME.match(name)
    if not found:
        return None
    before, family, size, hight, after = found.groups()
    mode = (before or after or "").lower()
    return (hight or family + size).lower(), _MODES.get(mode, mode)


def _entries(path: Path) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Section, line number and fields of each entry."""
    section, fields, begun = "", {}, 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if line.startswith(("[", "COUNT")):
            if fields:
                yield section, begun, fields
            fields, begun = {}, number
            if line.startswith("["):
                section = line.strip("[]")
        elif line == "FAIL":
            fields["FAIL"] = line
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            fields[name.strip()] = value.strip()
    if fields:
        yield section, begun, fields


def _bits(text: str) -> bytes:
    return bytes(int(text[i : i + 8].ljust(8, "0"), 2) for i in range(0, len(text), 8))


@cache
def load(path: Path) -> tuple[Answer, ...]:
    """The answers of a CAVP-style file; HIGHT in specification order is left out."""
    named, answers = _cipher_and_mode(path.stem), []
    for section, number, fields in _entries(path):
        here = named if section in ("ENCRYPT", "DECRYPT") else _cipher_and_mode(section)
        if not here or not here[1] or "SPECORDER" in section or "KEY" not in fields:
            continue
        decode = _bits if here[1] == "cfb1" else bytes.fromhex
        key, iv, aad, tag = (
            bytes.fromhex(next((fields[name] for name in names if name in fields), ""))
            for names in (["KEY"], ["IV", "CTR"], ["AAD"], ["TAG", "MAC"])
        )
        pt, ct = fields.get("PT", fields.get("MSG", "")), fields.get("CT", "")
        bits = len(ct) if here[1] == "cfb1" else 0
        source = f"{path.name}:{number}"
        answers.append(Answer(*here, key, iv, decode(pt), decode(ct), source, aad, tag, "FAIL" in fields, bits))
    return tuple(answers)


def own() -> list[Answer]:
    """The standards' vectors, which stand in the project."""
    return [a for path in sorted((ROOT / "vectors").glob("*.rsp")) for a in load(path)]


def single_blocks(cipher: str) -> list[Answer]:
    """Those of the standards' vectors that are blocks alone, of haechi_<cipher>."""
    found = [answer for answer in own() if (answer.cipher, answer.mode) == (cipher, "ecb")]
    if not found:
        raise LookupError(f"vectors/: nothing for {cipher}")
    return found


@cache
def _more() -> tuple[Answer, ...]:
    paths = [p for p in sorted(MORE.glob("*.rsp")) + sorted(MORE.glob("kcmvp/*.rsp")) if "MCT" not in p.name]
    return tuple(a for path in paths for a in load(path))


def more() -> list[Answer]:
    """Known-answer and multi-block tests under HAECHI_VECTORS; empty where that is not set."""
    return list(_more()) if MORE else []


def monte_carlo() -> dict[str, tuple[Answer, ...]]:
    """KCMVP's Monte Carlo chains under HAECHI_VECTORS, by file name."""
    paths = sorted(MORE.glob("kcmvp/*_MCT.rsp")) if MORE else []
    return {path.name: load(path) for path in paths}
