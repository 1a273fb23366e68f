# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The crates: haechi-sys says what the C headers say, haechi gives the known answers, on every machine that this one can build for or
emulate, under valgrind and AddressSanitizer, and what cargo packs is enough for a program elsewhere."""

import os
import re
import shutil
import subprocess

import cases
import header
import native
import pytest
import tomllib
from builds import BUILDS, PORTABLE
from crates import DOOR, ENVIRONMENT, WITHOUT_LIBRARY, WORKSPACE, bare, cargo, has_target, has_tool, host, library, needs_cargo, with_library
from elftools.elf.elffile import ELFFile
from marks import LATER

from bench.declared import rsp

SYS = DOOR / "haechi-sys/src/lib.rs"
pytestmark = [pytest.mark.full, needs_cargo]


# ---- haechi-sys beside the headers.

TYPES = {"size_t": "usize", "int": "c_int", "unsigned": "c_uint", "void": "c_void", "char": "c_char"}
TYPES |= {"uint8_t": "u8", "uint32_t": "u32"}
CONSTANT = {"haechi_cipher", "haechi_mode", "haechi_drbg_kind"}  # these types are const in C
# What haechi-sys leaves out, and why.
OMITTED: dict[str, str] = {}


def in_rust(kind: str) -> str:
    """A type of a header as Rust writes it."""
    words = kind.split()
    constant = "const" in words or bool(CONSTANT & set(words))
    name = next(word for word in words if word not in ("const", "*"))
    return f"*{'const' if constant else 'mut'} {TYPES.get(name, name)}" if "*" in words else TYPES.get(name, name)


def declared() -> dict[str, str]:
    """The functions, objects and constants of haechi-sys: by name, the signature, the type or the value."""
    text = re.sub(r"//[^\n]*", "", SYS.read_text()).replace("r#", "")
    found = {}
    for name, parameters, result in re.findall(r"pub (?:safe )?fn (\w+)\(([^)]*)\)\s*(?:-> ([^;{]*))?;", text):
        kinds = [part.partition(":")[2].strip() for part in parameters.split(",") if part.strip()]
        found[name] = f"({', '.join(kinds)}) -> {result.strip() or 'nothing'}"
    found |= dict(re.findall(r"pub static (\w+): (\w+);", text))
    return found | {name: value.strip() for name, value in re.findall(r"pub const (HAECHI_\w+): [^=]*= ([^;]*);", text)}


@pytest.mark.parametrize("path", header.PUBLIC, ids=lambda path: path.name)
def test_every_declaration_of_a_header_is_in_haechi_sys(path):
    said, there = header.parse(path), declared()
    wanted = dict(said.objects)
    for name, (result, parameters) in said.functions.items():
        kinds = ", ".join(map(in_rust, parameters))
        wanted[name] = f"({kinds}) -> {'nothing' if result == 'void' else in_rust(result)}"
    own = {"HAECHI_TAG_LATER": "usize::MAX", "HAECHI_MICRO": "cfg!(haechi_micro) as c_int"}
    wanted |= {name: own.get(name, value) for name, value in said.constants.items()}
    assert {name: there.get(name) for name in wanted if name not in OMITTED} == {n: w for n, w in wanted.items() if n not in OMITTED}
    assert wanted or path.name == "haechi_cpu.h"


def test_haechi_sys_declares_nothing_else():
    said = [header.parse(path) for path in header.PUBLIC]
    names = {name for each in said for names in (each.functions, each.objects, each.constants) for name in names}
    assert declared().keys() <= names
    assert OMITTED.keys() <= names
    assert len(names) > 100


@pytest.mark.parametrize("path", header.PUBLIC, ids=lambda path: path.name)
def test_haechi_uses_every_declaration(path):
    """No function, object or constant of a header is missing in the safe crate, except constants that programs ask a function for."""
    said = header.parse(path)
    used = set(re.findall(r"\bhaechi_\w+|\bHAECHI_\w+", "".join(file.read_text() for file in SYS.parents[2].glob("haechi/src/**/*.rs"))))
    asked = {name for name in said.constants if name.startswith("HAECHI_VERSION")} | {"HAECHI_MICRO"}
    assert {*said.functions, *said.objects, *said.constants} - used <= asked


MACHINES = {  # of a compiler: the target of Rust and its flags
    "gcc": (None, []),
    "aarch64-linux-gnu-gcc": ("aarch64-unknown-linux-gnu", []),
    "arm-none-eabi-gcc": ("thumbv7m-none-eabi", ["-mcpu=cortex-m3", "-mthumb", "-ffreestanding"]),
}


@pytest.mark.parametrize("compiler", MACHINES)
def test_structures_have_the_layout_of_c(compiler, tmp_path):
    """C writes sizes and offsets into an object, as sizes of arrays; Rust compiles only where its own are equal."""
    target, flags = MACHINES[compiler]
    target = target or host()
    if not shutil.which(compiler) or not has_target(target):
        pytest.skip(f"there is no {compiler} or no core library of Rust for {target}")
    opaque = {"haechi_cipher", "haechi_mode", "haechi_drbg_kind"}
    types = {name: fields for path in header.PUBLIC for name, fields in header.parse(path).types.items() if name not in opaque}
    assert {"haechi_job", "haechi_aead_stream", "haechi_any_xts", "haechi_lea128_key"} <= types.keys()
    lines = [f'#include "{path}"' for path in header.PUBLIC if path.parent.name == "src"]
    for name, fields in types.items():
        lines += [f"char size__{name}[sizeof({name}) + 1];", f"char align__{name}[_Alignof({name}) + 1];"]
        lines += [f"char at__{name}__{field}[offsetof({name}, {field}) + 1];" for field in fields]
    (tmp_path / "layout.c").write_text("\n".join(lines) + "\n")
    made = tmp_path / "layout.o"
    native.run([compiler, *flags, "-std=c11", f"-I{native.ROOT / 'src'}", "-c", tmp_path / "layout.c", "-o", made])
    with made.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".symtab").iter_symbols()
        sizes = {symbol.name: symbol["st_size"] - 1 for symbol in symbols if "__" in symbol.name}
    asserts = []
    for symbol, value in sizes.items():
        what, name, *field = symbol.split("__")
        field = [f"r#{name}" if name in ("impl", "in", "use") else name for name in field]
        call = f"offset_of!({name}, {field[0]})" if field else f"{what}_of::<{name}>()"
        asserts.append(f"const _: () = assert!({call} == {value});")
    assert len(asserts) == sum(2 + len(fields) for fields in types.values()) > 80
    options = ["--edition=2024", "--target", target, "--out-dir", tmp_path, "--emit=metadata", "--crate-type=lib", "-Aunused"]
    micro = ["--cfg=haechi_micro"] if target.startswith("thumb") else []
    environment = {**ENVIRONMENT, "CARGO_PKG_VERSION": "0"}
    native.run(["rustc", *options, *micro, "--crate-name=haechi_sys", SYS], env=environment)
    use = "#![no_std]\nuse core::mem::{align_of, offset_of, size_of};\nuse haechi_sys::*;\n"
    for name, text in {"right": asserts, "wrong": [*asserts, "const _: () = assert!(size_of::<haechi_key>() == 1);"]}.items():
        (tmp_path / f"{name}.rs").write_text(use + "\n".join(text) + "\n")
        command = ["rustc", *options, "--extern", f"haechi_sys={tmp_path}/libhaechi_sys.rmeta", tmp_path / f"{name}.rs"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        assert (done.returncode == 0) == (name == "right"), done.stderr


# ---- haechi.


@pytest.fixture(scope="session")
def answers(tmp_path_factory):
    """A file of cases: the known answers, and random messages with the answers of the library."""
    lines = [*cases.known()[0].splitlines(), *cases.drawn(cases.LENGTHS)[0].splitlines(), *cases.modes(cases.LENGTHS)[0].splitlines()]
    for a in rsp.more():
        line = lambda mode, one, two, cipher=a.cipher, a=a: cases.line(cipher, mode, a.key, a.iv, one, two, a.aad, a.tag).rstrip()  # noqa: E731
        if a.mode in ("gcm", "ccm"):
            lines.append(line(a.mode + "_forged", b"", a.ct) if a.fails else line(a.mode, a.pt, a.ct))
        elif a.mode == "cmac":
            lines.append(cases.line(a.cipher, "cmac", a.key, b"", a.pt, a.tag).rstrip())
        elif a.mode == "cfb1":
            bits = a.bits.to_bytes(4, "big")
            lines += [cases.line(a.cipher, m, a.key, a.iv, x, y, bits).rstrip() for m, x, y in [("cfb1", a.pt, a.ct), ("cfb1_d", a.ct, a.pt)]]
        elif a.mode == "cbc":
            lines += [line("cbc", a.pt, a.ct), line("cbc", a.ct, a.pt, a.cipher + "_inv")]
        elif a.mode in ("cfb", "cfb8", "cfb64"):
            lines += [line(a.mode, a.pt, a.ct), line(a.mode + "_d", a.ct, a.pt)]
        elif a.mode == "ofb":
            lines += [line("ofb", a.pt, a.ct), line("ofb", a.ct, a.pt)]
    path = tmp_path_factory.mktemp("rust") / "cases.txt"
    path.write_text("\n".join(dict.fromkeys(lines)) + "\n")
    return path


def part(answers, tmp_path, step: int):
    """Every step-th case."""
    path = tmp_path / "part.txt"
    path.write_text("".join(answers.read_text().splitlines(keepends=True)[::step]))
    return path


CASES = ["test", "--locked", "--all-features", "-p", "haechi", "--test", "all"]
ALL_TESTS = ["--", "--include-ignored", "--skip", "planted"]


def test_the_crate_on_this_machine(answers):
    """All tests and the examples of the documentation, with the known answers."""
    done = cargo("test", "--locked", "--all-features", "--workspace", *with_library(library()), *ALL_TESTS, HAECHI_CASES=str(answers))
    said = re.findall(r"test result: ok\. (\d+) passed; 0 failed; 0 ignored", done.stdout)
    assert len(said) >= 6 and sum(map(int, said)) > 45, done.stdout
    assert "Doc-tests haechi\n" in done.stderr


def test_a_wrong_answer_is_noticed(answers, tmp_path):
    line = next(line for line in answers.read_text().splitlines() if " gcm " in line)
    words = line.split()
    words[7] = words[7][:-1] + ("0" if words[7][-1] != "0" else "1")
    (tmp_path / "wrong.txt").write_text(" ".join(words) + "\n")
    with pytest.raises(RuntimeError, match="1 failed"):
        cargo(*CASES, *with_library(library()), *ALL_TESTS, "cases_of_a_file", HAECHI_CASES=str(tmp_path / "wrong.txt"))


def run_under(command: str, answers, *options, target: str | None = None, tests: tuple = ("cases", "errors", "objects", "random"), **environment):
    """The tests of the crate's own code, without the peers, under a program that cargo starts them with."""
    runner = f"CARGO_TARGET_{(target or host()).upper().replace('-', '_')}_RUNNER"
    words = [*CASES, *options, *(["--target", target] if target else []), *ALL_TESTS, *tests]
    done = cargo(*words, HAECHI_CASES=str(answers), **{runner: command}, **environment)
    assert re.search(r"test result: ok. \d\d? passed; 0 failed", done.stdout), done.stdout


