# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random differential tests: every kernel that runs here against Crypto++, OpenSSL and Botan."""

import ctypes
from random import Random

import pytest
from library import BLOCK, FORWARD, KEY_SIZE, Kernel, crypt, features
from peers import gcrypt_has_aria, peers, title

from bench.declared import model

KERNELS = [(card, kernel) for card in model.load_cards() for kernel in card.kernels if card.runs_on(kernel, "host")]
PEERS = {"lea": ["Crypto++"], "hight": ["Crypto++"], "aria": ["Crypto++", "OpenSSL", "Botan", *["libgcrypt"] * gcrypt_has_aria()]}


def answers(cipher, inverse, key, iv, data):
    """The output of every peer that has the cipher, by the peer's name."""
    found = {}
    while True:
        out = ctypes.create_string_buffer(len(data))
        size = ctypes.c_size_t
        name = peers().peer_crypt(len(found), title(cipher), inverse, key, size(len(key)), iv, out, data, size(len(data)))
        if name is None:
            return found
        found[name.decode().split()[0]] = out.raw


def agree(cipher, inverse, key, iv, data, ours):
    found = answers(cipher, inverse, key, iv, data)
    if iv and int.from_bytes(iv, "big") + -(-len(data) // len(iv)) > 1 << 8 * len(iv):
        found |= dict.fromkeys(found.keys() & {"libgcrypt"}, ours)  # 1.11.0 and all others disagree behind the last counter
    assert list(found) == PEERS[cipher.rstrip("0123456789")]
    for name, theirs in found.items():
        assert ours == theirs, f"{name}: {cipher}, {'inverse, ' * inverse}{len(data)} bytes, key {key.hex()}"


@pytest.mark.parametrize("cipher", FORWARD)
@pytest.mark.parametrize("messages", [150, pytest.param(5000, marks=pytest.mark.slow)])
def test_api(cipher, messages):
    r, n = Random(cipher), BLOCK[cipher]
    for _ in range(messages):
        key, iv = r.randbytes(KEY_SIZE[cipher]), r.choice([r.randbytes(n), b"\xff" * (n - 1) + r.randbytes(1)])
        data = r.randbytes(r.randrange(1, 1200))
        agree(cipher, False, key, iv, data, crypt(cipher, "ctr", key, iv, data))
        data = r.randbytes(n * r.randrange(1, 140))
        agree(cipher, False, key, None, data, crypt(cipher, "ecb", key, b"", data))
        agree(cipher, True, key, None, data, crypt(cipher + "_inv", "ecb", key, b"", data))


@pytest.mark.guards("result")
@pytest.mark.parametrize("card, kernel", KERNELS, ids=[k for _, k in KERNELS])
def test_kernel(card, kernel):
    """Every slot of every descriptor, including those that no ladder of this host names."""
    for variant in model.VARIANTS[card.cipher]:
        for inverse in (False, True):
            k, r = Kernel(kernel + variant.suffix + "_inv" * inverse), Random(kernel)
            if k.d.needs & ~features():
                pytest.skip(f"this CPU lacks what {kernel} needs: {k.d.needs & ~features():#06x}")
            assert (k.d.block, k.d.key, k.inverse) == (variant.block, variant.key, inverse)
            for blocks in [1, 1, 1, *range(2, 20), 31, 32, 33, 47, 48, 49, 63, 64, 65, 80, 127, 128, 129, 200]:
                key, data = r.randbytes(variant.key), r.randbytes(blocks * variant.block)
                rk = k.expand(key)
                if blocks == 1:
                    agree(variant.constant, inverse, key, None, data, k.crypt(rk, data))
                if k.d.bulk:
                    agree(variant.constant, inverse, key, None, data, k.bulk(rk, data))
                if k.d.ctr:
                    n = variant.block
                    first = r.choice([r.randrange(1 << 8 * n), (1 << 8 * n) - r.randrange(1, 99), (1 << 8) - r.randrange(1, 99)])
                    iv, after = (x.to_bytes(n, "big") for x in (first, (first + blocks) % (1 << 8 * n)))
                    out, then = k.ctr(rk, iv, data, blocks)
                    agree(variant.constant, False, key, iv, data, out)
                    assert then == after
                    stream, then = k.ctr(rk, iv, None, blocks)
                    assert (stream, then) == (bytes(a ^ b for a, b in zip(out, data, strict=True)), after)


def test_disagreement_is_noticed():
    with pytest.raises(AssertionError):
        agree("aria128", False, bytes(16), None, bytes(16), bytes(16))
