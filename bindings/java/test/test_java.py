# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Java provider: its JUnit tests, run by Maven; that it leaves out nothing of haechi.h; its page and its jar.

Where Java, Maven or what Maven downloads is missing, the tests are skipped. bench/setup.py downloads it."""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import header
import maven
import native
import pytest
from maven import DOOR, needs_java

from bench.declared import rsp

pytestmark = pytest.mark.full
VECTORS = os.environ.get("HAECHI_VECTORS")
SOURCES = {path: path.read_text() for path in sorted([*DOOR.glob("src/main/c/*"), *DOOR.glob("src/main/java/haechi/*")])}


# ---- Known answers, for KnownAnswerTest.


NAMES = {"ecb": "ECB/NoPadding", "cbc": "CBC/NoPadding", "cmac": "CMAC"} | {m: f"{m.upper()}/NoPadding" for m in ("ctr", "ofb", "cfb", "cfb8", "gcm", "ccm")}


def line(name: str, tag_bits: int, parts: list[bytes], valid: bool, source: str) -> str:
    return "\t".join([name, str(tag_bits), *(part.hex() for part in parts), "valid" if valid else "invalid", source])


def answers(all_of_them: bool) -> list[str]:
    """The standards' vectors, and where HAECHI_VECTORS names a folder, those in it: all or some."""
    lines = []
    for a in [*rsp.own(), *rsp.more()[:: 1 if all_of_them else 40]]:
        if a.mode not in NAMES:  # CFB1 and CFB64
            continue
        family = re.match("[a-z]+", a.cipher)[0].upper()
        aead, name = a.mode in ("gcm", "ccm"), f"{family}{'-' if a.mode == 'cmac' else '/'}{NAMES[a.mode]}"
        result = a.tag if a.mode == "cmac" else a.ct + a.tag
        lines.append(line(name, 8 * len(a.tag) if aead else 0, [a.key, a.iv, a.aad, a.pt, result], not a.fails, a.source))
    return lines


WYCHEPROOF = {
    "aria_gcm_test": "ARIA/GCM/NoPadding", "aria_ccm_test": "ARIA/CCM/NoPadding", "aria_cbc_pkcs5_test": "ARIA/CBC/PKCS5Padding",
    "aria_cmac_test": "ARIA-CMAC", "aria_wrap_test": "ARIAWRAP", "aria_kwp_test": "ARIAWRAPPAD",
}  # fmt: skip


def wycheproof() -> list[str]:
    """All cases of its files for ARIA where HAECHI_VECTORS has them, else the first of each kind, which the OpenSSL provider's
    tests hold."""
    lines = []
    for file, name in WYCHEPROOF.items():
        if VECTORS:
            content = json.loads((Path(VECTORS) / "wycheproof" / f"{file}.json").read_text())
        else:
            content = json.loads((native.ROOT / "bindings/openssl/test/wycheproof.json").read_text())[file]
        for group in content["testGroups"]:
            for case in group["tests"]:
                key, iv, aad, text, sealed, tag = (bytes.fromhex(case.get(k, "")) for k in ("key", "iv", "aad", "msg", "ct", "tag"))
                valid = case["result"] == "valid"
                if case["result"] == "acceptable" or (name == "ARIA-CMAC" and len(key) not in (16, 24, 32)):
                    continue
                aead = name.startswith(("ARIA/GCM", "ARIA/CCM"))
                lines.append(line(name, 8 * len(tag) if aead else 0, [key, iv, aad, text, sealed + tag], valid, f"{file} {case['tcId']}"))
    return lines


# ---- The tests in Java.


def junit(build: Path) -> dict[str, int]:
    """How many tests of each class ran."""
    found = {}
    for report in build.glob("surefire-reports/TEST-*.xml"):
        suite = ElementTree.parse(report).getroot()
        found[suite.get("name").removeprefix("haechi.")] = int(suite.get("tests")) - int(suite.get("skipped"))
    return found


def run(build: Path, folder: Path, tests: str, *jvm: str, java: Path | None = None) -> str:
    """Runs the tests in Java; returns what Maven said."""
    written = folder / "answers"
    written.write_text("\n".join([*answers(tests == "all"), *wycheproof()]) + "\n")
    shutil.rmtree(build / "surefire-reports", ignore_errors=True)
    options = [f"-Dhaechi.tests={tests}", f"-Dhaechi.jvm={' '.join([*jvm, f'-Dhaechi.answers={written}'])}"]
    if java:
        options.append(f"-Djvm={java}")
    said = maven.run(build, "surefire:test", *options).stdout
    wanted = {path.stem for path in DOOR.glob("src/test/java/haechi/*Test.java")}
    counts = junit(build)
    assert set(counts) == wanted and all(counts.values()), counts
    return said


