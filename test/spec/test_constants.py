# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The constants and tables in src/ are those of spec/, or follow from them."""

import re
from functools import reduce
from operator import xor

import native
import pytest
import tower

from spec import aria, hight, lea
from spec.field import inverse
from spec.word import Integer

SRC = native.ROOT / "src"
SB1, SB2, SB3, SB4 = aria.SB
ROWS = [sum(1 << j for j in row) for row in aria.A]  # bit j says whether byte j is part of the sum


def text(name: str) -> str:
    """The text of a file without comments, and with continued lines joined."""
    return re.sub(r"\\\n|//[^\n]*|/\*.*?\*/", "", (SRC / name).read_text(), flags=re.S)


def numbers(source: str, begin: str, end: str = ";") -> list[int]:
    """The numbers between two strings."""
    part = source[source.index(begin) + len(begin) :].partition(end)[0]
    return [int(n, 0) for n in re.findall(r"\b(?:0x[0-9a-f]+|\d+)\b", part)]


def assembled(tmp_path, program: str) -> bytes:
    """The bytes that a program puts into .data. The headers are for assembly on any machine, including this one."""
    (tmp_path / "table.S").write_text(".data\n" + program)
    native.run(["gcc", f"-I{SRC}", "-c", tmp_path / "table.S", "-o", tmp_path / "table.o"])
    native.run(["objcopy", "-O", "binary", "-j", ".data", tmp_path / "table.o", tmp_path / "table"])
    return (tmp_path / "table").read_bytes()


# ---- LEA and HIGHT.


def sequences(folder: str, wanted: list[int], least: int) -> list[str]:
    """The files in a folder of src/ that contain the first of these numbers. Each of them must continue with the
    others, at least up to so many."""
    files = []
    for path in sorted(p for p in (SRC / folder).rglob("*") if p.suffix in (".c", ".h", ".S")):
        found = [int(n, 16) for n in re.findall(r"\b0x([0-9a-f]+)\b", text(path.relative_to(SRC)))]
        places = [at for at, n in enumerate(found) if n == wanted[0] and found[at + 1 : at + 2] == wanted[1:2]]
        for at in places:
            n = next((k for k, (a, b) in enumerate(zip(found[at:], wanted, strict=False)) if a != b), len(wanted))
            assert n >= least, f"{path.name} has {n} of them"
        files += [path.name] if places else []
    return files


def test_deltas_of_lea():
    """All eight deltas. lea_armv7m_fly keeps in registers those that 128 bits of key need, and takes the others
    elsewhere."""
    assert sequences("lea", lea.DELTA[:4], 4) == ["lea_armv7m_fly.S", "lea_c.c", "lea_delta.h"]
    assert sequences("lea/c", lea.DELTA, 8) and numbers(text("lea/lea_delta.h"), ".irp d,", "\n") == lea.DELTA


def test_tables_and_deltas_of_hight(tmp_path):
    maps = {"F0_ROTATIONS": hight.F0, "F1_ROTATIONS": hight.F1, "INVERSE_F1_ROTATIONS": hight.F1_inverse}
    head = '#include "hight/hight_constants.h"\n'
    for name, f in maps.items():
        assert assembled(tmp_path, f"{head} table {name}\n") == bytes(int(f(Integer(x, 8))) for x in range(256))
    deltas = "".join(f"delta {n}\n.byte .Ldelta\n" for n in range(128))
    assert assembled(tmp_path, head + deltas) == bytes(hight.DELTA)


def test_deltas_of_hight_in_c():
    words = numbers(text("hight/c/hight_c.c"), "delta[16] = {")
    assert b"".join(w.to_bytes(8, "little") for w in words) == bytes(hight.DELTA)


# ---- ARIA: S-boxes and the constants of the key schedule.


def test_s_boxes_in_assembly(tmp_path):
    assert assembled(tmp_path, '#include "aria/aria_sboxes.h"\n aria_sboxes\n') == bytes(sum(aria.SB, []))


def test_s_boxes_in_c():
    """The tables are the lists of aria_sboxes.h, in this order."""
    assert re.findall(r"HAECHI_ARIA_SB(\d)", text("aria/c/aria_c_table.c")) == ["1", "2", "3", "4"]


@pytest.mark.parametrize("size, order, n", [(1, "big", 3), (2, "big", 1), (4, "big", 1), (4, "little", 2), (8, "little", 1)])
def test_constants_of_the_key_schedule(size, order, n):
    """C1, C2 and C3 one after another, in words of this size and order: so many files have them in this form."""
    every = b"".join(aria.CK)
    wanted = [int.from_bytes(every[at : at + size], order) for at in range(0, 48, size)]
    assert len(sequences("aria", wanted, len(wanted))) == n


# ---- ARIA: the diffusion layer as XORs.


def after(steps: list[tuple[int, int]]) -> list[int]:
    """The content of sixteen registers after x[a] ^= x[b] for all steps. Bit j stands for the original content of
    x[j]."""
    x = [1 << i for i in range(16)]
    for a, b in steps:
        x[a] ^= x[b]
    return x


