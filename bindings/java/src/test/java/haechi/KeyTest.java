// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static haechi.Reference.HAECHI;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.InvalidKeySpecException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class KeyTest {
    private static SecretKey key(String family) throws Exception {
        return KeyGenerator.getInstance(family, HAECHI).generateKey();
    }

    @Test
    void generatorsMakeKeysOfTheSizesThatACipherHas() throws Exception {
        for (Family family : Family.values()) {
            KeyGenerator generator = KeyGenerator.getInstance(family.name(), HAECHI);
            assertEquals(family == Family.HIGHT ? 16 : 32, generator.generateKey().getEncoded().length);
            for (int bits = 0; bits < 300; bits++) {
                int size = bits;
                if (family.takes(bits)) {
                    generator.init(bits);
                    assertEquals(bits / 8, generator.generateKey().getEncoded().length);
                } else {
                    assertThrows(InvalidParameterException.class, () -> generator.init(size));
                }
            }
            assertThrows(InvalidAlgorithmParameterException.class, () -> generator.init(new IvParameterSpec(new byte[16])));
            assertNotEquals(generator.generateKey(), generator.generateKey());
            generator.init(128, new SecureRandom() {
                private static final long serialVersionUID = 1;

                @Override
                public void nextBytes(byte[] bytes) {
                    java.util.Arrays.fill(bytes, (byte) 7);
                }
            });
            assertEquals(7, generator.generateKey().getEncoded()[15]);
        }
        assertEquals(24, KeyGenerator.getInstance("1.2.410.200046.1.1.35", HAECHI).generateKey().getEncoded().length);
    }

    @Test
    void aKeyThatWasDestroyedIsGone() throws Exception {
        for (String family : new String[] {"LEA", "HIGHT", "ARIA"}) {
            SecretKey key = key(family);
            assertEquals("RAW", key.getFormat());
            assertEquals(family, key.getAlgorithm());
            Cipher c = Cipher.getInstance(family + "/EAX/NoPadding", HAECHI);
            c.init(Cipher.ENCRYPT_MODE, key);
            key.destroy();
            assertTrue(key.isDestroyed());
            assertThrows(IllegalStateException.class, key::getEncoded);
            assertThrows(InvalidKeyException.class, () -> c.init(Cipher.ENCRYPT_MODE, key));
            Mac mac = Mac.getInstance(family + "-CMAC", HAECHI);
            assertThrows(InvalidKeyException.class, () -> mac.init(key));
            assertFalse(key.equals(key(family)));
        }
    }

    @Test
    void destroyZeroesTheBytes() throws Exception {
        SymmetricKey key = new SymmetricKey("LEA", new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        java.lang.reflect.Field field = SymmetricKey.class.getDeclaredField("bytes");
        field.setAccessible(true);
        key.destroy();
        assertArrayEquals(new byte[16], (byte[]) field.get(key));
        assertFalse(key.toString().contains("1, 2"));
    }

    /** The bytes are zeroed when the garbage collector finds that nobody has the key. */
    @Test
    void aKeyThatNobodyHasIsZeroed() throws Exception {
        java.lang.reflect.Field field = SymmetricKey.class.getDeclaredField("bytes");
        field.setAccessible(true);
        byte[] bytes = (byte[]) field.get(new SymmetricKey("LEA", new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
        for (int i = 0; i < 200 && bytes[0] != 0; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertArrayEquals(new byte[16], bytes);
    }

    @Test
    void keysAreEqualToThoseOfTheJdk() throws Exception {
        SecretKey key = key("ARIA");
        SecretKey same = new SecretKeySpec(key.getEncoded(), "ARIA");
        assertEquals(key, same);
        assertEquals(same, key);
        assertEquals(same.hashCode(), key.hashCode());
        assertNotEquals(key, new SecretKeySpec(key.getEncoded(), "LEA"));
        SecretKeyFactory factory = SecretKeyFactory.getInstance("ARIA", HAECHI);
        assertEquals(same, factory.generateSecret((SecretKeySpec) same));
        assertEquals(same, factory.getKeySpec(key, SecretKeySpec.class));
        SecretKey own = factory.translateKey(same);
        own.destroy();
        assertNotEquals(key, own);
        assertEquals(key, same);
        assertThrows(InvalidKeySpecException.class, () -> factory.generateSecret(new SecretKeySpec(new byte[15], "ARIA")));
    }

    @Test
    void keysAreWrittenAndRead() throws Exception {
        SecretKey key = key("LEA");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(key);
        assertEquals(key, new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject());
    }
}