def must_find(message: str, command: str, *options):
    """The program must find the planted fault, and say so in these words."""
    runner = f"CARGO_TARGET_{host().upper().replace('-', '_')}_RUNNER"
    with pytest.raises(RuntimeError, match=message):
        cargo(*CASES, *options, "--", "--ignored", "planted", **{runner: command})


def test_valgrind(answers, tmp_path):
    """No invalid access, no value that nobody wrote, and no leak. The kernels are the portable ones: those for x86-64 fill up a batch
    with bytes that nobody wrote, which valgrind takes to spread to all blocks of the batch by the instructions for AES."""
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not there")
    command = "valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite"
    built = with_library(library([*native.USUAL, *PORTABLE]))
    run_under(command, part(answers, tmp_path, 40), *built, tests=("cases", "errors", "rooms"))
    must_find("Invalid write", command, *built)


@pytest.mark.parametrize("step", [pytest.param(20, id="sample"), pytest.param(1, id="all", marks=LATER)])
def test_address_sanitizer(answers, tmp_path, step):
    """The C code and all memory that Rust takes from malloc are watched. The crates of others stay as they are."""
    runtime = os.path.realpath(native.run(["gcc", "-print-file-name=libasan.so"]).stdout.strip())
    if not os.path.exists(runtime):
        pytest.skip("gcc has no libasan")
    built = library([*native.USUAL, *BUILDS["asan-ubsan-portable" if step > 1 else "asan-ubsan"][0]])
    link = with_library(built, "dylib=asan", "dylib=ubsan", folders=[os.path.dirname(runtime), libraries_of_gcc()])
    command = f"env LD_PRELOAD={runtime}"
    run_under(command, part(answers, tmp_path, step), *link)
    must_find("heap-buffer-overflow", command, *link)


