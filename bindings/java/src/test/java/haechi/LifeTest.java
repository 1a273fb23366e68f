// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static haechi.Reference.HAECHI;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Threads, the garbage collector, and what they do to native memory. */
class LifeTest {
    private static final boolean ALL = "all".equals(System.getProperty("haechi.tests"));
    private static final SecretKey KEY = new SecretKeySpec(new byte[32], "LEA");

    private static byte[] message(int thread, int i) throws Exception {
        Cipher c = Cipher.getInstance("LEA/GCM/NoPadding", HAECHI);
        c.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[] {(byte) thread, (byte) i, (byte) (i >> 8), 0, 0, 0, 0, 0, 0, 0, 0, 0}));
        byte[] sealed = c.doFinal(new byte[i % 5000]);
        c.init(Cipher.DECRYPT_MODE, KEY, c.getParameters());
        assertEquals(i % 5000, c.doFinal(sealed).length);
        return sealed;
    }

    private static void inThreads(int count, Callable<Object> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<Object>> done = new ArrayList<>();
            for (int i = 0; i < count; i++) done.add(threads.submit(task));
            for (Future<Object> one : done) one.get();
        } finally {
            threads.shutdown();
        }
    }

    /** The collector runs all the time, moves arrays, and ends contexts. */
    @Test
    void threadsWithAnEagerCollector() throws Exception {
        AtomicReference<byte[]> garbage = new AtomicReference<>();
        inThreads(4, () -> {
            int thread = (int) Thread.currentThread().getId();
            for (int i = 0; i < (ALL ? 20_000 : 1_000); i++) {
                message(thread, i);
                garbage.set(new byte[100_000]);
                if (i % 500 == 0) System.gc();
            }
            return null;
        });
    }

    /** Threads that share a Cipher get nothing useful, but they read and write their own arrays alone. */
    @Test
    void aCipherThatIsSharedWronglyDoesNoHarm() throws Exception {
        for (String name : new String[] {"LEA/GCM/NoPadding", "ARIA/CCM/NoPadding", "LEA/CBC/PKCS5Padding", "HIGHT/CTR/NoPadding", "ARIAWRAPPAD"}) {
            Cipher shared = Cipher.getInstance(name, HAECHI);
            SecretKey key = new SecretKeySpec(new byte[16], "K");
            shared.init(Cipher.ENCRYPT_MODE, key);
            Mac mac = Mac.getInstance("ARIA-CMAC", HAECHI);
            mac.init(key);
            inThreads(4, () -> {
                Random random = new Random();
                for (int i = 0; i < (ALL ? 50_000 : 3_000); i++) {
                    try {
                        int what = random.nextInt(6);
                        if (what == 0) shared.init(1 + random.nextInt(2), key, name.contains("CBC") ? new IvParameterSpec(new byte[16]) : null);
                        else if (what == 1) shared.updateAAD(new byte[random.nextInt(50)]);
                        else if (what == 2) shared.doFinal(new byte[random.nextInt(500)]);
                        else if (what == 3) shared.doFinal(new byte[16], 0, 16, new byte[random.nextInt(50)], 0);
                        else if (what == 4) mac.update(new byte[random.nextInt(50)]);
                        else shared.update(new byte[random.nextInt(500)]);
                    } catch (Exception | AssertionError whatever) {
                        // any exception may come, but the virtual machine lives
                    }
                }
                return null;
            });
            assertEquals(16, mac.doFinal().length);
        }
    }

    private static void drop(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            Cipher.getInstance("ARIA/GCM/NoPadding", HAECHI).init(Cipher.ENCRYPT_MODE, KEY);
            Mac.getInstance("HIGHT-CMAC", HAECHI).init(new SecretKeySpec(new byte[16], "HIGHT"));
        }
    }

    @Test
    void nativeMemoryIsFreedWhenNobodyHasIt() throws Exception {
        Cipher kept = Cipher.getInstance("LEA/CTR/NoPadding", HAECHI);
        kept.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[16]));
        int before = Context.living();
        drop(5000);
        for (int i = 0; i < 200 && Context.living() > before; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertTrue(Context.living() <= before, Context.living() + " contexts, of " + before + " before");
        assertArrayEquals(message(1, 100), message(1, 100));
        assertNotNull(kept.doFinal(new byte[100]));
    }

    /** A finalizer may use a Cipher whose context has become unreachable with it. */
    @Test
    void aFinalizerUsesACipher() throws Exception {
        AtomicReference<Object> said = new AtomicReference<>();
        new Late(said);
        for (int i = 0; i < 200 && said.get() == null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertNotNull(said.get());
        assertTrue(said.get() instanceof byte[], String.valueOf(said.get()));
    }

    private static final class Late {
        private final AtomicReference<Object> said;
        private final Cipher cipher;

        Late(AtomicReference<Object> said) throws Exception {
            this.said = said;
            cipher = Cipher.getInstance("LEA/CTR/NoPadding", HAECHI);
            cipher.init(Cipher.ENCRYPT_MODE, KEY, new IvParameterSpec(new byte[16]));
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            try {
                said.set(cipher.doFinal(new byte[1000]));
            } catch (Throwable thrown) {
                said.set(thrown);
            }
        }
    }
}
