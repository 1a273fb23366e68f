# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m haechi speed | self-test"""

import sys
import time

import haechi
from haechi import _haechi

CLASSES = [haechi.LEAGCM, haechi.LEACCM, haechi.LEAEAX, haechi.ARIAGCM, haechi.ARIACCM, haechi.ARIAEAX, haechi.HIGHTEAX]
SECONDS = 0.1  # a measurement; of five the fastest counts


def self_test() -> int:
    """The health test of every CTR_DRBG, which has known answers of its cipher, and every class: what it encrypts it
    decrypts, and a forgery is noticed."""
    wrong = [name for name, passed in _haechi.drbg_test().items() if not passed]
    for cls in CLASSES:
        aead = cls(bytes(range(16)))
        sealed = aead.encrypt(bytes(12), b"text", b"more")
        if aead.decrypt(bytes(12), sealed, b"more") != b"text":
            wrong.append(aead.name)
        try:
            aead.decrypt(bytes(12), sealed, b"else")
            wrong.append(f"{aead.name} takes forgeries")
        except haechi.InvalidTag:
            pass
    print(f"haechi {haechi.__version__}:", "failed: " + ", ".join(wrong) if wrong else "all self-tests passed")
    return 1 if wrong else 0


def speed() -> int:
    """Millions of bytes a second of CPU time, for one message of each length."""
    sizes = [16, 256, 4096, 65536, 1 << 20]
    kernels = _haechi.kernels()
    print(f"{'MB/s of CPU time':16}", *(f"{n:>9} B" for n in sizes))
    for cls in CLASSES:
        aead, nonce = cls(bytes(range(16))), bytes(12)
        row = []
        for size in sizes:
            data, out = bytes(size), bytearray(size + aead.tag_length)
            best = 0.0
            for _ in range(5):
                count, begun = 0, time.thread_time()
                while (took := time.thread_time() - begun) < SECONDS / 5:
                    for _ in range(max(1, 20_000 // size)):
                        aead.encrypt_into(nonce, data, None, out)
                        count += 1
                best = max(best, size * count / took / 1e6)
            row.append(best)
        print(f"{aead.name:16}", *(f"{speed:11.1f}" for speed in row), "", kernels[aead.name.rpartition("-")[0]])
    return 0


def main() -> int:
    commands = {"speed": speed, "self-test": self_test}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(f"haechi {haechi.__version__}: {__doc__}", file=sys.stderr)
        return 2
    return commands[sys.argv[1]]()


if __name__ == "__main__":
    sys.exit(main())
