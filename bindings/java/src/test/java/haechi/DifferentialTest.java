// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Random messages in random pieces, through all kinds of arrays and buffers, as Bouncy Castle encrypts them in one piece. */
class DifferentialTest {
    private static final boolean ALL = "all".equals(System.getProperty("haechi.tests"));
    private static final int OPERATIONS = ALL ? 50_000 : 1_500;
    private static final int[] CCM_TAGS = {32, 48, 64, 80, 96, 112, 128};
    private static final int[] GCM_TAGS = {32, 64, 96, 104, 112, 120, 128};

    private final Random random = new Random(29);
    private final Map<String, Cipher> ciphers = new HashMap<>();
    private int shortBuffers;
    private int forgeries;

    /** Family, mode, and whether it pads. */
    private static List<Object[]> kinds() {
        List<Object[]> kinds = new ArrayList<>();
        for (Family family : Family.values()) {
            for (Mode mode : Mode.values()) {
                if (!mode.takes(family) || mode.isKeyWrap()) continue;
                kinds.add(new Object[] {family, mode, false});
                if (mode.hasBlocks()) kinds.add(new Object[] {family, mode, true});
            }
        }
        return kinds;
    }

    @Test
    void randomOperations() {
        List<Object[]> kinds = kinds();
        for (int i = 0; i < OPERATIONS; i++) operation("operation " + i, kinds.get(i % kinds.size()), length());
        assertTrue(shortBuffers > OPERATIONS / 50 && forgeries > OPERATIONS / 50, shortBuffers + " short buffers, " + forgeries + " forgeries");
    }

    /** The native methods work on slices of 65536 bytes. */
    @Test
    void messagesOfSeveralSlices() {
        for (Object[] kind : kinds()) operation("several slices", kind, 3 * 65536 + 16);
    }

    private void operation(String which, Object[] kind, int length) {
        try {
            operation((Family) kind[0], (Mode) kind[1], (boolean) kind[2], length);
        } catch (Exception | AssertionError failed) {
            throw new AssertionError(which + ", " + Arrays.toString(kind), failed);
        }
    }

    private byte[] bytes(int n) {
        byte[] bytes = new byte[n];
        random.nextBytes(bytes);
        return bytes;
    }

    private int length() {
        int kind = random.nextInt(200);
        if (kind == 0) return 65536 - 40 + random.nextInt(80);
        if (kind == 1 && ALL) return (1 << 20) - 40 + random.nextInt(80);
        return kind < 30 ? random.nextInt(5000) : random.nextInt(80);
    }

    private void operation(Family family, Mode mode, boolean pads, int length) throws Exception {
        byte[] key = bytes(family.keys[random.nextInt(family.keys.length)] / 8);
        byte[] aad = mode.isAead() ? bytes(random.nextInt(4) == 0 ? length() : random.nextInt(40)) : new byte[0];
        byte[] text = bytes(mode.hasBlocks() && !pads ? length - length % family.block : length);
        int tagBits = 0;
        byte[] iv = null;
        AlgorithmParameterSpec spec = null;
        if (mode.isAead()) {
            tagBits = mode == Mode.GCM ? GCM_TAGS[random.nextInt(7)] : mode == Mode.CCM ? CCM_TAGS[random.nextInt(7)] : 32 + 8 * random.nextInt(family.block - 3);
            iv = bytes(mode == Mode.CCM ? 7 + random.nextInt(text.length < 65536 ? 7 : 6) : random.nextInt(2) == 0 ? 12 : 1 + random.nextInt(100));
            spec = new GCMParameterSpec(tagBits, iv);
        } else if (mode != Mode.ECB) {
            iv = bytes(family.block);
            if (random.nextInt(4) == 0) Arrays.fill(iv, random.nextInt(family.block), family.block, (byte) 0xff); // counters carry
            spec = new IvParameterSpec(iv);
        }
        byte[] sealed = Reference.encrypt(family, mode, pads, key, iv, tagBits, aad, text);
        String name = family + "/" + mode + (pads ? "/PKCS5Padding" : "/NoPadding");
        Cipher cipher = ciphers.computeIfAbsent(name, DifferentialTest::instance);
        SecretKeySpec secret = new SecretKeySpec(key, family.name());

        cipher.init(Cipher.ENCRYPT_MODE, secret, spec);
        assertArrayEquals(sealed, run(cipher, aad, text), "encryption");
        cipher.init(Cipher.DECRYPT_MODE, secret, spec);
        for (int repeats = random.nextInt(3); repeats >= 0; repeats--) assertArrayEquals(text, run(cipher, aad, sealed), "decryption");
        if (mode.isAead()) {
            byte[] forged = sealed.clone();
            forged[random.nextInt(forged.length)] ^= (byte) (1 << random.nextInt(8));
            forgeries++;
            assertThrows(AEADBadTagException.class, () -> run(cipher, aad, forged));
            assertArrayEquals(text, run(cipher, aad, sealed), "decryption after a forgery");
        }
    }

