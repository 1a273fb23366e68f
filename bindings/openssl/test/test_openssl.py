# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The OpenSSL provider: known answers that nobody here wrote, OpenSSL's own ARIA beside ours, forgeries, misuse."""

import json
import os
import subprocess
from pathlib import Path

import native
import pytest
from evp import SET_IVLEN, Cipher, Evp, Refused, open_, reason, seal  # noqa: F401

HERE = Path(__file__).resolve().parent
DOOR = HERE.parent
VECTORS = os.environ.get("HAECHI_VECTORS")


@pytest.fixture(scope="session")
def module() -> Path:
    """haechi.so, with the warnings that the library knows."""
    files = [*native.sources(), *sorted(DOOR.glob("*.c")), *sorted((native.ROOT / "host").glob("*.c"))]
    flags = [
        "-std=gnu11", "-O2", *native.WARNINGS, "-fPIC", "-shared", "-fvisibility=hidden", f"-I{native.ROOT / 'host'}",
        '-DHAECHI_VERSION="test"', f"-Wl,--version-script={DOOR / 'exports.map'},-z,defs,-z,now",
    ]  # fmt: skip
    return native.build("haechi.so", files, flags)


@pytest.fixture(scope="session")
def evp(module) -> Evp:
    return Evp(module)


def program(name: str, module: Path, *arguments, flags=("-O2",)) -> subprocess.CompletedProcess:
    """A program of this folder, linked with libcrypto and libssl, that finds the module."""
    built = native.build(name, [HERE / f"{name}.c"], ["-std=gnu11", *native.WARNINGS, *flags], libs=["-lssl", "-lcrypto"])
    return native.run([built, *arguments], env={**os.environ, "OPENSSL_MODULES": str(module.parent), "OPENSSL_CONF": "/dev/null"})


# ---- OpenSSL's own ARIA beside ours.


@pytest.mark.parametrize("seed, rounds", [(1, 3000), pytest.param(2, 100_000, marks=pytest.mark.slow)])
def test_random_operations_as_the_default_provider(module, seed, rounds):
    program("differential", module, seed, rounds)


# ---- Wycheproof.


def wycheproof(name: str):
    """(group, case) of a file, where HAECHI_VECTORS has it."""
    if not VECTORS:
        pytest.skip("HAECHI_VECTORS does not name the folder of vectors")
    content = json.loads((Path(VECTORS) / "wycheproof" / f"{name}.json").read_text())
    return [(group, case) for group in content["testGroups"] for case in group["tests"]]


def sizes(mode: str, iv: int, tag: int) -> bool:
    """Whether the standards have these lengths."""
    if mode == "GCM":
        return 1 <= iv <= 128 and tag in (4, 8, 12, 13, 14, 15, 16)
    return 7 <= iv <= 13 and tag in (4, 6, 8, 10, 12, 14, 16)


@pytest.mark.parametrize("mode", ["GCM", "CCM"])
def test_wycheproof_aead(evp, mode):
    cases = wycheproof(f"aria_{mode.lower()}_test")
    assert len(cases) > 250
    for group, case in cases:
        key, iv, aad, text, sealed, tag = (bytes.fromhex(case[k]) for k in ("key", "iv", "aad", "msg", "ct", "tag"))
        name = f"ARIA-{group['keySize']}-{mode}"
        if case["result"] == "valid" and sizes(mode, len(iv), len(tag)):
            assert seal(evp, name, key, iv, aad, text, len(tag)) == (sealed, tag), case["tcId"]
            assert open_(evp, name, key, iv, aad, sealed, tag) == text, case["tcId"]
        else:
            with pytest.raises(Refused):
                open_(evp, name, key, iv, aad, sealed, tag)


def test_wycheproof_cbc(evp):
    for group, case in wycheproof("aria_cbc_pkcs5_test"):
        key, iv, text, sealed = (bytes.fromhex(case[k]) for k in ("key", "iv", "msg", "ct"))
        name = f"ARIA-{group['keySize']}-CBC"
        decrypt = Cipher(evp, name, False).init(key, iv)
        if case["result"] == "valid":
            encrypt = Cipher(evp, name, True).init(key, iv)
            assert encrypt.update(text) + encrypt.final() == sealed, case["tcId"]
            assert decrypt.update(sealed) + decrypt.final() == text, case["tcId"]
        else:
            with pytest.raises(Refused):
                decrypt.update(sealed) + decrypt.final()


