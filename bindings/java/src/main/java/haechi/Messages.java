// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;

/**
 * Many short messages in one call, each with a key and an IV of its own, as a server receives them from many devices. One call
 * costs less than a Cipher with an init for each message, because the library expands keys and processes messages side by side.
 *
 * <pre>
 * Messages messages = new Messages("LEA/GCM/NoPadding", 128);
 * byte[][] texts = messages.open(keys, ivs, aads, sealed); // null where a message is not authentic
 * </pre>
 *
 * An array has an element for each message. Successive messages that have the same array as their key share its expansion.
 * Threads may share an object. Java may copy the arrays with keys in its heap; the copies that this class makes are outside of it and
 * are wiped.
 */
public final class Messages {
    private static final int MESSAGES = 1024; // that one call of the library takes
    private static final int BYTES = 1 << 20; // unless one message has more
    /** How the native method finds a message: the places of its key and its IV, and the lengths of IV, associated data and text. */
    private static final int PLACES = 5;

    private final Family family;
    private final Mode mode;
    private final int tagLength;

    /**
     * Messages of one cipher and mode.
     *
     * @param transformation one of GCM, CCM and EAX, as Cipher has it, like "LEA/GCM/NoPadding"
     * @param tagBits the bits of every tag, of those that the mode has
     * @throws NoSuchAlgorithmException there is no such cipher or mode
     * @throws IllegalArgumentException the mode has no tags of this length
     */
    public Messages(String transformation, int tagBits) throws NoSuchAlgorithmException {
        NativeLibrary.load();
        Mode found = null;
        Family of = null;
        for (Family f : Family.values()) {
            for (Mode m : Mode.values()) {
                if (m.isAead() && m.takes(f) && (f + "/" + m + "/NoPadding").equalsIgnoreCase(transformation)) {
                    found = m;
                    of = f;
                }
            }
        }
        if (found == null) throw new NoSuchAlgorithmException("Haechi: there is no " + transformation + " for many messages");
        family = of;
        mode = found;
        tagLength = tagBits / 8;
        Context context = new Context();
        Context.check(context.setAeadKey(mode.ordinal(), family.ordinal(), new byte[family.keys[0] / 8]));
        if (tagBits % 8 != 0 || context.begin(new byte[12], tagLength) != Context.OK) {
            throw new IllegalArgumentException(family + "/" + mode + " has no tags of " + tagBits + " bits");
        }
    }

    /**
     * Encrypts every message: its ciphertext, and then its tag. An IV must never repeat under a key.
     *
     * @param aads associated data; null: no message has any
     * @throws IllegalArgumentException the arrays differ in length, or a key, IV or text does not fit, which the exception names; then
     *     nothing is encrypted
     */
    public byte[][] seal(byte[][] keys, byte[][] ivs, byte[][] aads, byte[][] texts) {
        return run(false, keys, ivs, aads, texts);
    }

    /**
     * Verifies and decrypts every message. One that is not authentic, whose IV or tag has another length, or which is null or has
     * null as its key or IV, gives null, and touches no other one.
     *
     * @param aads associated data; null: no message has any
     * @param sealed ciphertexts, each followed by its tag
     * @throws IllegalArgumentException the arrays differ in length, or a key has a length that the cipher does not have
     */
    public byte[][] open(byte[][] keys, byte[][] ivs, byte[][] aads, byte[][] sealed) {
        return run(true, keys, ivs, aads, sealed);
    }

    private byte[][] run(boolean opens, byte[][] keys, byte[][] ivs, byte[][] aads, byte[][] texts) {
        check(keys.length, "keys", texts);
        check(ivs.length, "IVs", texts);
        if (aads != null) check(aads.length, "associated data", texts);
        Batch batch = new Batch(opens, keys, ivs, aads, texts);
        long all = 0;
        for (int i = 0; i < texts.length; i++) {
            if (batch.has(i)) all += batch.size(i);
        }
        batch.reserve(Math.min(all, BYTES));
        for (int i = 0; i < texts.length; i++) {
            if (batch.has(i)) batch.add(i);
        }
        batch.run();
        return batch.made;
    }