    private static Cipher instance(String name) {
        try {
            return Cipher.getInstance(name, Reference.HAECHI);
        } catch (GeneralSecurityException missing) {
            throw new AssertionError(missing);
        }
    }

    // ---- One message in pieces.

    private byte[] run(Cipher cipher, byte[] aad, byte[] message) throws GeneralSecurityException {
        for (int done = 0; done < aad.length; ) {
            int n = 1 + random.nextInt(aad.length - done);
            if (random.nextBoolean()) cipher.updateAAD(aad, done, n);
            else cipher.updateAAD(memory(random.nextInt(3), n, 0, aad, done, n));
            done += n;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int done = 0;
        while (random.nextInt(3) != 0 && done < message.length) {
            int n = random.nextInt(Math.min(message.length - done, random.nextBoolean() ? 20 : 1 << 20)) + 1;
            piece(cipher, message, done, n, false, out);
            done += n;
        }
        piece(cipher, message, done, message.length - done, true, out);
        return out.toByteArray();
    }

    /** A buffer with these bytes at a place: 0: on the heap, 1: direct, 2: read-only. */
    private static ByteBuffer memory(int kind, int size, int place, byte[] bytes, int from, int n) {
        ByteBuffer buffer = kind == 1 ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size + 3);
        if (kind != 1) {
            buffer.position(3);
            buffer = buffer.slice();
        }
        buffer.position(place);
        buffer.put(bytes, from, n);
        buffer.position(place);
        buffer.limit(place + n);
        return kind == 2 ? buffer.asReadOnlyBuffer() : buffer;
    }

    private void piece(Cipher cipher, byte[] message, int from, int n, boolean last, ByteArrayOutputStream out) throws GeneralSecurityException {
        int room = cipher.getOutputSize(n);
        switch (random.nextInt(4)) {
            case 0: {
                byte[] in = Arrays.copyOfRange(message, Math.max(0, from - 5), from + n);
                byte[] made = last ? cipher.doFinal(in, Math.min(5, from), n) : cipher.update(in, Math.min(5, from), n);
                if (made != null) out.write(made, 0, made.length);
                assertEquals(0, Arrays.compare(in, Arrays.copyOfRange(message, Math.max(0, from - 5), from + n)), "the input has changed");
                break;
            }
            case 1: { // arrays apart
                byte[] target = bytes(room + 10);
                out.write(target, 5, inArrays(cipher, Arrays.copyOfRange(message, from, from + n), 0, n, target, 5, room, last));
                break;
            }
            case 2: { // one array, in place or overlapping in any way
                byte[] both = bytes(Math.max(room, n) + 40);
                int in = random.nextInt(3) == 0 ? 20 : random.nextInt(both.length - n);
                int to = random.nextBoolean() ? in : random.nextInt(both.length - room);
                if (to + room > both.length) to = in = 20;
                System.arraycopy(message, from, both, in, n);
                out.write(both, to, inArrays(cipher, both, in, n, both, to, room, last));
                break;
            }
            default:
                inBuffers(cipher, message, from, n, room, last, out);
        }
    }

    /** A first try may have too little room, which must change nothing. */
    private int inArrays(Cipher cipher, byte[] in, int at, int n, byte[] out, int to, int room, boolean last) throws GeneralSecurityException {
        byte[] before = out.clone();
        int made = -1;
        if (room > 0 && random.nextInt(4) == 0) {
            byte[] tight = new byte[random.nextInt(room)];
            try {
                made = call(cipher, in, at, n, tight, 0, last);
                System.arraycopy(tight, 0, out, to, made);
            } catch (ShortBufferException expected) {
                shortBuffers++;
                assertArrayEquals(new byte[tight.length], tight, "a short buffer was written to");
            }
        }
        if (made < 0) {
            try {
                made = call(cipher, in, at, n, out, to, last);
            } catch (AEADBadTagException forged) {
                for (int i = 0; i < out.length; i++) assertTrue(out[i] == before[i] || out[i] == 0 && i >= to && i < to + room, "a forgery was given out");
                throw forged;
            }
        }
        for (int i = 0; i < out.length; i++) {
            if (i < to || i >= to + made) assertEquals(before[i], out[i], "a byte beside the output has changed");
        }
        return made;
    }