def libraries_of_gcc() -> str:
    """The folder where gcc finds the runtime of a sanitizer."""
    return os.path.dirname(native.run(["gcc", "-print-file-name=libasan.so"]).stdout.strip())


@pytest.mark.slow
@pytest.mark.ci
def test_aarch64(answers):
    """In an emulator, with the kernels for NEON."""
    target, compiler = "aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc"
    if not (has_target(target) and shutil.which(compiler) and shutil.which("qemu-aarch64")):
        pytest.skip(f"{compiler}, qemu-aarch64 or Rust's library for it is not there")
    built = library([*native.USUAL, "-march=armv8-a+crypto"], compiler)
    linker = {f"CARGO_TARGET_{target.upper().replace('-', '_')}_LINKER": compiler}
    run_under("qemu-aarch64 -L /usr/aarch64-linux-gnu", answers, *with_library(built, target=target), target=target, **linker)


# ---- Style and packages.


def test_versions_agree():
    version = header.parse(native.ROOT / "src/haechi.h").constants["HAECHI_VERSION"].strip('"')
    assert WORKSPACE["version"] == version
    for name in ("haechi", "haechi-sys"):
        text = (DOOR / name / "Cargo.toml").read_text()
        assert "version.workspace = true" in text
        assert all(said == version for said in re.findall(r'haechi-sys = \{ version = "(.*?)"', text))
    assert f"The crates need Rust {WORKSPACE['rust-version']} " in (DOOR / "README.md").read_text()
    assert f'haechi = {{ version = "{version.rpartition(".")[0]}", path' in (DOOR / "README.md").read_text()


