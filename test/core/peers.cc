// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// peers.cc - calls independent libraries for test_peers.py, one message a call.
#include "../../bench/made/harness/sides.h"

// Runs peer number `which` over len bytes: ECB in one direction, or counter mode where iv is given.  cipher is LEA-128
// ... HIGHT, sizes are bytes.  Returns the peer's name, or NULL if there is no peer of this number.
extern "C" const char *peer_crypt(int which, const char *cipher, int inverse, const uint8_t *key, size_t key_size,
                                  const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t len)
{
    static std::string name;
    Sides sides;
    add_peers(sides, cipher, key_size, inverse != 0);
    if (static_cast<size_t>(which) >= sides.size()) return nullptr;
    Side &peer = *sides[static_cast<size_t>(which)];
    peer.key(key);
    if (iv) peer.ctr(iv, out, in, len);
    else peer.ecb(out, in, len);
    name = peer.name;
    return name.c_str();
}

// Returns the first peer that has the cipher (Crypto++) with this key; it is never freed.  The other function encrypts
// one block by it, in place.
extern "C" void *peer_open(const char *cipher, const uint8_t *key, size_t key_size)
{
    Sides sides;
    add_peers(sides, cipher, key_size, false);
    sides.front()->key(key);
    return sides.front().release();
}

extern "C" void peer_block(void *side, uint8_t *block)
{
    static_cast<Side *>(side)->one(block);
}
