// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes of a caller, as the native methods take them: in an array, or at an address where the array is null. */
final class Bytes {
    final byte[] array;
    /** The index of the first byte, or its address. */
    final long at;
    final int length;
    /** What has the address, and the index of the first byte there. It keeps the memory alive. */
    private final ByteBuffer buffer;
    private final int index;

    private Bytes(byte[] array, long at, int length, ByteBuffer buffer, int index) {
        this.array = array;
        this.at = at;
        this.length = length;
        this.buffer = buffer;
        this.index = index;
    }

    Bytes(byte[] array, int at, int length) {
        this(array, at, length, null, 0);
    }

    /**
     * All that remains in a buffer. One that is read-only and not direct hides its array, so that it is copied. Position and limit
     * are read once each: neither is ever beyond the end, even where another thread wrongly changes them meanwhile.
     */
    static Bytes remaining(ByteBuffer buffer) {
        int start = buffer.position();
        int length = Math.max(0, buffer.limit() - start);
        if (buffer.isDirect()) {
            if (length > 0) buffer.get(start); // throws if the memory, that of a closed Arena, is there no more
            return new Bytes(null, Context.addressOf(buffer) + start, length, buffer, start);
        }
        if (buffer.hasArray()) return new Bytes(buffer.array(), buffer.arrayOffset() + start, length);
        byte[] copy = new byte[length];
        buffer.duplicate().position(start).get(copy);
        return new Bytes(copy, 0, length);
    }

    /** What follows the first n bytes. */
    Bytes from(int n) {
        return new Bytes(array, at + n, length - n, buffer, index + n);
    }

    /** The first n bytes. */
    Bytes first(int n) {
        return new Bytes(array, at, n, buffer, index);
    }

    /** Copies all of them to an array. */
    void get(byte[] to, int toAt) {
        if (length == 0) return;
        if (array != null) {
            System.arraycopy(array, (int) at, to, toAt, length);
        } else {
            view().get(to, toAt, length);
        }
    }

    /** Copies n bytes of an array to the first of these. */
    void put(byte[] from, int n) {
        if (n == 0) return;
        if (array != null) {
            System.arraycopy(from, 0, array, (int) at, n);
        } else {
            view().put(from, 0, n);
        }
    }

    private ByteBuffer view() {
        ByteBuffer view = buffer.duplicate();
        view.position(index);
        return view;
    }

    Bytes copy() {
        byte[] copy = new byte[length];
        get(copy, 0);
        return new Bytes(copy, 0, length);
    }

    /** Whether one of these is among the first n of the others. */
    boolean overlaps(Bytes others, int n) {
        return array == others.array && at < others.at + n && others.at < at + length;
    }

    /** Whether both begin with the same byte. */
    boolean coincides(Bytes other) {
        return array == other.array && at == other.at;
    }

    static void wipe(byte[] bytes) {
        Arrays.fill(bytes, (byte) 0);
    }
}
