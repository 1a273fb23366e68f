// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;

/** The encoded forms are those of the JDK and of Bouncy Castle. This test needs no native library. */
class IvParametersTest {
    @Test
    void anIvIsAnOctetString() throws Exception {
        for (int size : new int[] {1, 8, 16, 127, 128, 300, 65535, 65536}) {
            byte[] iv = new byte[size];
            new Random(size).nextBytes(iv);
            AlgorithmParameters others = AlgorithmParameters.getInstance("ARIA", new BouncyCastleProvider());
            others.init(new IvParameterSpec(iv));
            IvParameters ours = new IvParameters(false);
            ours.engineInit(new IvParameterSpec(iv));
            assertArrayEquals(others.getEncoded(), ours.engineGetEncoded());
            IvParameters read = new IvParameters(false);
            read.engineInit(others.getEncoded());
            assertArrayEquals(iv, read.engineGetParameterSpec(IvParameterSpec.class).getIV());
        }
    }

    @Test
    void anAeadHasAnIvAndATag() throws Exception {
        for (int size : new int[] {1, 12, 127, 128, 1000}) {
            for (int bits : new int[] {96, 104, 128}) {
                byte[] iv = new byte[size];
                new Random(size).nextBytes(iv);
                GCMParameterSpec spec = new GCMParameterSpec(bits, iv);
                AlgorithmParameters others = AlgorithmParameters.getInstance("GCM", new BouncyCastleProvider());
                others.init(spec);
                IvParameters ours = new IvParameters(true);
                ours.engineInit(spec);
                assertArrayEquals(others.getEncoded(), ours.engineGetEncoded());
                assertArrayEquals(others.getEncoded(), ours.engineGetEncoded("ASN.1"));

                AlgorithmParameters jdk = AlgorithmParameters.getInstance("GCM", "SunJCE");
                jdk.init(spec);
                for (byte[] encoded : new byte[][] {jdk.getEncoded(), others.getEncoded()}) {
                    IvParameters read = new IvParameters(true);
                    read.engineInit(encoded, null);
                    GCMParameterSpec found = read.engineGetParameterSpec(GCMParameterSpec.class);
                    assertArrayEquals(iv, found.getIV());
                    assertEquals(bits, found.getTLen());
                    assertArrayEquals(iv, read.engineGetParameterSpec(IvParameterSpec.class).getIV());
                }
            }
        }
    }

    @Test
    void damagedEncodingsAreRefused() throws Exception {
        IvParameters good = new IvParameters(true);
        good.engineInit(new GCMParameterSpec(128, new byte[200]));
        byte[] encoded = good.engineGetEncoded();
        for (int i = 0; i < encoded.length; i++) {
            byte[] cut = Arrays.copyOf(encoded, i);
            assertThrows(IOException.class, () -> new IvParameters(true).engineInit(cut));
        }
        byte[] more = Arrays.copyOf(encoded, encoded.length + 1);
        assertThrows(IOException.class, () -> new IvParameters(true).engineInit(more));
        for (byte[] longForm : new byte[][] {{4, (byte) 0x81, 2, 0, 0}, {4, (byte) 0x80, 0, 0}, Arrays.copyOf(new byte[] {4, (byte) 0x82, 0, (byte) 200}, 204)}) {
            assertThrows(IOException.class, () -> new IvParameters(false).engineInit(longForm)); // DER would say 04 02, and 04 81 c8
        }
        assertThrows(IOException.class, () -> new IvParameters(false).engineInit(encoded));
        assertThrows(IOException.class, () -> new IvParameters(true).engineInit(encoded, "XML"));
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] any = encoded.clone();
            any[random.nextInt(6)] = (byte) random.nextInt();
            any[random.nextInt(any.length)] = (byte) random.nextInt();
            try {
                new IvParameters(random.nextBoolean()).engineInit(any);
            } catch (IOException expected) {
                // and nothing else
            }
        }
    }

    @Test
    void otherSpecificationsAreRefused() {
        assertThrows(InvalidParameterSpecException.class, () -> new IvParameters(false).engineInit(new GCMParameterSpec(128, new byte[12])));
        assertThrows(InvalidParameterSpecException.class, () -> new IvParameters(true).engineInit(new IvParameterSpec(new byte[12])));
        assertThrows(InvalidParameterSpecException.class, () -> new IvParameters(true).engineInit(new GCMParameterSpec(127, new byte[12])));
        assertThrows(InvalidParameterSpecException.class, () -> new IvParameters(true).engineInit(new GCMParameterSpec(2048, new byte[12])));
    }
}
