// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** A program that lets the garbage collector free native memory with keys; test_java.py watches what is freed. */
final class Wiping {
    private Wiping() {}

    public static void main(String[] arguments) throws Exception {
        HaechiProvider provider = new HaechiProvider();
        byte[] key = new byte[16];
        for (int i = 0; i < 16; i++) key[i] = (byte) Integer.parseInt(arguments[0].substring(2 * i, 2 * i + 2), 16);
        // Its direct buffers are freed when the collector runs, as the contexts are.
        Messages messages = new Messages("LEA/GCM/NoPadding", 128);
        for (int i = 0; i < 20; i++) messages.seal(new byte[][] {key}, new byte[][] {new byte[12]}, null, new byte[][] {new byte[50]});
        for (int i = 0; i < 200 && Context.living() > 0; i++) {
            System.gc();
            Thread.sleep(20);
        }
        int before = Context.living();
        use(provider, new SecretKeySpec(key, "K"));
        int used = Context.living() - before;
        for (int i = 0; i < 200 && Context.living() > before; i++) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println(used + " contexts, of which " + (Context.living() - before) + " remain");
    }

    private static void use(HaechiProvider provider, SecretKeySpec key) throws Exception {
        for (int i = 0; i < 100; i++) {
            // EAX and the refusal of a second use of an IV keep the key itself, besides what is derived from it.
            Cipher aead = Cipher.getInstance("LEA/EAX/NoPadding", provider);
            aead.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
            aead.doFinal(new byte[100]);
            Mac mac = Mac.getInstance("HIGHT-CMAC", provider);
            mac.init(key);
            mac.doFinal(new byte[10]);
        }
    }
}