@pytest.fixture(scope="session")
def build() -> Path:
    return maven.compiled()


@needs_java
def test_a_sample(build, tmp_path):
    with native.lock("java"):
        run(build, tmp_path, "sample", maven.QUICK)


@needs_java
@pytest.mark.slow
def test_all(build, tmp_path):
    with native.lock("java"):
        run(build, tmp_path, "all")


@needs_java
@pytest.mark.slow
def test_jni_is_used_as_its_rules_have_it(build, tmp_path):
    """The virtual machine checks every call of JNI, and copies arrays instead of holding them."""
    with native.lock("java"):
        said = run(build, tmp_path, "sample", "-Xcheck:jni")
    assert not re.search("warning|fatal error", said, re.I), said


@needs_java
@pytest.mark.slow
@pytest.mark.parametrize("collector", ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC", "-XX:+UseShenandoahGC"])
def test_every_collector(build, tmp_path, collector):
    """Each has its own way to keep an array in place. make test takes G1, the default."""
    if subprocess.run(["java", collector, "-version"], capture_output=True).returncode:
        pytest.skip(f"this Java has no {collector}")
    with native.lock("java"):
        run(build, tmp_path, "sample", collector)


@needs_java
@pytest.mark.slow
def test_under_sanitizers(tmp_path):
    """AddressSanitizer and the one for undefined behaviour see the door's own C. The virtual machine handles signals itself."""
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    build = maven.compiled(*flags)
    runtime = native.run(["gcc", "-print-file-name=libasan.so"]).stdout.strip()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").write_text(f"""#!/bin/sh
        export LD_PRELOAD={Path(runtime).resolve()} ASAN_OPTIONS=handle_segv=0:detect_leaks=0:allocator_may_return_null=1
        exec java "$@"
    """)
    (tmp_path / "bin/java").chmod(0o755)
    with native.lock("java"):
        run(build, tmp_path, "sample", java=tmp_path / "bin/java")


# ---- The native library.


KEY = "5ec2e7d1f08b4a63972c1db6e840af35"


@needs_java
def test_what_is_freed_holds_no_key(build):
    watch = native.build("libwiping.so", [DOOR / "test/wiping.c"], ["-std=c11", "-O1", *native.WARNINGS, "-fPIC", "-shared"], libs=["-ldl"])
    env = {**os.environ, "LD_PRELOAD": str(watch), "HAECHI_WIPED_KEY": KEY}
    path = f"{build}/classes:{build}/test-classes"
    done = subprocess.run(["java", "-Xmx64m", "-cp", path, "haechi.Wiping", KEY], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "200 contexts, of which 0 remain\n"


@needs_java
def test_a_missing_library_is_told(build, tmp_path):
    """Nothing is found in the jar or on java.library.path; then it is found there."""
    shutil.copytree(build / "classes", tmp_path / "classes", ignore=shutil.ignore_patterns("*.so"))
    (tmp_path / "tmp").mkdir()
    command = ["java", f"-Djava.library.path={tmp_path}/elsewhere", f"-Djava.io.tmpdir={tmp_path}/tmp", "-cp", tmp_path / "classes", "haechi.Main"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    machine = os.uname().machine
    for word in ("UnsatisfiedLinkError", f"/haechi/native/linux-{machine}/libhaechi_java.so", f"{tmp_path}/elsewhere", "libhaechi_java.so on java.library.path"):
        assert word in done.stderr, done.stderr
    (tmp_path / "elsewhere").mkdir()
    library = build / f"classes/haechi/native/linux-{machine}/libhaechi_java.so"
    shutil.copy(library, tmp_path / "elsewhere")
    assert "from java.library.path" in native.run(command).stdout
    damaged = tmp_path / f"classes/haechi/native/linux-{machine}/libhaechi_java.so"
    damaged.write_bytes(b"\x7fELF")
    assert "from java.library.path" in native.run(command).stdout
    (tmp_path / "elsewhere/libhaechi_java.so").unlink()
    done = subprocess.run(command, capture_output=True, text=True)
    assert "could not be loaded" in done.stderr
    assert not list((tmp_path / "tmp").iterdir())


# ---- haechi.h.

FEATURES = [name for name in header.parse(native.ROOT / "src/haechi_cpu.h").constants]
LEFT_OUT = {
    **dict.fromkeys(("haechi_cbc_cts_encrypt", "haechi_cbc_cts_decrypt"), "providers agree on no names for the three variants of ciphertext stealing"),
    **dict.fromkeys(("haechi_xts_init", "haechi_xts_encrypt", "haechi_xts_decrypt"), "JCE has no name for XTS; the JDK and Bouncy Castle lack it"),
    **dict.fromkeys(("haechi_cmac_derive", "haechi_cmac_message"), "a Mac takes its message in pieces"),
    "haechi_gmac": "a Mac takes its message in pieces, so that GMAC is haechi_aead_aad and haechi_aead_tag",
    **dict.fromkeys((f"haechi_drbg_{c}" for c in ("lea128", "lea192", "hight", "aria128", "aria192", "aria256")), "one generator is enough, of the greatest strength"),
    "HAECHI_DRBG_NO_DF": "the generator's entropy goes through the derivation function",
    **dict.fromkeys(("haechi_aead_decrypt", "haechi_aead_verify"), "no text is given out before its tag is verified, so that nothing is decrypted in pieces"),
    "HAECHI_TAG_LATER": "a Cipher and a Mac know the length of their tag when they are initialised",
    **dict.fromkeys((f"haechi_cfb{n}_{way}" for n in (1, 64) for way in ("encrypt", "decrypt")), "they are for data that exists already, and no such data is known in Java"),
    **dict.fromkeys(("haechi_ctr_jobs", "haechi_cmac_jobs"), "many messages are encrypted and authenticated together"),
    **dict.fromkeys(("haechi_ecb_threads", "haechi_ctr_threads", "haechi_has_threads"), "a program in Java has threads of its own"),
    **dict.fromkeys(["haechi_features", "haechi_features_limit", *FEATURES], "JCE has no call to choose kernels"),
    **dict.fromkeys((f"HAECHI_VERSION{part}" for part in ("", "_MAJOR", "_MINOR", "_PATCH")), "the provider asks haechi_version"),
    "HAECHI_MICRO": "Java does not run on microcontrollers",
}


def test_the_door_offers_all_of_the_headers():
    """Every function, object and constant is used in the door's C or left out above, and every error has its number in Java."""
    constants = header.parse(native.ROOT / "src/haechi.h").constants
    errors = {name: value for name, value in constants.items() if re.fullmatch(r"HAECHI_(OK|E[A-Z]+)", name)}
    assert len(errors) > 5
    java_code = next(text for path, text in SOURCES.items() if path.name == "Context.java")
    assert {f"HAECHI_{name}": value for name, value in re.findall(r"static final int (OK|E[A-Z]+) = (-?\d+);", java_code)} == errors
    assert header.unused(SOURCES) - errors.keys() == LEFT_OUT.keys()


def test_every_native_method_is_registered():
    """By name and signature, as Context.java declares it."""
    letters = {"void": "V", "int": "I", "int[]": "[I", "long": "J", "boolean": "Z", "byte[]": "[B", "String": "Ljava/lang/String;", "ByteBuffer": "Ljava/nio/ByteBuffer;"}
    java_code = next(text for path, text in SOURCES.items() if path.name == "Context.java")
    c_code = next(text for path, text in SOURCES.items() if path.suffix == ".c")
    declared = {
        name: "(" + "".join(letters[p.split()[0]] for p in parameters.split(",") if p.strip()) + ")" + letters[kind]
        for kind, name, parameters in re.findall(r"native ([\w\[\]]+) (\w+)\(([^)]*)\)", java_code)
    }
    assert len(declared) > 20 and declared == dict(re.findall(r'METHOD\("(\w+)", "([^"]+)"', c_code))


def test_enumerations_have_the_order_that_the_native_methods_know():
    families = re.search(r"enum Family \{(.*?);", SOURCES[DOOR / "src/main/java/haechi/Family.java"], re.S)[1]
    assert re.findall(r"\b[A-Z]+\b", families) == ["LEA", "HIGHT", "ARIA"]
    modes = re.search(r"enum Mode \{(.*?);", SOURCES[DOOR / "src/main/java/haechi/Mode.java"], re.S)[1]
    c_code = next(text for path, text in SOURCES.items() if path.suffix == ".c")
    aeads = re.findall(r"&haechi_(\w+)", re.search(r"modes\[\] = \{(.*?)\}", c_code)[1])
    plain = re.search(r"enum \{ (ECB.*?) \}", c_code)[1].split(", ")
    assert re.findall(r"\w+", modes) == [*(name.upper() for name in aeads), *plain, "KW", "KWP"]


# ---- The page, and the jar as others get it.

PAGE = (DOOR / "README.md").read_text()
EXAMPLE = DOOR / "examples/readings"


def test_versions_and_names_agree():
    """The group is that of the project's address, which Maven wants in each pom.xml."""
    version = re.search(r'#define HAECHI_VERSION "(.*)"', (native.ROOT / "src/haechi.h").read_text())[1]
    for path in (DOOR / "pom.xml", EXAMPLE / "pom.xml", DOOR / "README.md", native.ROOT / "bench/made/harness/java/pom.xml"):
        own = re.findall(r"<artifactId>haechi(?:-bench)?</artifactId>\s*<version>([\d.]+)</version>", path.read_text())
        assert own and set(own) == {version}, path
        host = re.search(r'^url = "https://([\w.]+)', (native.ROOT / "contact.toml").read_text(), re.M)[1]
        group = ".".join([*reversed(host.split(".")), "haechi"])
        assert set(re.findall(rf"<groupId>([\w.]+)</groupId>\s*<artifactId>haechi(?:-bench)?<", path.read_text())) == {group}, path
    assert f"haechi-{version}.jar" in PAGE


def test_the_page_shows_the_example():
    program = (EXAMPLE / "src/main/java/Readings.java").read_text()
    assert program.partition("\n")[2] == re.search(r"```java\n(import.*?)```", PAGE, re.S)[1]


@needs_java
def test_programs_of_the_page(build, tmp_path):
    """The first is a whole program; the others need imports and a class."""
    whole, *parts = re.findall(r"```java\n(.*?)```", PAGE, re.S)
    (tmp_path / "Readings.java").write_text(whole)
    (tmp_path / "Part.java").write_text(f"""import haechi.Messages; import java.security.*; import javax.crypto.*; import javax.crypto.spec.*;
        public class Part {{ public static void main(String[] a) throws Exception {{ {"".join(parts)}
            System.out.println(new String(opened[0]) + " " + opened[1] + " " + tag.length + " " + wrapped.length + " " + Security.getProvider("Haechi").getClass()); }} }}
    """)
    path = f"{build}/classes:{tmp_path}"
    native.run(["javac", "-Xlint:all", "-Werror", "-cp", path, "-d", tmp_path, *tmp_path.glob("*.java")])
    assert native.run(["java", "-cp", path, "Readings"]).stdout == "21.5 degrees\nnot what was encrypted\n"
    (tmp_path / "java.security").write_text(re.search(r"^    (security\.provider.*)$", PAGE, re.M)[1] + "\n")
    command = ["java", f"-Djava.security.properties={tmp_path / 'java.security'}", "-cp", path, "Part"]
    assert native.run(command).stdout == "20.1 null 16 24 class haechi.HaechiProvider\n"


def loads(machine: str, library: Path, folder: Path) -> None:
    """A program of that machine loads the library, with everything that it needs, under qemu where this is another one."""
    (folder / "load.c").write_text(f"""#include <dlfcn.h>
        int main(void) {{ void *p = dlopen("{library}", RTLD_NOW); return !p || !dlsym(p, "JNI_OnLoad"); }}
    """)
    here = machine == os.uname().machine
    native.run(["gcc" if here else f"{machine}-linux-gnu-gcc", folder / "load.c", "-o", folder / "load", "-ldl"])
    native.run([*([] if here else [f"qemu-{machine}", "-L", f"/usr/{machine}-linux-gnu"]), folder / "load"])


@needs_java
@pytest.mark.slow
def test_the_jar_as_a_project_uses_it(tmp_path):
    """Maven builds the jar with CMake's native libraries, installs it, and a project with nothing else runs; so does the jar."""
    with native.lock("java-install"):
        maven.run(tmp_path / "door", "-DskipTests", "install")
        said = maven.run(tmp_path / "example", "compile", "exec:java", pom=EXAMPLE / "pom.xml").stdout
    assert "21.5 degrees\nnot what was encrypted\n" in said
    (jar,) = (tmp_path / "door").glob("haechi-*.jar")
    said = native.run(["java", "-jar", jar]).stdout
    assert f"from the jar, as /haechi/native/linux-{os.uname().machine}" in said and "HIGHT runs on hight_" in said
    machines = {os.uname().machine} | {m for m in ("x86_64", "aarch64") if shutil.which(f"{m}-linux-gnu-gcc")}
    for machine in machines:
        library = tmp_path / f"door/classes/haechi/native/linux-{machine}/libhaechi_java.so"
        assert native.run(["nm", "-D", "--defined-only", library]).stdout.split()[2::3] == ["JNI_OnLoad"]
        dynamic = native.run(["readelf", "-d", "-W", library]).stdout
        assert re.search(r"FLAGS_1\).*\bNOW\b", dynamic) and "TEXTREL" not in dynamic
        assert {name for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) if not name.startswith("ld-linux")} == {"libc.so.6"}
        loads(machine, library, tmp_path)
    listed = native.run(["jar", "tf", jar]).stdout
    assert not [name for name in listed.split() if "Test" in name or name.endswith((".c", ".java"))]
