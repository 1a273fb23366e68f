# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The register map of rtl/bus from rtl/bus/registers.toml, as constants in Verilog and C and as the table in README.md there.

    python -m bench.made.registers     writes the constants again
"""

import tomllib
from pathlib import Path

from bench.declared.engines import ENGINES
from bench.declared.model import ROOT

BUS = ROOT / "rtl/bus"
LICENCE = "SPDX-License-Identifier: Apache-2.0 OR MIT"


def registers() -> list[dict]:
    """The registers: name, address, access and text, and where they have them the number of words and the fields."""
    return tomllib.loads((BUS / "registers.toml").read_text())["register"]


def ciphers() -> dict[str, int]:
    """The number of each cipher in the register ID."""
    return field("ID", "CIPHER")["values"]


def field(register: str, name: str) -> dict:
    """A field of a register: its lowest bit, its highest one where it has several, its value where it is constant, and its
    values where they have names."""
    return next(f for r in registers() if r["name"] == register for f in r["fields"] if f["name"] == name)


def bit(register: str, name: str) -> int:
    """The lowest bit of a field."""
    return field(register, name)["low"]


def identity(cipher: str, key: int, block: int) -> int:
    """What the register ID gives for an engine with so many bits of key and block."""
    parts = {"KEY": key // 32, "BLOCK": block // 32, "CIPHER": ciphers()[cipher], "DEVICE": field("ID", "DEVICE")["value"]}
    return sum(value << bit("ID", name) for name, value in parts.items())


def table() -> str:
    lines = ["| Address | Register | Access | What it holds |", "|---|---|---|---|"]
    for r in registers():
        last = r["address"] + 4 * (r.get("words", 1) - 1)
        where = f"0x{r['address']:02X}" + (f" to 0x{last:02X}" if last != r["address"] else "")
        lines.append(f"| {where} | {r['name']} | {r['access']} | {r['text']}{''.join(map(_described, r.get('fields', ())))} |")
    return "\n".join(lines)


def _described(field: dict) -> str:
    bits = f"bits {field['low']} to {field['high']}" if "high" in field else f"bit {field['low']}"
    text = field.get("text") or ", ".join(f"{value} {name}" for name, value in field.get("values", {}).items())
    return f"; {bits} {field['name']}" + (f": {text}" if text else "")


def files() -> dict[Path, str]:
    """Every source file that repeats the map, with its text."""
    note = "Written from registers.toml by bench/made/registers.py."
    verilog = [f"// {LICENCE}", f"// {note}"]
    c = [f"/* {LICENCE} */", f"/* {note} */", "#ifndef HAECHI_CTR_MAP_H", "#define HAECHI_CTR_MAP_H", ""]
    for register in registers():
        name = f"HAECHI_CTR_{register['name']}"
        verilog.append(f"`define {name} 6'd{register['address']}")
        c.append(f"#define {name} 0x{register['address']:02X}u")
        for field in register.get("fields", ()):
            verilog.append(f"`define {name}_{field['name']} {field['low']}")
            if "high" not in field:
                c.append(f"#define {name}_{field['name']} (1u << {field['low']})")
            elif "value" not in field:
                mask = (1 << field["high"] - field["low"] + 1) - 1
                c.append(f"#define {name}_{field['name']}(id) ((id) >> {field['low']} & {mask}u)")
            else:
                verilog.append(f"`define {name}_{field['name']}_VALUE {field['high'] - field['low'] + 1}'d{field['value']}")
    verilog += [f"`define HAECHI_CTR_ID_CIPHER_{name} {number}" for name, number in ciphers().items()]
    kinds = dict.fromkeys((e.core.family, e.core.key_bits, e.core.block_bits) for e in ENGINES.values())
    c += [f"#define HAECHI_CTR_{_name(cipher, key)} 0x{identity(cipher, key, block):08X}u" for cipher, key, block in kinds]
    return {
        BUS / "haechi_ctr_map.vh": "\n".join(verilog) + "\n",
        BUS / "driver/haechi_ctr_map.h": "\n".join([*c, "", "#endif"]) + "\n",
    }


def _name(cipher: str, key: int) -> str:
    """HIGHT has one size of key."""
    return f"{cipher}_{key}" if cipher != "HIGHT" else cipher


if __name__ == "__main__":
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
