// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi.bench;

import haechi.HaechiProvider;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One message after the other with one Cipher: an init with the same key and another IV, and one call of doFinal from array to array. */
@State(Scope.Thread)
public class Messages {
    /** A transformation and a provider, with @ between them. */
    @Param("ARIA/GCM/NoPadding@Haechi")
    public String side;

    @Param("encrypt")
    public String operation;

    @Param("1024")
    public int bytes;

    private Cipher cipher;
    private int mode;
    private SecretKeySpec key;
    private byte[] iv;
    private byte[] in;
    private byte[] out;
    private boolean aead;

    @Setup
    public void setup() throws Exception {
        for (Provider provider : new Provider[] {new HaechiProvider(), new BouncyCastleProvider()}) Security.addProvider(provider);
        String[] words = side.split("@");
        cipher = Cipher.getInstance(words[0], words[1]);
        key = new SecretKeySpec(new byte[16], words[0].substring(0, words[0].indexOf('/')));
        aead = words[0].contains("/GCM/");
        iv = new byte[aead ? 12 : cipher.getBlockSize()];
        mode = operation.equals("encrypt") ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
        in = new byte[bytes];
        out = new byte[bytes + 16];
        check(words[0]);
        warmUp();
    }

    /**
     * A second of messages of 4096 bytes. The virtual machine compiles what is called often, and a few long messages do not
     * make it compile what processes them.
     */
    private void warmUp() throws Exception {
        byte[] piece = new byte[4096];
        for (long begun = System.nanoTime(); System.nanoTime() - begun < 1_000_000_000L; ) {
            countIv();
            cipher.init(mode, key, spec());
            cipher.doFinal(piece);
        }
    }

    /** A figure of something that encrypts wrongly would be worth nothing. */
    private void check(String transformation) throws Exception {
        cipher.init(Cipher.ENCRYPT_MODE, key, spec());
        byte[] sealed = cipher.doFinal(in);
        Cipher other = Cipher.getInstance(transformation, cipher.getProvider());
        other.init(Cipher.DECRYPT_MODE, key, spec());
        if (!Arrays.equals(in, other.doFinal(sealed))) throw new IllegalStateException(side);
    }

    private AlgorithmParameterSpec spec() {
        return aead ? new GCMParameterSpec(128, iv) : new IvParameterSpec(iv);
    }

    /** Its first 8 bytes count, the first of them fastest. */
    private void countIv() {
        for (int i = 0; i < 8 && ++iv[i] == 0; i++) {
            // the carry goes to the next byte
        }
    }

    @Benchmark
    public int message() throws Exception {
        countIv();
        cipher.init(mode, key, spec());
        return cipher.doFinal(in, 0, bytes, out, 0);
    }
}