def test_wycheproof_cmac(evp):
    for group, case in wycheproof("aria_cmac_test"):
        key, text, tag = (bytes.fromhex(case[k]) for k in ("key", "msg", "tag"))
        if len(key) * 8 not in (128, 192, 256):
            continue
        found = evp.mac("CMAC", f"ARIA-{len(key) * 8}-CBC", key, text)[: group["tagSize"] // 8]
        assert (found == tag) == (case["result"] == "valid"), case["tcId"]


# ---- TLS and DTLS 1.2.


@pytest.fixture(scope="session")
def certificates(tmp_path_factory) -> list[Path]:
    """Certificates and keys of RSA, ECDSA and DSA, in turn."""
    folder, made = tmp_path_factory.mktemp("certificates"), []
    native.run(["openssl", "dsaparam", "-out", folder / "dsa", "1024"])
    for name, options in (
        ("rsa", ["rsa:2048"]), ("ec", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]), ("dsa", [f"dsa:{folder / 'dsa'}"]),
    ):  # fmt: skip
        pair = [folder / f"{name}.pem", folder / f"{name}.key"]
        native.run(["openssl", "req", "-x509", "-nodes", "-subj", "/CN=localhost", "-out", pair[0], "-keyout", pair[1], "-newkey", *options])
        made += pair
    return made


def test_every_aria_suite_of_tls_and_dtls(module, certificates):
    """Both sides ours, both built in, and one of each: 1600 records a suite and protocol."""
    lines = program("tls", module, *certificates).stdout.split("\n")[:-1]
    assert len(lines) >= 32 and {line.rsplit(" ", 1)[1] for line in lines} == {"1600"}


# ---- Forgery and misuse.


@pytest.mark.parametrize("name", ["LEA-128-GCM", "ARIA-256-GCM", "LEA-256-CCM", "ARIA-128-CCM"])
def test_every_bit_that_is_forged_is_refused(evp, name):
    key, iv, aad, text = bytes(range(int(name.split("-")[1]) // 8)), bytes(12), b"to whom", b"a message of two blocks and more"
    sealed, tag = seal(evp, name, key, iv, aad, text)
    assert open_(evp, name, key, iv, aad, sealed, tag) == text
    message = [iv, aad, sealed, tag]
    for part, content in enumerate(message):
        for bit in range(8 * len(content)):
            forged = bytearray(content)
            forged[bit // 8] ^= 1 << bit % 8
            with pytest.raises(Refused, match="tag does not match"):
                open_(evp, name, key, *message[:part], bytes(forged), *message[part + 1 :])


def test_an_iv_encrypts_one_message(evp):
    c = Cipher(evp, "LEA-128-GCM", True).init(bytes(16), bytes(12))
    c.update(b"one"), c.final()
    with pytest.raises(Refused, match="used already"):
        Cipher.update(c, b"two")


@pytest.mark.parametrize("size", [1, 2, 3, 5, 17])
def test_short_tags_are_refused(evp, size):
    with pytest.raises(Refused):
        seal(evp, "ARIA-128-GCM", bytes(16), bytes(12), b"", b"text", size)


@pytest.mark.parametrize("name, error", [("LEA-128-CBC", "initialisation vector"), ("ARIA-128-GCM", "initialisation vector")])
def test_decryption_without_an_iv(evp, name, error):
    with pytest.raises(Refused, match=error):
        Cipher(evp, name, False).init(bytes(16)).update(bytes(32))


def test_wrong_direction_without_its_key(evp):
    """A key that was expanded for encryption must not decrypt: the context asks for it again."""
    c = Cipher(evp, "LEA-128-ECB", True).init(bytes(16))
    c.encrypts = False
    c.init(None)
    with pytest.raises(Refused, match="no key"):
        c.update(bytes(32))


def test_xts_wants_two_keys(evp):
    with pytest.raises(Refused, match="halves"):
        Cipher(evp, "LEA-128-XTS", True).init(bytes(32), bytes(16))


# ---- What the module is.


def test_it_exports_one_symbol_and_needs_libc_alone(module):
    exported = native.run(["nm", "-D", "--defined-only", module]).stdout.split()
    assert exported[2::3] == ["OSSL_provider_init"]
    needed = native.run(["readelf", "-d", module]).stdout
    assert [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line][0] == "libc.so.6"
    assert "libcrypto" not in needed


def test_self_test_passes_and_nothing_claims_fips(module, evp):
    from evp import CRYPTO

    assert CRYPTO.OSSL_PROVIDER_self_test(evp.provider) == 1
    assert b"fips" not in module.read_bytes()
