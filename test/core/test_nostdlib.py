# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs that are linked with -nostdlib, as docs/platforms.md describes them."""

import re

import native
import pytest
from firmware import CONSOLE, HERE, printed
from kernels import TARGETS
from library import Aead

from bench.made import build

pytestmark = pytest.mark.full

PROGRAM = """
#include <haechi.h>
#include <zephyr/sys/printk.h>

/* Seals a message of 20 bytes with this cipher in this mode, and prints it; then CTR, CMAC and ECB. */
static int use(haechi_cipher *cipher, haechi_mode *mode, unsigned char block)
{
    static const uint8_t key[16] = { 1, 2, 3 };
    uint8_t text[24], tag[8];
    haechi_any_aead a;
    haechi_any_key k;
    haechi_stream s;
    haechi_cmac c;
    int error;
    haechi_wipe(text, sizeof text); /* in the place of initial values, for which compilers call memset */
    haechi_wipe(&s, sizeof s);
    haechi_wipe(&c, sizeof c);
    error = haechi_aead_init(&a.aead, sizeof a, mode, cipher, key, 16);
    if (!error) error = haechi_seal(&a.aead, key, 12, key, 16, text, text, 20, tag, 8);
    for (int i = 0; i < 8; i++) printk("%02x", tag[i]);
    if (!error) error = haechi_init(&k.key, sizeof k, cipher, key, 16);
    if (!error) error = haechi_ctr(&k.key, &s, text, text, 20);
    if (!error) error = haechi_cmac_update(&k.key, &c, text, 20);
    if (!error) error = haechi_cmac_tag(&k.key, &c, tag, 8);
    return error ? error : haechi_ecb(&k.key, text, text, block);
}

int main(void)
{
    int error = use(&haechi_lea128, &haechi_ccm, 16);
    if (!error) error = use(&haechi_hight, &haechi_eax, 8);
    return error ? error : ARIA;
}
"""
USE_ARIA = {"armv6m": "use(&haechi_aria128, &haechi_ccm, 16)", "armv7m": "use(&haechi_aria128, &haechi_ccm, 16)"}


def objects(target: str, *flags: str):
    chip = TARGETS[target]
    told = [f"{chip.chip_flag}{chip.chip}", *chip.flags, *chip.size_flags, *flags]
    return [build.compile(chip.compiler, path, told) for path in native.sources()]


def link(target: str, parts: list, out, *more: str):
    chip = TARGETS[target]
    flags = [f"{chip.chip_flag}{chip.chip}", *chip.flags]
    told = [f for f in chip.link if not f.startswith("-no")]
    script = ["-T", native.ROOT / chip.script] if chip.script else []
    native.run([chip.compiler, *flags, *told, *script, "-nostdlib", *parts, *more, "-o", out])
    return out


@pytest.mark.parametrize("target", ["armv6m", "rv32", pytest.param("armv7m", marks=pytest.mark.slow)])
def test_the_modes_of_small_machines_need_nothing(tmp_path, target):
    """CTR, CMAC, CCM, EAX and ECB over the default kernels: neither a C library nor the compiler's. The start-up code of the
    bench, which has both, is not linked with them; the program then runs with it."""
    chip = TARGETS[target]
    (tmp_path / "main.c").write_text(PROGRAM.replace("ARIA", USE_ARIA.get(target, "0")))
    flags = [f"{chip.chip_flag}{chip.chip}", *chip.flags, *chip.size_flags, f"-I{HERE / 'include'}", f"-I{native.ROOT / 'src'}"]
    parts = objects(target)
    for path in (tmp_path / "main.c", CONSOLE):
        parts.append(tmp_path / f"{path.stem}.o")
        native.run([chip.compiler, *flags, "-c", path, "-o", parts[-1]])
    symbols = ["-Wl,-e,main", *(f"-Wl,--defsym={name}=0" for name in ("_start",) if chip.script)]
    link(target, parts, tmp_path / "bare.elf", *symbols)
    start = [build.compile(chip.compiler, native.ROOT / name, flags) for name in chip.sources]
    elf = link(target, [*parts, *start], tmp_path / "run.elf", "-Wl,--undefined=haechi_bench_idle", "-lgcc")
    key = bytes([1, 2, 3]) + bytes(13)
    uses = [("ccm", "lea128"), ("eax", "hight"), ("ccm", "aria128")][: 3 if target in USE_ARIA else 2]
    tags = [Aead(mode, cipher, key).seal(key[:12], key, bytes(20), 8)[1] for mode, cipher in uses]
    assert printed(target, elf) == b"".join(tags).hex()


def missing(target: str, tmp_path, *flags: str) -> set[str]:
    """What the whole library does not find when it is linked with -nostdlib -lgcc, without dropping anything."""
    parts = objects(target, *flags)
    try:
        link(target, parts, tmp_path / "all.elf", "-Wl,-e,haechi_init", "-Wl,--no-gc-sections", "-lgcc")
    except RuntimeError as error:
        return set(re.findall(r"undefined reference to `(\w+)'", str(error)))
    return set()


@pytest.mark.parametrize("target", ["armv6m", *(pytest.param(t, marks=pytest.mark.slow) for t in ("armv7m", "rv32", "avr"))])
def test_the_whole_library_needs_two_functions_that_it_can_bring(tmp_path, target):
    assert missing(target, tmp_path) <= {"memset", "memcpy"}
    assert missing(target, tmp_path, "-DHAECHI_MEMORY") == set()


def test_what_the_library_brings_is_right(tmp_path):
    """On this host, under names that its C library does not have."""
    program = tmp_path / "main.c"
    program.write_text(
        "#define memset set\n#define memcpy copy\n#define HAECHI_MEMORY\n"
        f'#include "{native.ROOT}/src/core/memory.c"\n'
        "#undef memset\n#undef memcpy\n#include <string.h>\n"
        "int main(void)\n{\n    char a[40], b[40];\n"
        "    for (unsigned n = 0; n <= 32; n++) {\n"
        "        memset(a, 7, 40);\n        memset(b, 7, 40);\n"
        "        if (set(a + 3, 0x1a5, n) != a + 3) return 1;\n        memset(b + 3, 0x1a5, n);\n"
        "        if (memcmp(a, b, 40)) return 2;\n"
        '        if (copy(a + 1, "0123456789abcdefghijklmnopqrstuvwxyz", n) != a + 1) return 3;\n'
        '        memcpy(b + 1, "0123456789abcdefghijklmnopqrstuvwxyz", n);\n'
        "        if (memcmp(a, b, 40)) return 4;\n    }\n    return 0;\n}\n"
    )
    native.run(["gcc", "-O2", "-fno-builtin", program, "-o", tmp_path / "main"])
    native.run([tmp_path / "main"])