def test_every_feature_is_described():
    features = tomllib.loads((DOOR / "haechi/Cargo.toml").read_text())["features"]
    page = (DOOR / "README.md").read_text()
    assert [name for name in features if f"`{name}`" not in page] == ["default", "common-0-1", "common-0-2"]


def test_format():
    if not has_tool("fmt"):
        pytest.skip("cargo fmt is not there (Debian package rustfmt-web or rustfmt)")
    cargo("fmt", "--all", "--check")


def test_clippy():
    if not has_tool("clippy"):
        pytest.skip("cargo clippy is not there (Debian package rust-web-clippy or rust-clippy)")
    cargo("clippy", "--locked", "--workspace", "--all-features", "--tests", *WITHOUT_LIBRARY, "--", "-D", "warnings")


@pytest.mark.slow
@pytest.mark.ci
def test_documentation_has_no_broken_links():
    cargo("doc", "--locked", "--workspace", "--all-features", "--no-deps", *WITHOUT_LIBRARY, RUSTDOCFLAGS="-D warnings")


@pytest.mark.slow
@pytest.mark.ci
def test_every_feature_compiles_by_itself():
    """Each one alone, with and without an allocator, and all without."""
    features = [name for name in tomllib.loads((DOOR / "haechi/Cargo.toml").read_text())["features"] if name != "default"]
    for chosen in ["", *features, *(f"alloc,{name}" for name in features if name != "alloc")]:
        flags = {"RUSTFLAGS": "-D warnings", "CARGO_TARGET_DIR": ENVIRONMENT["CARGO_TARGET_DIR"] + "/features"}
        cargo("check", "--locked", "-p", "haechi", "--no-default-features", "--features", chosen, *WITHOUT_LIBRARY, **flags)


BARE = {  # targets without an operating system: compiler, its flags, Debian package
    "thumbv7m-none-eabi": ("arm-none-eabi-gcc", {}),
    "thumbv7em-none-eabi": ("arm-none-eabi-gcc", {}),
    "riscv32imc-unknown-none-elf": ("clang", {"CC_riscv32imc_unknown_none_elf": "clang"}),
}

FIRMWARE = """#![no_std]
#![no_main]
use haechi::{Aead, AeadRoom, GcmMode, algorithm::Lea128};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
extern "C" fn seal(key: &[u8; 16], nonce: &[u8; 12], text: &mut [u8; 20], tag: &mut [u8; 16]) -> bool {
    let mut room = AeadRoom::<Lea128>::new();
    let aead = Aead::<Lea128, GcmMode>::in_room(&mut room, key);
    aead.and_then(|aead| aead.seal(nonce, b"", text, tag)).is_ok()
}
"""


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("target", BARE)
def test_firmware(target, tmp_path):
    """A program without an operating system and without an allocator compiles, and holds the cipher that it names and no other."""
    compiler, environment = BARE[target]
    if not (bare(target) and shutil.which(compiler)):
        pytest.skip(f"{compiler}, or Rust's core library for {target} or its sources (Debian package rust-web-src), is not there")
    options, more = bare(target)
    write_project(tmp_path, FIRMWARE, f'haechi = {{ path = "{DOOR / "haechi"}", default-features = false }}', kind="staticlib")
    shutil.copy(DOOR / "Cargo.lock", tmp_path)
    cargo("build", "--release", "--target", target, *options, cwd=tmp_path, CARGO_TARGET_DIR=str(tmp_path / "target"), **environment, **more)
    archive = tmp_path / f"target/{target}/release/libfresh.a"
    linked = tmp_path / "seal.elf"
    linker = {"a": ["arm-none-eabi-gcc", "-nostdlib", "-mthumb", "-mcpu=cortex-m3"], "c": ["ld.lld", "-m", "elf32lriscv", "-u", "seal"]}[compiler[0]]
    keep = ["-Wl,--gc-sections", "-Wl,-e,seal"] if compiler[0] == "a" else ["--gc-sections", "-e", "seal"]
    if not shutil.which(linker[0]):
        pytest.skip(f"{linker[0]} is not there")
    libraries = ["-lgcc"] if compiler[0] == "a" else []
    native.run([*linker, *keep, archive, *libraries, "-o", linked])
    with linked.open("rb") as file:
        names = {symbol.name for symbol in ELFFile(file).get_section_by_name(".symtab").iter_symbols()}
    assert "haechi_seal" in names and "haechi_lea128" in names
    assert not {name for name in names if "aria" in name or "hight" in name or "lea256" in name}