def pairs(flat: list[int]) -> list[tuple[int, int]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def test_46_xors_on_avr():
    """The bytes of the result are then in the registers that TURNED names."""
    source = (SRC / "aria/avr/aria_avr.h").read_text().replace("\\\n", "")
    steps, place = pairs(numbers(source, "#define DIFFUSION", "\n")), numbers(source, "#define TURNED", "\n")
    assert len(steps) == 46 and [after(steps)[p] for p in place] == ROWS


def test_24_xors_and_6_swaps_on_msp430():
    """Bytes 2k and 2k + 1 share a register. Bit k of a row stands for word k as it is, bit k + 8 for word k with its
    bytes swapped. The row of an even byte also determines that of the odd byte beside it."""
    swapped = lambda row: (row << 8 | row >> 8) & 0xFFFF  # noqa: E731
    row = lambda i: sum(1 << (j // 2 + 8 * (j % 2)) for j in aria.A[i])  # noqa: E731
    wanted = [row(i) for i in range(0, 16, 2)]
    assert wanted == [swapped(row(i)) for i in range(1, 16, 2)]

    source = (SRC / "aria/msp430/aria_msp430.h").read_text().replace("\\\n", "")
    listed = lambda name: pairs([int(n) for n in re.findall(r"\d+", re.search(rf"#define {name} ([^/\n]*)", source)[1])])  # noqa: E731
    steps = [step for n in (1, 2, 3) for step in listed(f"DIFFUSION_{n}")]
    assert (sum(a != b for a, b in steps), sum(a == b for a, b in steps)) == (24, 6)
    x = {r: swapped(1 << k) if s else 1 << k for k, (r, s) in enumerate(listed("UPRIGHT"))}
    for a, b in steps:
        x[a] = swapped(x[a]) if a == b else x[a] ^ x[b]
    assert [swapped(x[r]) if s else x[r] for r, s in listed("TURNED")] == wanted


@pytest.mark.parametrize("file, end", [("aria/x86/aria_x86_slots.h", "#undef ADD\n"), ("aria/neon/aria_neon_aes.c", "void SL1(")])
def test_49_xors_on_vectors(file, end):
    """The places in which they leave the bytes; and the way back is the same list backwards."""
    source = text(file)
    turned = [int(n) for n in re.findall(r"TURNED_\d+ = (\d+)", source)]
    part = source[source.index("#define ADD(") : source.index(end)]
    there, back = (
        [(int(a), int(b)) for a, b in re.findall(r"ADD\((\d+), (\d+)\)", side)] for side in part.split("A_back(")
    )
    assert [after(there)[p] for p in turned] == ROWS and back == [(b, a) for a, b in reversed(there)]


def test_terms_of_the_diffusion_layer_on_x86():
    """Each term takes bytes of one column to the sums of the layer."""
    names = [f"{column}{kind}" for column in range(4) for kind in "AB"]
    source = text("aria/x86/aria_x86.h")
    terms = {n: re.search(rf"#define TERM_{n}\(X\) X\((.*)\)", source)[1].split(", ") for n in names}
    for i, row in enumerate(aria.A):
        assert sorted(int(t[i]) for t in terms.values() if t[i] != "NO") == row
        assert all(int(t[i]) % 4 == int(n[0]) for n, t in terms.items() if t[i] != "NO")


# ---- ARIA: S-boxes by other means.


def parities(matrix: int, constant: int, x: int) -> int:
    """The operation of GF2P8AFFINEQB: bit i is the parity of x and byte 7 - i, XORed with that bit of the constant."""
    return constant ^ sum(((matrix >> 8 * (7 - i) & x & 255).bit_count() & 1) << i for i in range(8))


def test_matrices_for_gfni():
    source = text("aria/x86/aria_x86_gfni.h")
    names = "M1", "M2", "N1", "N2", "ID"
    m = {n: int(re.search(rf"#define {n} UINT64_C\((0x\w+)\)", source)[1], 16) for n in names}
    for x in range(256):
        assert SB1[x] == parities(m["M1"], 0x63, inverse(x)) and SB2[x] == parities(m["M2"], 0xE2, inverse(x))
        assert SB3[x] == inverse(parities(m["N1"], 0x05, x)) and SB4[x] == inverse(parities(m["N2"], 0x2C, x))
        assert parities(m["ID"], 0, x) == x
    for n in "12":  # for constants that are added behind the diffusion layer instead of before it
        late, behind = (numbers(source, f"#define {name}_{n} ", "\n") for name in ("LATE", "A_LATE"))
        assert [reduce(xor, (late[j] for j in row)) for row in aria.A] == behind


@pytest.mark.parametrize("file", ["aria/x86/aria_x86_aes.h", "aria/neon/aria_neon_aes.c"])
def test_second_s_box_after_that_of_aes(file):
    """SB2 = L(SB1), and SB4 = SB3 of the inverse of L, by nibbles. NEON adds the constant of the inverse together with
    the key."""
    source = text(file)
    L, back = numbers(source, " L[2][16] ="), numbers(source, " L_INVERSE[2][16] =")
    separate = re.search(r"#define L_INVERSE_OF_0 (0x\w+)", source)
    constant = int(separate[1], 16) if separate else 0
    for x in range(256):
        assert SB2[x] == L[SB1[x] & 15] ^ L[16 + (SB1[x] >> 4)]
        assert SB4[x] == SB3[back[x & 15] ^ back[16 + (x >> 4)] ^ constant]


def test_tables_of_nibbles():
    """The header has the tables that tower.py derives, and six look-ups in them compute the S-boxes."""
    assert tower.in_c() in (SRC / "aria/neon/aria_neon_tower.h").read_text()
    t = tower.TABLES
    for x in range(256):
        y = tower.mapped(x, t["TO_TOWER"])
        assert tower.mapped(y, t["FROM_TOWER"]) == x
        assert tower.BACK[tower.inverse(y, t["AFTER_SB1"])] == SB1[x] ^ 0x63
        assert tower.BACK[tower.inverse(y, t["AFTER_SB2"])] == SB2[x] ^ 0xE2
        assert tower.BACK[tower.inverse(tower.mapped(y, t["BEFORE_SB3"]), t["AFTER_SB34"])] == SB3[x ^ 0x63]
        assert tower.BACK[tower.inverse(tower.mapped(y, t["BEFORE_SB4"]), t["AFTER_SB34"])] == SB4[x ^ 0xE2]
