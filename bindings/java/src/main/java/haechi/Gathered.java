// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Bytes that wait until all of a message has come. */
final class Gathered extends ByteArrayOutputStream {
    private static final int KEPT = 1 << 16;

    Gathered() {
        super(0);
    }

    void add(Bytes bytes) {
        if (bytes.length == 0) return;
        if (bytes.array != null) {
            write(bytes.array, (int) bytes.at, bytes.length);
        } else {
            write(bytes.copy().array, 0, bytes.length);
        }
    }

    /** The array that holds them; what is behind {@link #size} has no meaning. */
    byte[] array() {
        return buf;
    }

    /** Zeroes and forgets them. */
    void clear() {
        if (count == 0) return;
        Arrays.fill(buf, 0, count, (byte) 0);
        if (buf.length > KEPT) buf = new byte[0];
        count = 0;
    }
}
