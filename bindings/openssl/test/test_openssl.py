# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The OpenSSL provider: known answers that nobody here wrote, OpenSSL's own ARIA beside ours, forgeries, misuse."""

import json
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from random import Random

import native
import pytest
from evp import CRYPTO, Cipher, Evp, Refused, open_, seal
from library import BLOCK, Aead, cmac

HERE = Path(__file__).resolve().parent
DOOR = HERE.parent
VECTORS = os.environ.get("HAECHI_VECTORS")
pytestmark = pytest.mark.full


SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def build_module(folder: Path, *flags: str) -> Path:
    """haechi.so in a folder of its own. The flags are for the provider's files; the library is the one that most tests
    use."""
    own = [*sorted(DOOR.glob("*.c")), *sorted((native.ROOT / "host").glob("*.c"))]
    objects = native.objects(native.sources(), native.USUAL, "gcc")
    options = [
        "-std=gnu11", "-g", "-O2", *native.WARNINGS, "-fPIC", "-shared", "-fvisibility=hidden",
        f"-I{native.ROOT / 'src'}", f"-I{native.ROOT / 'host'}", *flags,
        f"-Wl,--version-script={DOOR / 'exports.map'},-z,now", *([] if flags else ["-Wl,-z,defs"]),
    ]  # fmt: skip
    module = folder / "haechi.so"
    native.run(["gcc", *options, *own, *objects, "-o", module])
    return module


@pytest.fixture(scope="session")
def module(tmp_path_factory) -> Path:
    """The provider, built with the warnings that the library knows."""
    return build_module(tmp_path_factory.mktemp("modules"))


@pytest.fixture(scope="session")
def evp(module) -> Evp:
    return Evp(module)


def program(name: str, module: Path, *arguments, flags=()) -> subprocess.CompletedProcess:
    """A program of this folder, linked with libcrypto and libssl, that finds the module."""
    options = ["-std=gnu11", "-O2", *native.WARNINGS, "-pthread", *flags]
    built = native.build(name, [HERE / f"{name}.c"], options, libs=["-lssl", "-lcrypto"])
    return native.run([built, *arguments], env={**os.environ, "OPENSSL_MODULES": str(module.parent), "OPENSSL_CONF": "/dev/null"})


# ---- OpenSSL's own ARIA beside ours.


@pytest.mark.parametrize("seed, rounds", [(1, 3000), pytest.param(2, 100_000, marks=pytest.mark.slow)])
def test_random_operations_as_the_default_provider(module, seed, rounds):
    program("differential", module, seed, rounds)


@pytest.mark.parametrize("seed, rounds", [(1, 20_000), pytest.param(2, 2_000_000, marks=pytest.mark.slow)])
def test_calls_in_any_order_under_sanitizers(tmp_path, seed, rounds):
    sanitized = build_module(tmp_path, *SANITIZERS)
    program("misuse", sanitized, seed, rounds, flags=SANITIZERS)
    program("differential", sanitized, seed, 500, flags=SANITIZERS)
    # The provider itself, two contexts, two duplicates and what a piece in place needs.
    assert program("allocations", sanitized, flags=SANITIZERS).stdout == "6\n"


def test_threads_share_a_cipher(module):
    program("threads", module)


# ---- Wycheproof.


def wycheproof(name: str):
    """(group, case) of a file: all of them where HAECHI_VECTORS has it, else the first valid and the first invalid one,
    which wycheproof.json holds."""
    if VECTORS:
        content = json.loads((Path(VECTORS) / "wycheproof" / f"{name}.json").read_text())
    else:
        content = json.loads((HERE / "wycheproof.json").read_text())[name]
    found = [(group, case) for group in content["testGroups"] for case in group["tests"]]
    assert {case["result"] for _, case in found} >= {"valid", "invalid"}
    return found


def sizes(mode: str, iv: int, tag: int) -> bool:
    """Whether the standards have these lengths."""
    if mode == "GCM":
        return 1 <= iv <= 128 and tag in (4, 8, 12, 13, 14, 15, 16)
    return 7 <= iv <= 13 and tag in (4, 6, 8, 10, 12, 14, 16)


@pytest.mark.parametrize("mode", ["GCM", "CCM"])
def test_wycheproof_aead(evp, mode):
    for group, case in wycheproof(f"aria_{mode.lower()}_test"):
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