def write_project(folder, program: str, *dependencies: str, kind: str = "bin"):
    """A package named fresh."""
    (folder / "src").mkdir()
    (folder / "src" / ("main.rs" if kind == "bin" else "lib.rs")).write_text(program)
    lib = "" if kind == "bin" else f'[lib]\ncrate-type = ["{kind}"]\n'
    manifest = '[package]\nname = "fresh"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\n' + "\n".join(dependencies)
    profile = '\n[profile.release]\npanic = "abort"\nlto = true\n' if kind != "bin" else "\n"
    (folder / "Cargo.toml").write_text(f"{manifest}\n{lib}{profile}[workspace]\n")


@pytest.mark.slow
@pytest.mark.ci
def test_a_fresh_project_uses_the_packages(tmp_path):
    """What cargo packs builds outside the repository, by the build script of haechi-sys, and runs the README's examples."""
    target = tmp_path / "target"
    cargo("package", "--locked", "--allow-dirty", "--no-verify", "--workspace", CARGO_TARGET_DIR=str(target))
    for name in ("haechi-sys", "haechi"):
        native.run(["tar", "xf", target / f"package/{name}-{WORKSPACE['version']}.crate", "-C", tmp_path])
    packed = {name: tmp_path / f"{name}-{WORKSPACE['version']}" for name in ("haechi-sys", "haechi")}
    inside = {p.relative_to(packed["haechi-sys"] / "library") for p in (packed["haechi-sys"] / "library").glob("**/*.[cS]")}
    assert inside == {p.relative_to(native.ROOT) for p in [*native.sources(), *(native.ROOT / "host").glob("*.c")]}
    for folder in packed.values():
        assert all((folder / name).is_file() and not (folder / name).is_symlink() for name in ("README.md", "LICENSE-MIT", "LICENSE-APACHE"))
    examples = re.findall(r"```rust\n(.*?)```", (DOOR / "README.md").read_text(), re.S)
    assert len(examples) == 4
    programs = "".join(f"mod example_{i} {{\n{text.replace('fn main', 'pub fn main')}}}\n" for i, text in enumerate(examples))
    calls = "".join(f"    example_{i}::main().unwrap();\n" for i in range(len(examples)))
    calls += "    let mut key = [0; 16];\n    haechi::SystemRng.fill(&mut key).unwrap();\n    assert!(haechi::has_threads());\n"
    project = tmp_path / "fresh"
    project.mkdir()
    dependency = f'haechi = {{ path = "{packed["haechi"]}", features = ["openmp"] }}'
    write_project(project, f'{programs}fn main() {{\n{calls}    println!("done");\n}}\n', dependency)
    patch = f'\n[patch.crates-io]\nhaechi-sys = {{ path = "{packed["haechi-sys"]}" }}\n'
    (project / "Cargo.toml").write_text((project / "Cargo.toml").read_text() + patch)
    shutil.copy(DOOR / "Cargo.lock", project)
    assert cargo("run", "-q", cwd=project, CARGO_TARGET_DIR=str(target)).stdout == "done\n"


def test_the_build_script_takes_the_flags_of_a_release():
    """Those with which CMake compiles what others install, as far as they are for the machine or for safety."""
    script = (DOOR / "haechi-sys/build.rs").read_text()
    cmake = (native.ROOT / "CMakeLists.txt").read_text() + (native.ROOT / "cmake/Hardening.cmake").read_text()
    flags = set(re.findall(r"(?<![\w,-])-f[\w=-]+|-mbranch[\w=-]+", cmake))
    assert flags >= {"-ffunction-sections", "-fstack-protector-strong"}
    assert not {flag for flag in flags if flag not in script}
