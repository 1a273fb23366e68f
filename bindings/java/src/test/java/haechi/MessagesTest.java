// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many messages in one call are what a Cipher makes of each of them. */
class MessagesTest {
    private static final boolean ALL = "all".equals(System.getProperty("haechi.tests"));

    private final Random random = new Random(30);

    private byte[] bytes(int n) {
        byte[] bytes = new byte[n];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] sealed(String name, int tagBits, byte[] key, byte[] iv, byte[] aad, byte[] text) throws Exception {
        Cipher cipher = Cipher.getInstance(name, Reference.HAECHI);
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "K"), new GCMParameterSpec(tagBits, iv));
        if (aad != null) cipher.updateAAD(aad);
        return cipher.doFinal(text);
    }

    /** More messages than one call of the library takes, keys of all lengths and keys that come again, and one long message. */
    @ParameterizedTest
    @ValueSource(strings = {"LEA/GCM", "LEA/CCM", "LEA/EAX", "ARIA/GCM", "ARIA/CCM", "ARIA/EAX", "HIGHT/EAX"})
    void everyMessageIsWhatACipherMakesOfIt(String name) throws Exception {
        Family family = Family.valueOf(name.split("/")[0]);
        int tagBits = family == Family.HIGHT ? 64 : new int[] {32, 64, 128}[random.nextInt(3)];
        Messages messages = new Messages(name + "/NoPadding", tagBits);
        int count = ALL ? 20_000 : 2_500;
        byte[][] keys = new byte[count][];
        byte[][] ivs = new byte[count][];
        byte[][] aads = new byte[count][];
        byte[][] texts = new byte[count][];
        byte[][] wanted = new byte[count][];
        for (int i = 0; i < count; i++) {
            boolean again = i > 0 && random.nextInt(3) == 0;
            keys[i] = again ? keys[i - 1] : bytes(family.keys[random.nextInt(50) == 0 ? random.nextInt(family.keys.length) : 0] / 8);
            ivs[i] = bytes(name.endsWith("CCM") ? 7 + random.nextInt(6) : 1 + random.nextInt(20));
            aads[i] = random.nextInt(4) == 0 ? null : bytes(random.nextInt(30));
            texts[i] = bytes(i == 1300 ? (1 << 20) + 7 : random.nextInt(4) == 0 ? 0 : random.nextInt(100));
            wanted[i] = sealed(name + "/NoPadding", tagBits, keys[i], ivs[i], aads[i], texts[i]);
        }
        byte[][] sealed = messages.seal(keys, ivs, aads, texts);
        for (int i = 0; i < count; i++) assertArrayEquals(wanted[i], sealed[i], "message " + i);

        boolean[] bad = new boolean[count];
        for (int i = 0; i < count; i++) {
            bad[i] = random.nextInt(5) == 0;
            if (!bad[i]) continue;
            switch (random.nextInt(7)) {
                case 0: keys[i] = null; break;
                case 1: ivs[i] = null; break;
                case 2: sealed[i] = null; break;
                case 3: sealed[i] = Arrays.copyOf(sealed[i], random.nextInt(tagBits / 8)); break;
                case 4: ivs[i] = new byte[name.endsWith("CCM") ? 14 : 0]; break;
                case 5: aads[i] = bytes(40); break;
                default: sealed[i][random.nextInt(sealed[i].length)] ^= (byte) (1 << random.nextInt(8));
            }
        }
        byte[][] opened = messages.open(keys, ivs, aads, sealed);
        for (int i = 0; i < count; i++) assertArrayEquals(bad[i] ? null : texts[i], opened[i], "message " + i);
    }

    @Test
    void noneIsForgedWithoutAssociatedData() throws Exception {
        Messages messages = new Messages("lea/gcm/nopadding", 128);
        byte[][] keys = {bytes(16), bytes(32)};
        byte[][] ivs = {bytes(12), bytes(12)};
        byte[][] texts = {bytes(5), bytes(0)};
        byte[][] opened = messages.open(keys, ivs, null, messages.seal(keys, ivs, null, texts));
        assertArrayEquals(texts, opened);
        byte[][] none = new byte[0][];
        assertEquals(0, messages.seal(none, none, null, none).length);
        assertEquals(0, messages.open(none, none, none, none).length);
        assertNull(messages.open(new byte[1][], new byte[1][], null, new byte[1][])[0]);
    }

    @Test
    void whatDoesNotFitIsNamed() throws Exception {
        for (String name : new String[] {"HIGHT/GCM/NoPadding", "LEA/CTR/NoPadding", "AES/GCM/NoPadding", "LEA", ""}) {
            assertThrows(NoSuchAlgorithmException.class, () -> new Messages(name, 128));
        }
        for (int bits : new int[] {-128, 0, 40, 127, 136, 1 << 30}) {
            assertThrows(IllegalArgumentException.class, () -> new Messages("ARIA/GCM/NoPadding", bits));
        }
        Messages messages = new Messages("ARIA/CCM/NoPadding", 128);
        byte[][] two = {bytes(16), bytes(16)};
        byte[][] ivs = {bytes(12), bytes(12)};
        says("there are 2 messages and 1 keys", () -> messages.seal(new byte[1][16], ivs, null, two));
        says("there are 2 messages and 1 IVs", () -> messages.open(two, new byte[1][12], null, two));
        says("there are 2 messages and 3 associated data", () -> messages.open(two, ivs, new byte[3][], two));
        says("message 1: a key of ARIA has 128, 192 or 256 bits, this one has 120", () -> messages.open(new byte[][] {two[0], bytes(15)}, ivs, null, two));
        says("message 1: key, IV or text is null", () -> messages.seal(two, ivs, null, new byte[][] {two[0], null}));
        says("message 1: ARIA/CCM does not take a text of 16 bytes with an IV of 6", () -> messages.seal(two, new byte[][] {ivs[0], bytes(6)}, null, two));
        says("message 0: ARIA/CCM does not take a text of 65536 bytes with an IV of 13",
            () -> messages.seal(two, new byte[][] {bytes(13), bytes(13)}, null, new byte[][] {bytes(65536), two[1]}));
        assertThrows(NullPointerException.class, () -> messages.seal(null, ivs, null, two));
    }

    private static void says(String message, org.junit.jupiter.api.function.Executable call) {
        assertTrue(assertThrows(IllegalArgumentException.class, call).getMessage().startsWith(message));
    }

    @Test
    void threadsShareAnObject() throws Exception {
        Messages messages = new Messages("LEA/EAX/NoPadding", 128);
        byte[][] keys = IntStream.range(0, 700).mapToObj(i -> bytes(16)).toArray(byte[][]::new);
        byte[][] ivs = IntStream.range(0, 700).mapToObj(i -> bytes(12)).toArray(byte[][]::new);
        byte[][] sealed = messages.seal(keys, ivs, null, keys);
        IntStream.range(0, 200).parallel().forEach(i -> assertArrayEquals(keys, messages.open(keys, ivs, null, sealed)));
    }
}
