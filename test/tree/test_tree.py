# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files, cards, rungs and results agree; every file has its licence line; versions agree."""

import json
import re
from collections import Counter

import native
import tomllib
import yaml
from library import Kernel, library

ROOT = native.ROOT
CARDS = {p: yaml.safe_load(p.read_text()) for p in sorted(ROOT.glob("src/*/*/card.yml"))}


def tracked():
    """The files that git has, or would add."""
    listed = native.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"]).stdout.splitlines()
    return [ROOT / name for name in listed if (ROOT / name).is_file()]


def test_every_kernel_file_has_a_card_entry_and_the_other_way_round():
    assert CARDS
    for card, content in CARDS.items():
        files = {p.stem for p in card.parent.iterdir() if p.suffix in (".c", ".S")}
        assert files == set(content["kernels"]), card


def test_every_kernel_folder_has_a_card_and_a_readme():
    folders = {p.parent for p in native.sources() if len(p.relative_to(ROOT / "src").parts) == 3}
    assert folders == {c.parent for c in CARDS}
    assert not [f for f in folders if not (f / "README.md").exists()]


def test_base_names_are_unique():
    names = [p.stem for p in native.sources()]
    assert len(names) == len(set(names))


def test_names_of_test_files_are_unique():
    """pytest imports them by their names alone."""
    names = Counter(path.name for top in ("test", "bindings") for path in (ROOT / top).rglob("test_*.py"))
    assert [name for name, times in names.items() if times > 1] == []


SWITCHES = {"HAECHI_ARMV6M", "HAECHI_ARMV7M", "HAECHI_RV32", "HAECHI_CTR_INSIDE", "FIXED_LEA"}


def test_headers_of_assembly_are_not_switched():
    """A kernel chooses by what it includes. Conditionals depend only on the machine, on the bench's way to build a
    cache, and on the key size of a fixed key."""
    folders = ["src/asm", *(f"src/*/{machine}" for machine in ("avr", "msp430", "armv6m", "armv7m", "rv32"))]
    conditionals = [
        (path.name, line)
        for folder in folders
        for path in ROOT.glob(f"{folder}/*.h")
        for line in re.findall(r"^# *(?:if|ifdef|elif)\b.*", path.read_text(), re.M)
    ]
    asked = {(name, macro) for name, line in conditionals for macro in re.findall(r"\b[A-Z_]\w{2,}", line.split("/*")[0])}
    assert len(conditionals) > 10
    assert not {(name, macro) for name, macro in asked if not macro.startswith("__") and macro not in SWITCHES}


def test_kernels_define_what_their_names_promise():
    """A kernel file defines haechi_<file>[_<bits>] and haechi_<file>[_<bits>]_inv: in the object for the host or, for
    assembly, in its text. The bench builds C for a microcontroller."""
    for card, content in CARDS.items():
        bits = [""] if content["cipher"] == "HIGHT" else ["_128", "_192", "_256"]
        for name in content["kernels"]:
            for descriptor in [name + b + d for b in bits for d in ("", "_inv")]:
                if (assembly := card.parent / f"{name}.S").exists():
                    assert re.search(rf"^ *KERNEL {descriptor},", assembly.read_text(), re.M), descriptor
                elif content["machine"] in ("any", "x86_64"):
                    assert Kernel(descriptor).d.block in (8, 16)


def test_rungs_name_kernels_of_their_cipher():
    kernels = {name: content["cipher"] for content in CARDS.values() for name in content["kernels"]}
    for ladder in ROOT.glob("src/*/kernels.h"):
        rungs = set(re.findall(r"RUNG\(([a-z]\w*),", ladder.read_text()))
        assert rungs and {kernels[r] for r in rungs} == {ladder.parent.name.upper()}, ladder


def test_licence_line():
    silent = {".csv", ".svg", ".json", ".properties"}
    strict = {ROOT / "packaging/debian/changelog", ROOT / "packaging/debian/source/format"}  # have no comments
    for path in tracked():
        if path.suffix not in silent and path not in strict and not path.name.startswith("LICENSE"):
            assert "SPDX-License-Identifier: Apache-2.0 OR MIT" in path.read_text()[:3000], path


def test_versions_agree():
    header = (ROOT / "src/haechi.h").read_text()
    version = re.search(r'#define HAECHI_VERSION "(.*)"', header).group(1)
    assert version == ".".join(re.findall(r"#define HAECHI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
    assert library().haechi_version().decode() == version
    arduino = re.search(r"^version=(.*)$", (ROOT / "library.properties").read_text(), re.M).group(1)
    component = yaml.safe_load((ROOT / "idf_component.yml").read_text())["version"]
    assert version == arduino == component == json.loads((ROOT / "library.json").read_text())["version"]


def test_readme_program_compiles(tmp_path):
    program = re.search(r"```c\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
    (tmp_path / "readme.c").write_text(program)
    native.run(["gcc", "-std=c99", *native.WARNINGS, f"-I{ROOT / 'src'}", "-c", tmp_path / "readme.c", "-o", "/dev/null"])


def test_links_in_documents_lead_somewhere():
    for page in (p for p in tracked() if p.suffix == ".md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page}: {target}"



def test_columns_are_those_that_a_document_names():
    said = re.search(r"    (cipher,kernel,operation.*?)\n\n", (ROOT / "docs/measuring.md").read_text(), re.S).group(1)
    for target in ("avr", "msp430", "armv6m", "armv7m", "rv32"):
        header = (ROOT / f"results/{target}.csv").read_text().splitlines()[0]
        assert re.sub(r"\s", "", said) == header, target


def test_files_that_documents_name_exist():
    names = {path.name for path in tracked()} | {"fixed.h"}  # a file of the program, which docs/fixed.md describes
    for page in (p for p in tracked() if p.suffix == ".md"):
        for name in re.findall(r"`(?:[\w.-]+/)*([\w-]+\.(?:py|h|c|cc|S|v|csv|yml))`", page.read_text()):
            assert name in names, f"{page}: {name}"


def test_tests_that_documents_name_exist():
    there = {name for path in tracked() if path.suffix == ".py" for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)}
    for page in (p for p in tracked() if p.suffix == ".md"):
        for name in re.findall(r"`(test_\w+)`", page.read_text()):
            assert name in there, f"{page}: {name}"