def wrap(evp: Evp, name: str, key: bytes, text: bytes, encrypts: bool = True) -> bytes:
    c = Cipher(evp, name, encrypts).init(key)
    return c.update(text) + c.final()


@pytest.mark.parametrize("mode, file", [("WRAP", "aria_wrap_test"), ("WRAP-PAD", "aria_kwp_test")])
def test_wycheproof_key_wrap(evp, mode, file):
    for group, case in wycheproof(file):
        key, text, wrapped = (bytes.fromhex(case[k]) for k in ("key", "msg", "ct"))
        name = f"ARIA-{group['keySize']}-{mode}"
        if case["result"] == "valid":
            assert wrap(evp, name, key, text) == wrapped, case["tcId"]
            assert wrap(evp, name, key, wrapped, encrypts=False) == text, case["tcId"]
        elif case["result"] == "invalid":
            with pytest.raises(Refused):
                wrap(evp, name, key, wrapped, encrypts=False)


# ---- OpenSSL's own cases.


def evpciph() -> list[dict[str, str]]:
    """The cases of evpciph_aria.txt: the file of HAECHI_VECTORS where it has one, else the sample beside this file."""
    whole = Path(VECTORS or HERE) / "openssl/evpciph_aria.txt"
    text = (whole if whole.exists() else HERE / "evpciph_aria.txt").read_text()
    lines = [line for line in text.splitlines() if not line.startswith(("#", "Title"))]
    blocks = "\n".join(lines).split("\n\n")
    return [{k.strip(): v.strip() for k, v in (line.split("=") for line in block.splitlines() if line)} for block in blocks if block.strip()]


def test_cases_of_openssl(evp):
    cases = evpciph()
    assert {case["Cipher"].rpartition("-")[2] for case in cases} == {"ECB", "CBC", "CFB", "CFB8", "OFB", "CTR", "GCM", "CCM"}
    for case in cases:
        name = case["Cipher"]
        key, iv, aad, tag, text, sealed = (bytes.fromhex(case.get(k, "")) for k in ("Key", "IV", "AAD", "Tag", "Plaintext", "Ciphertext"))
        if tag:
            assert seal(evp, name, key, iv, aad, text, len(tag)) == (sealed, tag)
            assert open_(evp, name, key, iv, aad, sealed, tag, late="SetTagLate" in case) == text
            continue
        for encrypts, given, wanted in ((True, text, sealed), (False, sealed, text)):
            c = Cipher(evp, name, encrypts).init(key, iv or None)
            c.padding(False)
            assert c.update(given) + c.final() == wanted


# ---- Modes that OpenSSL does not have with ARIA, beside what its ARIA makes in ECB and CBC.


def built_in(evp: Evp, mode: str, key: bytes, iv: bytes | None, text: bytes) -> bytes:
    c = Cipher(evp, f"ARIA-{len(key) * 8}-{mode}", True, "default").init(key, iv)
    c.padding(False)
    return c.update(text) + c.final()