    private static void check(int length, String what, byte[][] texts) {
        if (length != texts.length) throw new IllegalArgumentException("there are " + texts.length + " messages and " + length + " " + what);
    }

    /** Messages that go to the library together, with keys of one length. */
    private final class Batch {
        final byte[][] made;
        private final boolean opens;
        private final byte[][] keys;
        private final byte[][] ivs;
        private final byte[][] aads;
        private final byte[][] texts;
        private final int[] which = new int[MESSAGES];
        private final int[] layout = new int[PLACES * MESSAGES];
        private int count;
        private ByteBuffer memory;
        private byte[] lastKey;
        private int lastPlace;

        Batch(boolean opens, byte[][] keys, byte[][] ivs, byte[][] aads, byte[][] texts) {
            this.opens = opens;
            this.keys = keys;
            this.ivs = ivs;
            this.aads = aads;
            this.texts = texts;
            made = new byte[texts.length][];
        }

        /** Whether there is such a message. What cannot be encrypted is an error; what cannot be opened gives null. */
        boolean has(int i) {
            if (keys[i] != null && !family.takes(8 * keys[i].length)) {
                throw new IllegalArgumentException("message " + i + ": " + family.sizes() + ", this one has " + 8 * keys[i].length);
            }
            boolean there = keys[i] != null && ivs[i] != null && texts[i] != null;
            if (!opens && !there) throw new IllegalArgumentException("message " + i + ": key, IV or text is null");
            return there && !(opens && texts[i].length < tagLength);
        }

        /** The bytes that a message takes at most. */
        long size(int i) {
            return (long) keys[i].length + ivs[i].length + aadLength(i) + texts[i].length + tagLength;
        }

        private int aadLength(int i) {
            return aads == null || aads[i] == null ? 0 : aads[i].length;
        }

        void reserve(long size) {
            if (size > Integer.MAX_VALUE) throw new IllegalArgumentException("a message is longer than an array can be");
            memory = ByteBuffer.allocateDirect((int) size);
        }

        void add(int i) {
            long size = size(i);
            boolean full = count == MESSAGES || size > memory.remaining();
            if (count > 0 && (full || lastKey.length != keys[i].length)) run();
            if (size > memory.remaining()) reserve(size);
            if (keys[i] != lastKey) {
                lastKey = keys[i];
                lastPlace = memory.position();
                memory.put(lastKey);
            }
            int at = PLACES * count;
            layout[at] = lastPlace;
            layout[at + 1] = memory.position();
            layout[at + 2] = ivs[i].length;
            layout[at + 3] = aadLength(i);
            layout[at + 4] = opens ? texts[i].length - tagLength : texts[i].length;
            memory.put(ivs[i]);
            if (layout[at + 3] > 0) memory.put(aads[i]);
            memory.put(texts[i]);
            if (!opens) memory.position(memory.position() + tagLength);
            which[count++] = i;
        }

        void run() {
            if (count == 0) return;
            byte[] results = new byte[count];
            try {
                Context.check(Context.many(mode.ordinal(), family.ordinal(), lastKey.length, opens, memory, layout, tagLength, results));
                for (int k = 0; k < count; k++) take(which[k], PLACES * k, results[k]);
            } finally {
                memory.clear();
                Context.wipe(memory);
                count = 0;
                lastKey = null;
            }
        }

        private void take(int i, int at, int result) {
            if (result == Context.OK) {
                memory.position(layout[at + 1] + layout[at + 2] + layout[at + 3]);
                made[i] = new byte[layout[at + 4] + (opens ? 0 : tagLength)];
                memory.get(made[i]);
            } else if (result != Context.EAUTH && result != Context.ELEN && result != Context.ELIMIT) {
                Context.check(result);
            } else if (!opens) {
                throw new IllegalArgumentException("message " + i + ": " + family + "/" + mode + " does not take a text of " + texts[i].length
                    + " bytes with an IV of " + ivs[i].length);
            }
        }
    }
}
