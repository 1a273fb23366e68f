# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a public C header declares, for tests that compare a binding with it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from native import ROOT

PUBLIC = [*sorted((ROOT / "src").glob("haechi*.h")), *sorted((ROOT / "host").glob("haechi*.h"))]


@dataclass
class Header:
    """functions: by name, the type of the result and those of the parameters, as in "const void *"
    objects: by name, the type, for instance of haechi_lea128
    constants: by name, the text of the value; macros with parameters are not among them
    types: by name, the members of a structure, in order; none for other types"""

    functions: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)


def _type(text: str, name: bool = True) -> str:
    """The type in a declaration of a parameter, without the name."""
    text = re.sub(r"\w+$", "", text.strip()) if name else text
    return " ".join(text.replace("*", " * ").split())


def _members(body: str) -> list[str]:
    """The names that the declarations between the braces of a structure introduce."""
    return [re.sub(r"\[.*", "", name).split()[-1].lstrip("*") for line in body.split(";") if line.strip() for name in line.split(",")]


def parse(path: Path) -> Header:
    """The declarations of a header that follows this project's style. Of members that depend on HAECHI_MICRO, whose names are
    equal in both cases, there is one."""
    found, text = Header(), re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(), flags=re.S)
    for name, value in re.findall(r"^#define (HAECHI_\w+)[ \t]+(\S[^\n]*)$", text, re.M):
        if name not in ("HAECHI_API", "HAECHI_EXPORTS"):
            found.constants[name] = value.strip()
    text = re.sub(r"(?:^#(?:[^\n]*\\\n)*[^\n]*)", "", text, flags=re.M)
    for result, name, parameters in re.findall(r"HAECHI_API\s+([^;()]*?)(\w+)\(([^;]*?)\);", text):
        parts = [] if parameters.strip() == "void" else parameters.split(",")
        found.functions[name] = (_type(result, name=False), [_type(part) for part in parts])
    for kind, names in re.findall(r"HAECHI_API (\w+) ([\w, \n]+);", text):
        found.objects |= {name.strip(): kind for name in names.split(",")}
    for body in re.findall(r"\benum \{(.*?)\}", text, re.S):
        found.constants |= dict(re.findall(r"(\w+) = (-?\w+)", body))
    for body, name in re.findall(r"typedef struct \{([^{}]*)\} (\w+);", text):
        found.types[name] = list(dict.fromkeys(_members(body)))
    for name in re.findall(r"typedef (?!struct \{)[^{};]*?(\w+);", text):
        found.types[name] = []
    return found


def unused(sources: Iterable[Path]) -> set[str]:
    """The functions, objects and constants of all public headers that these files name nowhere, comments aside."""
    code = "\n".join(re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.S) for path in sources)
    names = {name for path in PUBLIC for said in [parse(path)] for name in (*said.functions, *said.objects, *said.constants)}
    return names - set(re.findall(r"\bhaechi_\w+|\bHAECHI_\w+", code))