    private static int call(Cipher cipher, byte[] in, int at, int n, byte[] out, int to, boolean last) throws GeneralSecurityException {
        if (last && n == 0) return cipher.doFinal(out, to);
        return last ? cipher.doFinal(in, at, n, out, to) : cipher.update(in, at, n, out, to);
    }

    private void inBuffers(Cipher cipher, byte[] message, int from, int n, int room, boolean last, ByteArrayOutputStream out) throws GeneralSecurityException {
        ByteBuffer in;
        ByteBuffer to;
        int kind = random.nextInt(3);
        if (random.nextBoolean()) { // one memory
            int size = Math.max(room, n) + 40;
            int place = random.nextInt(size - n);
            in = memory(kind, size, place, message, from, n);
            if (kind == 2) {
                to = ByteBuffer.allocate(room);
            } else {
                to = in.duplicate();
                to.clear();
                to.position(random.nextBoolean() && place + room <= size ? place : random.nextInt(size - room));
                to.limit(to.position() + room);
            }
        } else {
            in = memory(kind, n + 7, random.nextInt(7), message, from, n);
            to = random.nextBoolean() ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
        }
        if (room > 0 && random.nextInt(4) == 0) {
            ByteBuffer tight = ByteBuffer.allocateDirect(random.nextInt(room));
            int before = in.position();
            try {
                int made = last ? cipher.doFinal(in, tight) : cipher.update(in, tight);
                assertEquals(made, tight.position());
                tight.flip();
                while (tight.hasRemaining()) out.write(tight.get());
                return;
            } catch (ShortBufferException expected) {
                shortBuffers++;
                assertEquals(before, in.position());
                assertEquals(0, tight.position());
            }
        }
        int start = to.position();
        int made = last ? cipher.doFinal(in, to) : cipher.update(in, to);
        assertEquals(0, in.remaining());
        assertEquals(start + made, to.position());
        to.flip();
        to.position(start);
        while (to.hasRemaining()) out.write(to.get());
    }

    // ---- MACs.

    @Test
    void randomMacs() throws Exception {
        for (int i = 0; i < OPERATIONS / 10; i++) {
            Family family = Family.values()[i % 3];
            byte[] key = bytes(family.keys[random.nextInt(family.keys.length)] / 8);
            byte[] text = bytes(length());
            Mac mac = Mac.getInstance(family + "-CMAC", Reference.HAECHI);
            mac.init(new SecretKeySpec(key, family.name()));
            byte[] expected = Reference.cmac(family, key, text);
            for (int repeats = 0; repeats < 2; repeats++) {
                update(mac, text);
                assertArrayEquals(expected, mac.doFinal());
            }
            mac.update(text);
            mac.reset();
            assertArrayEquals(expected, mac.doFinal(text));
            if (family == Family.ARIA) {
                byte[] iv = bytes(1 + random.nextInt(40));
                Mac gmac = Mac.getInstance("ARIA-GMAC", Reference.HAECHI);
                gmac.init(new SecretKeySpec(key, "ARIA"), new IvParameterSpec(iv));
                update(gmac, text);
                gmac.reset();
                update(gmac, text);
                assertArrayEquals(Reference.gmac(key, iv, text), gmac.doFinal());
                assertThrows(IllegalStateException.class, () -> gmac.update((byte) 0));
            }
        }
    }

    private void update(Mac mac, byte[] text) {
        for (int done = 0; done < text.length; ) {
            int n = 1 + random.nextInt(text.length - done);
            int kind = random.nextInt(5);
            if (kind == 0) {
                mac.update(text[done]);
                n = 1;
            } else if (kind == 1) {
                mac.update(text, done, n);
            } else {
                mac.update(memory(kind - 2, n + 5, 5, text, done, n));
            }
            done += n;
        }
    }
}
