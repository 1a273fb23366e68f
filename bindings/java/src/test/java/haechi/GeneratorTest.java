// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static haechi.Reference.HAECHI;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.DrbgParameters;
import java.security.DrbgParameters.Capability;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GeneratorTest {
    private static final String NAME = "CTR-DRBG-LEA256";

    @Test
    void bytesAreRandomAndOfAnyNumber() throws Exception {
        SecureRandom random = SecureRandom.getInstance(NAME, HAECHI);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) seen.add(random.nextLong());
        assertEquals(10_000, seen.size());
        for (int size : new int[] {0, 1, 4095, 4096, 4097, 200_000}) {
            byte[] bytes = new byte[size];
            random.nextBytes(bytes);
            int ones = BitSet.valueOf(bytes).cardinality();
            assertTrue(Math.abs(ones - 4.0 * size) < 6 * Math.sqrt(2.0 * size) + 1, size + " bytes, " + ones + " ones");
        }
        assertEquals(NAME, random.getAlgorithm());
        assertEquals(33, random.generateSeed(33).length);
    }

    /** A seed is mixed in: it takes nothing away, and does not make a sequence that comes again. */
    @Test
    void seedsAreAdded() throws Exception {
        byte[][] read = new byte[2][32];
        for (byte[] bytes : read) {
            SecureRandom random = SecureRandom.getInstance(NAME, HAECHI);
            random.setSeed(1);
            random.setSeed(new byte[100]);
            random.nextBytes(bytes);
        }
        assertFalse(Arrays.equals(read[0], read[1]));
    }

    @Test
    void parametersOfTheStandardAreTaken() throws Exception {
        byte[] person = "meter 17".getBytes();
        SecureRandom plain = SecureRandom.getInstance(NAME, DrbgParameters.instantiation(256, Capability.RESEED_ONLY, person), HAECHI);
        DrbgParameters.Instantiation told = (DrbgParameters.Instantiation) plain.getParameters();
        assertEquals(256, told.getStrength());
        assertEquals(Capability.RESEED_ONLY, told.getCapability());
        plain.nextBytes(new byte[10], DrbgParameters.nextBytes(128, false, person));
        plain.reseed();
        plain.reseed(DrbgParameters.reseed(false, person));
        assertThrows(IllegalArgumentException.class, () -> plain.nextBytes(new byte[10], DrbgParameters.nextBytes(-1, true, null)));
        assertThrows(IllegalArgumentException.class, () -> plain.nextBytes(new byte[10], DrbgParameters.nextBytes(-1, false, new byte[65537])));
        assertThrows(IllegalArgumentException.class, () -> plain.nextBytes(new byte[10], DrbgParameters.reseed(false, null)));

        SecureRandom resists = SecureRandom.getInstance(NAME, DrbgParameters.instantiation(-1, Capability.PR_AND_RESEED, null), HAECHI);
        for (int i = 0; i < 3; i++) {
            resists.nextBytes(new byte[10_000]);
            resists.nextBytes(new byte[10], DrbgParameters.nextBytes(256, true, person));
        }
        assertThrows(NoSuchAlgorithmException.class, () -> SecureRandom.getInstance(NAME, DrbgParameters.instantiation(257, Capability.NONE, null), HAECHI));
    }
}
