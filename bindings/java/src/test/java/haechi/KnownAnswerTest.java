// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static haechi.Reference.HAECHI;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Known answers, one a line of the file that the property haechi.answers names: the name of a Cipher or Mac, bits of the tag,
 * key, IV, associated data, text, result, verdict ("valid" or "invalid") and source, with tabs between them.
 */
@EnabledIfSystemProperty(named = "haechi.answers", matches = ".+", disabledReason = "test_java.py writes the answers")
class KnownAnswerTest {
    @Test
    void answers() throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        for (String line : Files.readAllLines(Path.of(System.getProperty("haechi.answers")))) {
            String[] cells = line.split("\t", -1);
            byte[][] bytes = new byte[5][];
            for (int i = 0; i < 5; i++) bytes[i] = hex(cells[2 + i]);
            boolean valid = cells[7].equals("valid");
            try {
                if (cells[0].contains("MAC")) mac(cells[0], bytes, valid);
                else cipher(cells[0], Integer.parseInt(cells[1]), bytes, valid);
            } catch (Exception | AssertionError failed) {
                throw new AssertionError(cells[0] + ", " + cells[8], failed);
            }
            counts.merge(cells[0] + (valid ? "" : ", refused"), 1, Integer::sum);
        }
        System.out.println(counts);
        assertTrue(counts.size() >= 8, counts.toString());
    }

    private static byte[] hex(String text) {
        byte[] bytes = new byte[text.length() / 2];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
        return bytes;
    }

    private static void mac(String name, byte[][] bytes, boolean valid) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(name, HAECHI);
        mac.init(new SecretKeySpec(bytes[0], "K"));
        byte[] found = Arrays.copyOf(mac.doFinal(bytes[3]), bytes[4].length);
        assertTrue(Arrays.equals(bytes[4], found) == valid);
    }

    private static void cipher(String name, int tagBits, byte[][] bytes, boolean valid) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(name, HAECHI);
        SecretKeySpec key = new SecretKeySpec(bytes[0], "K");
        AlgorithmParameterSpec spec = tagBits > 0 ? new GCMParameterSpec(tagBits, bytes[1]) : bytes[1].length > 0 ? new IvParameterSpec(bytes[1]) : null;
        if (!valid) {
            assertThrows(GeneralSecurityException.class, () -> {
                cipher.init(Cipher.DECRYPT_MODE, key, spec);
                if (tagBits > 0) cipher.updateAAD(bytes[2]);
                cipher.doFinal(bytes[4]);
            });
            return;
        }
        cipher.init(Cipher.ENCRYPT_MODE, key, spec);
        if (tagBits > 0) cipher.updateAAD(bytes[2]);
        assertArrayEquals(bytes[4], cipher.doFinal(bytes[3]));
        cipher.init(Cipher.DECRYPT_MODE, key, spec);
        if (tagBits > 0) cipher.updateAAD(bytes[2]);
        assertArrayEquals(bytes[3], cipher.doFinal(bytes[4]));
    }
}
