# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The register map of rtl/bus from rtl/bus/registers.toml, as constants in Verilog and C and as the table in README.md there.

    python -m bench.made.registers     writes the constants again
"""

import tomllib
from pathlib import Path

from bench.declared.model import ROOT

BUS = ROOT / "rtl/bus"
LICENCE = "SPDX-License-Identifier: Apache-2.0 OR MIT"


def registers() -> list[dict]:
    """The registers: name, address, access, text, and where they have them the number of words, the bits and the value."""
    return tomllib.loads((BUS / "registers.toml").read_text())["register"]


def bit(register: str, name: str) -> int:
    """The place of a bit in its register."""
    return next(r["bits"][name] for r in registers() if r["name"] == register)


def _constants() -> list[tuple[str, int, bool]]:
    """Names and values, and whether the value is an address."""
    found = []
    for register in registers():
        found.append((register["name"], register["address"], True))
        found += [(f"{register['name']}_{bit}", at, False) for bit, at in register.get("bits", {}).items()]
    return found


def table() -> str:
    lines = ["| Address | Register | Access | What it holds |", "|---|---|---|---|"]
    for r in registers():
        last = r["address"] + 4 * (r.get("words", 1) - 1)
        where = f"0x{r['address']:02X}" + (f" to 0x{last:02X}" if last != r["address"] else "")
        bits = "".join(f"; bit {at} {bit}" for bit, at in r.get("bits", {}).items())
        lines.append(f"| {where} | {r['name']} | {r['access']} | {r['text']}{bits} |")
    return "\n".join(lines)


def files() -> dict[Path, str]:
    """Every source file that repeats the map, with its text."""
    value = next(r["value"] for r in registers() if r["name"] == "ID")
    verilog = [f"// {LICENCE}", "// Written from registers.toml by bench/made/registers.py."]
    verilog += [f"`define HAECHI_CTR_{name} {'6' if place else '32'}'d{at}" for name, at, place in _constants()]
    verilog.append(f"`define HAECHI_CTR_ID_VALUE 32'h{value:08X}")
    head = [f"/* {LICENCE} */", "/* Written from registers.toml by bench/made/registers.py. */"]
    head += ["#ifndef HAECHI_CTR_MAP_H", "#define HAECHI_CTR_MAP_H", ""]
    head += [f"#define HAECHI_CTR_{n} 0x{at:02X}u" if place else f"#define HAECHI_CTR_{n} (1u << {at})"
             for n, at, place in _constants()]  # fmt: skip
    head += [f"#define HAECHI_CTR_ID_VALUE 0x{value:08X}u", "", "#endif"]
    return {
        BUS / "haechi_ctr_map.vh": "\n".join(verilog) + "\n",
        BUS / "driver/haechi_ctr_map.h": "\n".join(head) + "\n",
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
