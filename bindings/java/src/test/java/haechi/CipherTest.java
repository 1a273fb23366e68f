// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static haechi.Reference.HAECHI;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manners of a Cipher: those of the JDK's AES, beside which some tests run the same steps. */
class CipherTest {
    private static final SecretKey KEY = new SecretKeySpec(new byte[16], "ARIA");

    private static Cipher ours(String name) throws Exception {
        return Cipher.getInstance(name, HAECHI);
    }

    private static GCMParameterSpec gcm(int first) {
        byte[] iv = new byte[12];
        iv[0] = (byte) first;
        return new GCMParameterSpec(128, iv);
    }

    // ---- The same steps with the JDK's AES.

    private interface Step {
        Object run() throws Exception;
    }

    /** What came of a step: the exception's class, the length of an array, or the value. */
    private static void note(List<String> notes, Step step) {
        try {
            Object result = step.run();
            notes.add(String.valueOf(result instanceof byte[] ? ((byte[]) result).length : result));
        } catch (Exception thrown) {
            notes.add(thrown.getClass().getSimpleName());
        }
    }

    private static List<String> stepsOfGcm(Cipher c, SecretKey key) throws Exception {
        List<String> notes = new ArrayList<>();
        note(notes, () -> { c.init(Cipher.DECRYPT_MODE, key); return 0; });
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key); return c.getIV(); });
        c.init(Cipher.ENCRYPT_MODE, key, gcm(1));
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key, gcm(1)); return 0; });
        note(notes, c::doFinal); // not initialised
        c.init(Cipher.ENCRYPT_MODE, key, gcm(2));
        c.updateAAD(new byte[3]);
        note(notes, () -> c.update(new byte[16]));
        note(notes, () -> { c.updateAAD(new byte[3]); return 0; });
        note(notes, () -> c.doFinal(new byte[16], 0, 16, new byte[10], 0));
        note(notes, () -> c.doFinal(new byte[16], 0, 16, new byte[32], 0));
        note(notes, () -> c.update(new byte[16]));
        note(notes, () -> { c.updateAAD(new byte[16]); return 0; });
        note(notes, c::doFinal);
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key, gcm(2)); return 0; });
        c.init(Cipher.ENCRYPT_MODE, key, gcm(3));
        note(notes, () -> c.getOutputSize(20));
        c.updateAAD(new byte[3]);
        byte[] sealed = c.doFinal(new byte[40]);
        c.init(Cipher.DECRYPT_MODE, key, gcm(3));
        note(notes, () -> c.getOutputSize(56) + " " + c.getOutputSize(5));
        note(notes, () -> c.update(sealed, 0, 20));
        note(notes, () -> { c.updateAAD(new byte[3]); return 0; });
        note(notes, () -> c.doFinal(sealed, 20, 36, new byte[3], 0));
        note(notes, () -> c.doFinal(sealed, 20, 36)); // without the associated data
        c.updateAAD(new byte[3]);
        note(notes, () -> c.doFinal(sealed, 0, 56, new byte[39], 0));
        note(notes, () -> c.doFinal(sealed, 0, 56, new byte[40], 0));
        c.updateAAD(new byte[3]);
        note(notes, () -> c.doFinal(sealed));
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[0])); return 0; });
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(127, new byte[12])); return 0; });
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[15], "AES"), gcm(4)); return 0; });
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, (Key) null, gcm(4)); return 0; });
        c.init(Cipher.WRAP_MODE, key, gcm(5));
        byte[] wrapped = c.wrap(key);
        note(notes, () -> c.wrap(key));
        c.init(Cipher.UNWRAP_MODE, key, gcm(5));
        note(notes, () -> c.unwrap(wrapped, "AES", Cipher.SECRET_KEY).getEncoded());
        note(notes, () -> c.unwrap(wrapped, "AES", Cipher.SECRET_KEY).getEncoded());
        wrapped[0] ^= 1;
        note(notes, () -> c.unwrap(wrapped, "AES", Cipher.SECRET_KEY));
        note(notes, c::getBlockSize);
        c.init(Cipher.DECRYPT_MODE, key, gcm(5));
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key, gcm(5)); return 0; });
        return notes;
    }

    @Test
    void gcmBehavesAsTheJdks() throws Exception {
        SecretKey aes = new SecretKeySpec(new byte[16], "AES");
        List<String> wanted = stepsOfGcm(Cipher.getInstance("AES/GCM/NoPadding", "SunJCE"), aes);
        assertEquals(wanted, stepsOfGcm(ours("ARIA/GCM/NoPadding"), KEY));
        assertEquals(wanted, stepsOfGcm(ours("LEA/GCM/NoPadding"), KEY));
    }

    private static List<String> stepsOfBlocks(Cipher c, SecretKey key, boolean hasIv) throws Exception {
        List<String> notes = new ArrayList<>();
        IvParameterSpec iv = hasIv ? new IvParameterSpec(new byte[16]) : null;
        note(notes, () -> { c.init(Cipher.DECRYPT_MODE, key); return 0; });
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key); return c.getIV(); });
        note(notes, () -> c.getParameters() == null ? null : c.getParameters().getEncoded());
        c.init(Cipher.ENCRYPT_MODE, key, iv);
        for (int n : new int[] {0, 16, 17}) note(notes, () -> c.getOutputSize(n));
        note(notes, () -> c.update(new byte[5]));
        note(notes, () -> c.update(new byte[16], 0, 16, new byte[15], 0));
        note(notes, () -> c.update(new byte[16], 0, 16, new byte[16], 0));
        note(notes, () -> c.update(new byte[16]));
        note(notes, c::doFinal);
        note(notes, () -> { c.updateAAD(new byte[1]); return 0; });
        note(notes, () -> c.doFinal(new byte[16], 0, 16, new byte[8], 0));
        note(notes, () -> c.doFinal(new byte[16], 0, 16, new byte[32], 0));
        c.init(Cipher.ENCRYPT_MODE, key, iv);
        byte[] sealed = c.doFinal(new byte[16]);
        c.init(Cipher.DECRYPT_MODE, key, iv);
        for (int n : new int[] {0, 16, 17}) note(notes, () -> c.getOutputSize(n));
        note(notes, () -> c.update(sealed));
        note(notes, c::doFinal);
        note(notes, () -> c.doFinal(sealed, 0, sealed.length, new byte[15], 0));
        note(notes, () -> c.doFinal(sealed, 0, sealed.length, new byte[16], 0));
        note(notes, () -> c.doFinal(new byte[7]));
        note(notes, () -> c.doFinal(sealed));
        note(notes, () -> c.doFinal(new byte[32]));
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[12])); return 0; });
        note(notes, () -> { c.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[16])); return 0; });
        return notes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"CBC/PKCS5Padding", "CTR/NoPadding", "ECB/PKCS5Padding"})
    void otherModesBehaveAsTheJdks(String mode) throws Exception {
        SecretKey aes = new SecretKeySpec(new byte[16], "AES");
        List<String> wanted = stepsOfBlocks(Cipher.getInstance("AES/" + mode, "SunJCE"), aes, !mode.startsWith("ECB"));
        assertEquals(wanted, stepsOfBlocks(ours("LEA/" + mode), KEY, !mode.startsWith("ECB")));
    }

    // ---- AEADs.

    @ParameterizedTest
    @ValueSource(strings = {"ARIA/GCM", "LEA/CCM", "ARIA/EAX", "HIGHT/EAX"})
    void everyForgedBitIsRefusedAndNothingIsGivenOut(String name) throws Exception {
        Cipher c = ours(name + "/NoPadding");
        int bits = name.startsWith("HIGHT") ? 64 : 128;
        GCMParameterSpec spec = new GCMParameterSpec(bits, new byte[12]);
        byte[] aad = "to whom".getBytes();
        byte[] text = "a message of two blocks and more".getBytes();
        c.init(Cipher.ENCRYPT_MODE, KEY, spec);
        c.updateAAD(aad);
        byte[] sealed = c.doFinal(text);
        for (int bit = 0; bit < 8 * (sealed.length + aad.length + 12); bit++) {
            byte[][] parts = {sealed.clone(), aad.clone(), new byte[12]};
            int at = bit / 8;
            int part = at < sealed.length ? 0 : at < sealed.length + aad.length ? 1 : 2;
            if (part > 0) at -= sealed.length;
            if (part > 1) at -= aad.length;
            parts[part][at] ^= (byte) (1 << bit % 8);
            c.init(Cipher.DECRYPT_MODE, KEY, new GCMParameterSpec(bits, parts[2]));
            c.updateAAD(parts[1]);
            byte[] out = new byte[text.length];
            assertEquals(0, c.update(parts[0], 0, 10, out, 0));
            assertThrows(AEADBadTagException.class, () -> c.doFinal(parts[0], 10, parts[0].length - 10, out, 0));
            assertArrayEquals(new byte[text.length], out);
        }
        c.init(Cipher.DECRYPT_MODE, KEY, spec);
        for (int n = 0; n < bits / 8; n++) { // the JDK answers ProviderException here, where every caller expects this
            byte[] cut = Arrays.copyOf(sealed, n);
            assertThrows(AEADBadTagException.class, () -> c.doFinal(cut));
        }
        c.updateAAD(aad);
        assertArrayEquals(text, c.doFinal(sealed));
    }

    /** Above a mebibyte, what is in arrays is copied before it is opened. */
    @Test
    void largeMessages() throws Exception {
        for (int size : new int[] {65535, 65536, 65537, (1 << 20) - 1, (1 << 20) + 1, 3_000_001}) {
            byte[] text = new byte[size];
            new Random(size).nextBytes(text);
            for (String name : new String[] {"LEA/GCM/NoPadding", "ARIA/CCM/NoPadding", "LEA/EAX/NoPadding"}) {
                Cipher c = ours(name);
                GCMParameterSpec spec = gcm(size);
                c.init(Cipher.ENCRYPT_MODE, KEY, spec);
                c.updateAAD(text);
                byte[] sealed = c.doFinal(text);
                byte[] place = Arrays.copyOf(sealed, sealed.length);
                c.init(Cipher.DECRYPT_MODE, KEY, spec);
                c.updateAAD(text);
                assertEquals(size, c.doFinal(place, 0, place.length, place, 0));
                assertTrue(Arrays.equals(text, 0, size, place, 0, size), name);
                sealed[size / 2] ^= 1;
                c.updateAAD(text);
                byte[] out = new byte[size];
                assertThrows(AEADBadTagException.class, () -> c.doFinal(sealed, 0, sealed.length, out, 0));
                assertArrayEquals(new byte[size], out);
                sealed[size / 2] ^= 1;
                for (int kinds = 0; kinds < 4; kinds++) {
                    ByteBuffer from = buffer(kinds % 2 == 1, sealed.length);
                    ByteBuffer to = buffer(kinds / 2 == 1, size);
                    from.put(sealed).flip();
                    c.updateAAD(new byte[0]);
                    c.updateAAD(text);
                    assertEquals(size, c.doFinal(from, to));
                    assertEquals(ByteBuffer.wrap(text), to.flip());
                }
                ByteBuffer both = buffer(true, sealed.length);
                both.put(sealed).flip();
                c.updateAAD(text);
                assertEquals(size, c.doFinal(both.duplicate(), both));
                assertEquals(ByteBuffer.wrap(text), both.flip());
            }
        }
    }

    private static ByteBuffer buffer(boolean direct, int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    @Test
    void aTextThatIsTooLongForItsNonceIsRefused() throws Exception {
        Cipher c = ours("ARIA/CCM/NoPadding");
        c.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[13]));
        byte[] out = new byte[65536 + 16];
        assertThrows(IllegalBlockSizeException.class, () -> c.doFinal(new byte[65536], 0, 65536, out, 0));
        assertArrayEquals(new byte[out.length], out);
        c.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
        assertEquals(65535 + 16, c.doFinal(new byte[65535]).length);
    }

    @Test
    void lengthsThatAModeLacksAreRefused() throws Exception {
        Object[][] cases = {
            {"ARIA/GCM", 40, 12}, {"ARIA/GCM", 88, 12}, {"ARIA/GCM", 0, 12}, {"ARIA/GCM", 136, 12}, {"ARIA/GCM", 128, 0},
            {"LEA/CCM", 40, 12}, {"LEA/CCM", 128, 6}, {"LEA/CCM", 128, 14}, {"HIGHT/EAX", 128, 8}, {"LEA/EAX", 24, 12}, {"LEA/EAX", 128, 0},
        };
        for (Object[] c : cases) {
            Cipher cipher = ours(c[0] + "/NoPadding");
            GCMParameterSpec spec = new GCMParameterSpec((int) c[1], new byte[(int) c[2]]);
            assertThrows(InvalidAlgorithmParameterException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, KEY, spec), Arrays.toString(c));
        }
    }

    /** With an IvParameterSpec, a message of Bouncy Castle's is opened, whose CCM and EAX have tags of 8 bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"GCM", "CCM", "EAX"})
    void tagsAreAsLongAsBouncyCastlesWhereOnlyTheIvIsGiven(String mode) throws Exception {
        String name = "ARIA/" + mode + "/NoPadding";
        IvParameterSpec iv = new IvParameterSpec(new byte[12]);
        Cipher theirs = Cipher.getInstance(name, Reference.BOUNCY_CASTLE);
        theirs.init(Cipher.ENCRYPT_MODE, KEY, iv);
        byte[] sealed = theirs.doFinal(new byte[40]);
        Cipher c = ours(name);
        c.init(Cipher.ENCRYPT_MODE, KEY, iv);
        assertArrayEquals(sealed, c.doFinal(new byte[40]));
        c.init(Cipher.DECRYPT_MODE, KEY, iv);
        assertArrayEquals(new byte[40], c.doFinal(sealed));
    }

    @Test
    void aMissingIvIsRandom() throws Exception {
        for (String name : new String[] {"ARIA/GCM/NoPadding", "LEA/CCM/NoPadding", "HIGHT/EAX/NoPadding", "HIGHT/CBC/PKCS5Padding", "LEA/CTR/NoPadding"}) {
            Cipher c = ours(name);
            c.init(Cipher.ENCRYPT_MODE, KEY);
            byte[] first = c.getIV();
            assertEquals(name.matches(".*(GCM|CCM|EAX).*") ? 12 : c.getBlockSize(), first.length);
            byte[] sealed = c.doFinal(new byte[20]);
            AlgorithmParameters parameters = c.getParameters();
            c.init(Cipher.ENCRYPT_MODE, KEY);
            assertTrue(!Arrays.equals(first, c.getIV()));
            AlgorithmParameters read = AlgorithmParameters.getInstance(parameters.getAlgorithm(), HAECHI);
            read.init(parameters.getEncoded());
            c.init(Cipher.DECRYPT_MODE, KEY, read);
            assertArrayEquals(new byte[20], c.doFinal(sealed));
        }
    }

    @Test
    void parametersOfOthersAreRead() throws Exception {
        Cipher theirs = Cipher.getInstance("ARIA/GCM/NoPadding", Reference.BOUNCY_CASTLE);
        theirs.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(96, new byte[12]));
        byte[] sealed = theirs.doFinal(new byte[5]);
        Cipher c = ours("ARIA/GCM/NoPadding");
        c.init(Cipher.DECRYPT_MODE, KEY, theirs.getParameters());
        assertArrayEquals(new byte[5], c.doFinal(sealed));
        Cipher cbc = ours("ARIA/CBC/PKCS5Padding");
        assertThrows(InvalidAlgorithmParameterException.class, () -> cbc.init(Cipher.DECRYPT_MODE, KEY, AlgorithmParameters.getInstance("DSA")));
    }

    /** Refused are the IV and key of the last encryption, whatever was refused or decrypted since. */
    @Test
    void anIvIsUsedOnce() throws Exception {
        Cipher c = ours("LEA/GCM/NoPadding");
        SecretKey other = new SecretKeySpec(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "LEA");
        c.init(Cipher.ENCRYPT_MODE, KEY, gcm(1));
        c.doFinal(new byte[3]);
        for (int i = 0; i < 2; i++) assertThrows(InvalidAlgorithmParameterException.class, () -> c.init(Cipher.ENCRYPT_MODE, KEY, gcm(1)));
        assertThrows(IllegalStateException.class, c::doFinal);
        c.init(Cipher.DECRYPT_MODE, other, gcm(2));
        assertThrows(InvalidAlgorithmParameterException.class, () -> c.init(Cipher.ENCRYPT_MODE, KEY, gcm(1)));
        assertThrows(InvalidAlgorithmParameterException.class, () -> c.init(Cipher.ENCRYPT_MODE, other, new GCMParameterSpec(40, new byte[12])));
        assertThrows(InvalidAlgorithmParameterException.class, () -> c.init(Cipher.ENCRYPT_MODE, KEY, gcm(1)));
        c.init(Cipher.ENCRYPT_MODE, other, gcm(1));
        c.init(Cipher.ENCRYPT_MODE, KEY, gcm(1));
    }

    // ---- Padding.

    @ParameterizedTest
    @ValueSource(strings = {"LEA", "HIGHT", "ARIA"})
    void paddingIsThatOfPkcs7AndNothingElse(String family) throws Exception {
        Cipher raw = ours(family + "/CBC/NoPadding");
        Cipher c = ours(family + "/CBC/PKCS5Padding");
        int block = c.getBlockSize();
        IvParameterSpec iv = new IvParameterSpec(new byte[block]);
        for (int pad = 0; pad < 256; pad++) {
            byte[] text = new byte[3 * block];
            Arrays.fill(text, text.length - Math.min(Math.max(pad, 1), block), text.length, (byte) pad);
            raw.init(Cipher.ENCRYPT_MODE, KEY, iv);
            c.init(Cipher.DECRYPT_MODE, KEY, iv);
            byte[] sealed = raw.doFinal(text);
            if (pad >= 1 && pad <= block) {
                assertArrayEquals(Arrays.copyOf(text, text.length - pad), c.doFinal(sealed));
                if (pad == 1) continue;
                text[text.length - pad] ^= 4; // the first byte of the padding
                raw.init(Cipher.ENCRYPT_MODE, KEY, iv);
                sealed = raw.doFinal(text);
            }
            byte[] bad = sealed;
            byte[] out = new byte[3 * block];
            assertThrows(BadPaddingException.class, () -> c.doFinal(bad, 0, bad.length, out, 0));
            assertArrayEquals(new byte[3 * block], out);
        }
        assertThrows(BadPaddingException.class, c::doFinal);
    }

    @Test
    void withoutPaddingAMessageIsWholeBlocks() throws Exception {
        Cipher c = ours("HIGHT/CBC/NoPadding");
        c.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[8]));
        byte[] whole = c.doFinal(new byte[24]);
        c.update(new byte[5]);
        assertThrows(IllegalBlockSizeException.class, () -> c.doFinal(new byte[10]));
        assertArrayEquals(whole, c.doFinal(new byte[24]));
        assertEquals(0, c.doFinal().length);
    }

    // ---- Keys.

    @Test
    void keysThatDoNotFitAreRefused() throws Exception {
        for (Family family : Family.values()) {
            for (int size = 0; size < 40; size++) {
                if (size == 0 || family.takes(8 * size)) continue;
                Key key = new SecretKeySpec(new byte[size], family.name());
                for (String mode : new String[] {"CTR", "EAX"}) {
                    Cipher c = ours(family + "/" + mode + "/NoPadding");
                    InvalidKeyException e = assertThrows(InvalidKeyException.class, () -> c.init(Cipher.ENCRYPT_MODE, key));
                    assertTrue(e.getMessage().contains(Integer.toString(8 * size)), e.getMessage());
                }
            }
        }
        KeyPair rsa = KeyPairGenerator.getInstance("EC").generateKeyPair();
        assertThrows(InvalidKeyException.class, () -> ours("LEA/GCM/NoPadding").init(Cipher.ENCRYPT_MODE, rsa.getPrivate()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ARIA/GCM/NoPadding", "LEA/CBC/PKCS5Padding", "ARIAWRAPPAD"})
    void keysOfAllKindsAreWrapped(String name) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        Cipher c = ours(name);
        Object[][] keys = {{KEY, Cipher.SECRET_KEY, "ARIA"}, {pair.getPublic(), Cipher.PUBLIC_KEY, "EC"}, {pair.getPrivate(), Cipher.PRIVATE_KEY, "EC"}};
        for (Object[] key : keys) {
            c.init(Cipher.WRAP_MODE, KEY);
            byte[] wrapped = c.wrap((Key) key[0]);
            c.init(Cipher.UNWRAP_MODE, KEY, c.getParameters());
            assertEquals(key[0], c.unwrap(wrapped, (String) key[2], (int) key[1]));
            assertThrows(NoSuchAlgorithmException.class, () -> c.unwrap(wrapped, "none", Cipher.PUBLIC_KEY));
        }
    }

    // ---- Key wrap.

    @ParameterizedTest
    @ValueSource(strings = {"WRAP", "WRAPPAD"})
    void keyWrapIsBouncyCastles(String kind) throws Exception {
        Random random = new Random(1);
        Cipher c = ours("ARIA" + kind);
        for (int size = 1; size < 200; size++) {
            byte[] kek = new byte[16 + 8 * random.nextInt(3)];
            byte[] key = new byte[size];
            random.nextBytes(kek);
            random.nextBytes(key);
            SecretKey secret = new SecretKeySpec(kek, "ARIA");
            SecretKey wrapping = new SecretKeySpec(key, "X");
            c.init(Cipher.ENCRYPT_MODE, secret);
            if (kind.equals("WRAP") && (size % 8 != 0 || size < 16)) {
                assertThrows(IllegalBlockSizeException.class, () -> c.doFinal(key));
                continue;
            }
            Cipher theirs = Cipher.getInstance("ARIA" + kind, Reference.BOUNCY_CASTLE);
            theirs.init(Cipher.WRAP_MODE, secret);
            byte[] wrapped = theirs.wrap(wrapping);
            assertEquals(wrapped.length, c.getOutputSize(size));
            assertThrows(ShortBufferException.class, () -> c.doFinal(key, 0, key.length, new byte[wrapped.length - 1], 0));
            c.update(key, 0, size / 2);
            assertArrayEquals(wrapped, c.doFinal(key, size / 2, size - size / 2));
            c.init(Cipher.WRAP_MODE, secret);
            assertArrayEquals(wrapped, c.wrap(wrapping));
            c.init(Cipher.UNWRAP_MODE, secret);
            assertEquals(wrapping, c.unwrap(wrapped, "X", Cipher.SECRET_KEY));
            wrapped[random.nextInt(wrapped.length)] ^= (byte) (1 << random.nextInt(8));
            assertThrows(InvalidKeyException.class, () -> c.unwrap(wrapped, "X", Cipher.SECRET_KEY));
            c.init(Cipher.DECRYPT_MODE, secret);
            assertThrows(BadPaddingException.class, () -> c.doFinal(wrapped));
        }
        assertNull(c.getIV());
        assertThrows(InvalidAlgorithmParameterException.class, () -> c.init(Cipher.WRAP_MODE, KEY, new IvParameterSpec(new byte[8])));
    }

    // ---- HIGHT is in wire order.

    @Test
    void hightIsInWireOrder() throws Exception {
        Cipher c = ours("HIGHT/ECB/NoPadding");
        byte[] key = new byte[16];
        byte[] block = new byte[8];
        for (int i = 0; i < 16; i++) key[i] = (byte) (0x11 * i);
        for (int i = 0; i < 8; i++) block[i] = (byte) (0x11 * (7 - i));
        c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "HIGHT"));
        assertArrayEquals(new byte[] {(byte) 0xd8, (byte) 0xe6, 0x43, (byte) 0xe5, 0x72, (byte) 0x9f, (byte) 0xce, 0x23}, c.doFinal(block));
    }
}