def stolen(evp: Evp, variant: int, key: bytes, iv: bytes, text: bytes) -> bytes:
    """CBC-CS1, -CS2 and -CS3 by the addendum to SP 800-38A: CBC of the text and zeros, its end shortened and swapped."""
    d = (len(text) - 1) % 16 + 1
    chained = built_in(evp, "CBC", key, iv, text + bytes(16 - d))
    if len(text) == 16:
        return chained
    head, x, c = chained[:-32], chained[-32:-16][:d], chained[-16:]
    return head + (c + x if variant == 3 or (variant == 2 and d < 16) else x + c)


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_ciphertext_stealing(evp, bits):
    random = Random(bits)
    for size in [*range(16, 66), 1000, 4096]:
        key, iv, text = random.randbytes(bits // 8), random.randbytes(16), random.randbytes(size)
        for variant in (1, 2, 3):
            results = []
            for encrypts in (True, False):
                c = Cipher(evp, f"ARIA-{bits}-CBC-CTS", encrypts).init(key, iv)
                if variant != 1:  # the default
                    c.set(cts_mode=b"CS%d" % variant)
                assert c.get("cts_mode") == b"CS%d" % variant
                results.append(c.update(results[0] if results else text) + c.final())
            assert results == [stolen(evp, variant, key, iv, text), text]


def written_out(evp: Evp, key: bytes, a: bytes, text: bytes) -> bytes:
    """W of SP 800-38F, algorithm 1, as printed."""
    s = [a, *(text[i : i + 8] for i in range(0, len(text), 8))]
    for t in range(1, 6 * (len(s) - 1) + 1):
        c = built_in(evp, "ECB", key, None, s[0] + s[1])
        s = [(int.from_bytes(c[:8]) ^ t).to_bytes(8), *s[2:], c[8:]]
    return b"".join(s)


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_key_wrap(evp, bits):
    random = Random(bits)
    for size in [*range(1, 34), 64, 100]:
        key, text = random.randbytes(bits // 8), random.randbytes(size)
        a, padded = bytes.fromhex("a65959a6") + size.to_bytes(4), text + bytes(-size % 8)
        made = wrap(evp, f"ARIA-{bits}-WRAP-PAD", key, text)
        assert made == (written_out(evp, key, a, padded) if size > 8 else built_in(evp, "ECB", key, None, a + padded))
        assert wrap(evp, f"ARIA-{bits}-WRAP-PAD", key, made, encrypts=False) == text
        if size % 8 == 0 and size >= 16:
            made = wrap(evp, f"ARIA-{bits}-WRAP", key, text)
            assert made == written_out(evp, key, b"\xa6" * 8, text)
            assert wrap(evp, f"ARIA-{bits}-WRAP", key, made, encrypts=False) == text


def doubled(tweak: bytes) -> bytes:
    """The next block's tweak of XTS: multiplied by x in the field of IEEE 1619, whose bytes are little-endian."""
    number = int.from_bytes(tweak, "little") << 1
    return (number ^ (number >> 128) * ((1 << 128) | 0x87)).to_bytes(16, "little")


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_xts(evp, bits):
    """IEEE 1619, 5.3: the last whole block and what follows change places where the text does not fill its last block."""
    random, size_of_key = Random(bits), bits // 8
    for size in [*range(16, 50), 512]:
        key, iv, text = random.randbytes(2 * size_of_key), random.randbytes(16), random.randbytes(size)
        tweaks = [built_in(evp, "ECB", key[size_of_key:], None, iv)]
        while len(tweaks) < size // 16 + 1:
            tweaks.append(doubled(tweaks[-1]))

        def block(tweak: bytes, data: bytes) -> bytes:
            mask = int.from_bytes(tweak)
            inner = (int.from_bytes(data) ^ mask).to_bytes(16)
            return (int.from_bytes(built_in(evp, "ECB", key[:size_of_key], None, inner)) ^ mask).to_bytes(16)

        blocks = [block(tweaks[i], text[16 * i : 16 * i + 16]) for i in range(size // 16)]
        if rest := text[len(text) - size % 16 :]:
            last = blocks.pop()
            blocks += [block(tweaks[len(blocks) + 1], rest + last[len(rest) :]), last[: len(rest)]]
        name = f"ARIA-{bits}-XTS"
        made = Cipher(evp, name, True).init(key, iv).update(text)
        assert made == b"".join(blocks)
        assert Cipher(evp, name, False).init(key, iv).update(made) == text


def test_what_comes_in_one_call(evp):
    """The second piece of CBC-CTS and less than a block are refused, as by OpenSSL's own AES."""
    for name, provider, size in (("AES-128-CBC-CTS", "default", 16), ("ARIA-128-CBC-CTS", "haechi", 16), ("LEA-256-CBC-CTS", "haechi", 32)):
        c = Cipher(evp, name, True, provider).init(bytes(size), bytes(16))
        with pytest.raises(Refused):
            c.update(bytes(15))
        assert len(c.update(bytes(17))) == 17
        with pytest.raises(Refused):
            c.update(bytes(17))
        assert c.final() == b""
        assert len(c.init(None).update(bytes(40))) == 40
        with pytest.raises(Refused):
            c.set(cts_mode=b"CS4")


@pytest.mark.parametrize("name", ["LEA-128-WRAP", "LEA-128-WRAP-PAD"])
def test_every_bit_of_a_wrapped_key_that_is_forged_is_refused(evp, name):
    wrapped = wrap(evp, name, bytes(16), bytes(range(40)))
    for bit in range(8 * len(wrapped)):
        forged = bytearray(wrapped)
        forged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Refused, match="not wrapped under this key"):
            wrap(evp, name, bytes(16), bytes(forged), encrypts=False)


def test_key_wrap_has_one_initial_value(evp):
    """Node and others pass it as an IV."""
    for name, value in (("ARIA-128-WRAP", "a6" * 8), ("ARIA-128-WRAP-PAD", "a65959a6")):
        value = bytes.fromhex(value)
        assert Cipher(evp, name, True).init(bytes(16), value).update(bytes(16)) == wrap(evp, name, bytes(16), bytes(16))
        with pytest.raises(Refused, match="constant"):
            Cipher(evp, name, True).init(bytes(16), bytes(len(value)))


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


# ---- OpenSSL's own programs, which know of us by a configuration file alone.


@pytest.fixture(scope="session")
def configured(module, tmp_path_factory) -> dict[str, str]:
    """An environment whose OPENSSL_CONF is the sample configuration, filled in as CMake does."""
    path = tmp_path_factory.mktemp("configuration") / "openssl.cnf"
    text = (DOOR / "openssl.cnf.in").read_text()
    path.write_text(text.replace("@HAECHI_OPENSSL_MODULE@", str(module)).replace("@HAECHI_OPENSSL_CONFIG@", str(path)))
    return {**os.environ, "OPENSSL_CONF": str(path)}


BUILT_IN = {**os.environ, "OPENSSL_CONF": "/dev/null"}


def openssl(environment: dict[str, str], *arguments, given: bytes = b"") -> bytes:
    done = subprocess.run(["openssl", *map(str, arguments)], env=environment, input=given, capture_output=True)
    assert done.returncode == 0, (arguments, done.stderr.decode())
    return done.stdout


def test_the_provider_says_what_it_is(configured):
    said = openssl(configured, "list", "-providers", "-verbose").decode().partition("haechi\n")[2]
    version = re.search(r'#define HAECHI_VERSION "(.*)"', (native.ROOT / "src/haechi.h").read_text())[1]
    for line in ("name: Haechi: LEA, HIGHT and ARIA", f"version: {version}", "status: active", f"build info: {version}"):
        assert line in said
    assert re.search(r"gettable provider parameters:\n\s+name: .*\n\s+version: .*\n\s+buildinfo: .*\n\s+status: integer", said)


def test_the_configuration_prefers_our_ciphers(configured):
    listed = openssl(configured, "list", "-providers").decode()
    assert "Haechi: LEA, HIGHT and ARIA" in listed and listed.count("status: active") == 2
    assert "LEA-256-GCM @ haechi" in openssl(configured, "list", "-cipher-algorithms").decode()


@pytest.mark.parametrize("mode", ["ecb", "cbc", "ctr", "cfb", "cfb8", "cfb1", "ofb"])
def test_enc_both_ways(configured, mode):
    text = bytes(range(256)) * 5 + b"tail"
    options = ["enc", f"-aria-192-{mode}", "-K", "0f" * 24, *(["-iv", "a5" * 16] if mode != "ecb" else [])]
    sealed = openssl(configured, *options, given=text)
    assert sealed == openssl(BUILT_IN, *options, given=text)
    assert openssl(configured, *options, "-d", given=sealed) == text


@pytest.mark.parametrize("cipher", ["lea-128-cbc", "lea-256-ctr", "hight-cbc"])
def test_enc_of_what_openssl_lacks(configured, cipher):
    options = ["enc", f"-{cipher}", "-pbkdf2", "-pass", "pass:해치"]
    assert openssl(configured, *options, "-d", given=openssl(configured, *options, given=b"a message")) == b"a message"


def test_documents_that_openssl_keeps(configured, certificates, tmp_path):
    """CMS, PKCS#8 and PKCS#12 with ARIA: what one side writes, the other reads."""
    certificate, key = certificates[:2]
    sides = [configured, BUILT_IN]
    for writer, reader in (sides, sides[::-1]):
        for cipher in ("-aria-128-cbc", "-aria-256-gcm"):
            sealed = openssl(writer, "cms", "-encrypt", "-binary", cipher, "-outform", "DER", certificate, given=b"a letter")
            assert openssl(reader, "cms", "-decrypt", "-inform", "DER", "-inkey", key, given=sealed) == b"a letter"
        wrapped = openssl(writer, "pkcs8", "-topk8", "-v2", "aria-256-cbc", "-passout", "pass:x", "-in", key)
        assert b"BEGIN PRIVATE KEY" in openssl(reader, "pkcs8", "-passin", "pass:x", given=wrapped)
        bag = tmp_path / "bag.p12"
        pair = ["-in", certificate, "-inkey", key, "-keypbe", "aria-256-cbc", "-certpbe", "aria-128-cbc"]
        openssl(writer, "pkcs12", "-export", *pair, "-passout", "pass:x", "-out", bag)
        assert b"BEGIN PRIVATE KEY" in openssl(reader, "pkcs12", "-in", bag, "-passin", "pass:x", "-nodes")
        made = openssl(writer, "req", "-new", "-newkey", "rsa:2048", "-subj", "/CN=a", "-passout", "pass:x", "-keyout", tmp_path / "k")
        assert b"BEGIN CERTIFICATE REQUEST" in made


def test_macs_and_kdfs_of_openssl_take_our_ciphers(configured):
    message = bytes(range(100))
    for name, cipher, key in (("LEA-128-CBC", "lea128", bytes(16)), ("HIGHT-CBC", "hight", bytes(16))):
        said = openssl(configured, "mac", "-cipher", name, "-macopt", f"hexkey:{key.hex()}", "CMAC", given=message)
        assert bytes.fromhex(said.decode()) == cmac(cipher, key, message, BLOCK[cipher])
    said = openssl(
        configured, "mac", "-cipher", "LEA-256-GCM", "-macopt", f"hexkey:{'11' * 32}", "-macopt", f"hexiv:{'22' * 12}", "GMAC", given=message
    )
    assert bytes.fromhex(said.decode()) == Aead("gcm", "lea256", b"\x11" * 32).seal(b"\x22" * 12, message, b"", 16)[1]
    derived = openssl(configured, "kdf", "-keylen", "32", "-kdfopt", "mac:CMAC", "-kdfopt", "cipher:LEA-128-CBC", "-kdfopt", f"hexkey:{'33' * 16}", "-kdfopt", "salt:label", "KBKDF")
    assert len(derived) >= 32


def test_random_generator_of_openssl_over_lea(configured, tmp_path):
    """CTR_DRBG of OpenSSL over LEA-256, chosen by configuration."""
    path = tmp_path / "openssl.cnf"
    text = Path(configured["OPENSSL_CONF"]).read_text().replace("[openssl_init]", "[openssl_init]\nrandom = random_sect")
    path.write_text(text + "\n[random_sect]\nrandom = CTR-DRBG\ncipher = LEA-256-CTR\nproperties = ?provider=haechi\n")
    environment = {**configured, "OPENSSL_CONF": str(path)}
    drawn = [openssl(environment, "rand", "48") for _ in range(2)]
    assert [len(d) for d in drawn] == [48, 48] and drawn[0] != drawn[1]


# ---- Programs of others.


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.mark.parametrize("protocol", ["-tls1_2", "-dtls1_2"])
@pytest.mark.parametrize("server_ours", [False, True])
@pytest.mark.parametrize("client_ours", [False, True])
def test_s_server_and_s_client(configured, certificates, protocol, server_ours, client_ours):
    """A line each way; both programs write what they receive."""
    sides, port, suite = [BUILT_IN, configured], free_port(), ["-cipher", "ECDHE-ARIA256-GCM-SHA384"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    serve = ["openssl", "s_server", protocol, "-accept", f"127.0.0.1:{port}", "-cert", certificates[0], "-key", certificates[1]]
    ask = ["openssl", "s_client", protocol, "-connect", f"127.0.0.1:{port}", "-quiet"]
    with subprocess.Popen([*serve, *suite], env=sides[server_ours], **pipes) as server:
        try:
            while not server.stdout.readline().startswith(b"ACCEPT"):
                assert server.poll() is None
            with subprocess.Popen([*ask, *suite], env=sides[client_ours], **pipes) as client:
                try:
                    for writer, reader in ((client, server), (server, client)):
                        writer.stdin.write(b"hello\n")
                        writer.stdin.flush()
                        while reader.stdout.readline() != b"hello\n":
                            assert reader.poll() is None
                finally:
                    client.kill()
        finally:
            server.kill()


@pytest.mark.slow
@pytest.mark.parametrize("server_ours", [False, True])
@pytest.mark.parametrize("client_ours", [False, True])
def test_nginx_and_curl(configured, certificates, tmp_path, server_ours, client_ours):
    """A file of 3 MB from nginx to curl, on the loopback interface. The set-up does not install nginx, because its
    package starts a server."""
    if not shutil.which("nginx") or not shutil.which("curl"):
        pytest.skip("nginx or curl is missing")
    port, content = free_port(), os.urandom(3_000_000)
    (tmp_path / "file").write_bytes(content)
    (tmp_path / "nginx.conf").write_text(f"""
        daemon off; master_process off; pid {tmp_path}/pid; error_log {tmp_path}/errors;
        events {{}}
        http {{ access_log off; server {{
            listen 127.0.0.1:{port} ssl; root {tmp_path}; ssl_certificate {certificates[0]};
            ssl_certificate_key {certificates[1]}; ssl_protocols TLSv1.2; ssl_ciphers ECDHE-ARIA128-GCM-SHA256; }} }}
    """)
    sides = [BUILT_IN, configured]
    with subprocess.Popen(["nginx", "-c", tmp_path / "nginx.conf"], env=sides[server_ours]) as server:
        try:
            command = [
                "curl", "-sk", "--retry", "20", "--retry-connrefused", "--retry-delay", "1", "--tls-max", "1.2",
                "--ciphers", "ECDHE-ARIA128-GCM-SHA256", f"https://127.0.0.1:{port}/file",
            ]  # fmt: skip
            done = subprocess.run(command, env=sides[client_ours], capture_output=True, timeout=60)
            assert done.stdout == content
        finally:
            server.terminate()


@pytest.mark.slow
def test_node(configured):
    """Node brings an OpenSSL of its own; the module loads there as well."""
    if not shutil.which("node"):
        pytest.skip("node is missing")
    program = """
        const c = require('crypto'), x = c.createCipheriv('aria-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
        console.log(x.update('a message', 'utf8', 'hex') + x.final('hex') + x.getAuthTag().toString('hex'));
    """
    options = ["--openssl-shared-config", f"--openssl-config={configured['OPENSSL_CONF']}"]
    said = [
        subprocess.run(["node", *more, "-e", program], env=BUILT_IN, capture_output=True, text=True, check=True).stdout
        for more in ([], options)
    ]
    assert said[0] == said[1] and len(said[0]) == 51
    lea = "require('crypto').createCipheriv('lea-128-gcm', Buffer.alloc(16), Buffer.alloc(12))"
    done = subprocess.run(["node", *options, "-e", lea], env=BUILT_IN, capture_output=True, text=True)
    assert "Unknown cipher" in done.stderr


@pytest.mark.slow
def test_the_page_leads_to_a_server(tmp_path):
    """The first commands of README.md, as they stand but for folders, port and package manager."""
    script = re.search(r"```sh\n(.*?)```", (DOOR / "README.md").read_text(), re.S)[1]
    for page, here in (
        ("apt-get install", "true"), ("-S .", f"-S {native.ROOT} -DCMAKE_INSTALL_PREFIX={tmp_path / 'installed'}"),
        ("/usr/local", str(tmp_path / "installed")), ("4433", str(free_port())),
    ):  # fmt: skip
        assert page in script
        script = script.replace(page, here)
    with (tmp_path / "said").open("w+") as said:
        done = subprocess.run(["sh", "-ec", script + "kill $!\n"], cwd=tmp_path, stdout=said, stderr=said, timeout=900)
        said.seek(0)
        text = said.read()
    assert done.returncode == 0, text
    assert "name: Haechi: LEA, HIGHT and ARIA" in text and "Ciphersuite: ECDHE-ARIA128-GCM-SHA256" in text


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


def test_a_record_without_a_buffer(evp):
    c = Cipher(evp, "ARIA-128-GCM", True).init(bytes(16), bytes(12))
    c.set(tlsaad=bytes(11) + (64).to_bytes(2))
    with pytest.raises(Refused, match="TLS record"):
        c.aad(None, 88)


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
    assert CRYPTO.OSSL_PROVIDER_self_test(evp.provider) == 1
    assert b"fips" not in module.read_bytes()


def test_fipsinstall_takes_the_module(module, tmp_path):
    """The program that installs validated modules loads ours too, which tests itself then; that validates nothing."""
    openssl(BUILT_IN, "fipsinstall", "-module", module, "-provider_name", "haechi", "-out", tmp_path / "module.cnf")
    assert "module-mac = " in (tmp_path / "module.cnf").read_text()
