// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.InvalidKeyException;
import java.security.Key;

/** A cipher with all its key sizes. The native methods know each by its ordinal. */
enum Family {
    LEA(16, 128, 192, 256),
    HIGHT(8, 128),
    ARIA(16, 128, 192, 256);

    /** Bytes of a block. */
    final int block;
    /** Bits of a key, the least first. */
    final int[] keys;

    Family(int block, int... keys) {
        this.block = block;
        this.keys = keys;
    }

    boolean takes(int bits) {
        for (int size : keys) {
            if (size == bits) return true;
        }
        return false;
    }

    /** What to say about a key or size that does not fit. */
    String sizes() {
        return this == HIGHT ? "a key of HIGHT has 128 bits" : "a key of " + this + " has 128, 192 or 256 bits";
    }

    /**
     * The bytes of a key, which the caller wipes. A key may say that it is for any algorithm, as with Bouncy Castle: many
     * programs call theirs "AES" or "RAW".
     */
    byte[] bytes(Key key) throws InvalidKeyException {
        if (key == null) throw new InvalidKeyException("the key is null");
        byte[] bytes = null;
        try {
            bytes = "RAW".equals(key.getFormat()) ? key.getEncoded() : null;
        } catch (IllegalStateException destroyed) {
            throw new InvalidKeyException("the key was destroyed", destroyed);
        }
        if (bytes == null) throw new InvalidKeyException("the key has no bytes: its format is " + key.getFormat());
        if (!takes(8 * bytes.length)) {
            Bytes.wipe(bytes);
            throw new InvalidKeyException(sizes() + ", this one has " + 8 * bytes.length);
        }
        return bytes;
    }
}
