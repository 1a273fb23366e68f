// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.security.ProviderException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The native memory of one cipher, MAC or generator, with its expanded key, which is wiped and freed when nobody can reach
 * this object any more. It is outside Java's heap because the garbage collector would copy it there.
 *
 * <p>The constructor of the provider has loaded the native library. The methods are synchronized, so that threads that wrongly
 * share a cipher get wrong results and nothing worse. Those that return an int return one of the errors below, or 0 or a count.
 */
final class Context {
    // haechi.h
    static final int OK = 0;
    static final int EKEY = -1;
    static final int ELEN = -2;
    static final int EAUTH = -3;
    static final int EROOM = -4;
    static final int EUSE = -5;
    static final int ELIMIT = -6;
    static final int ERESEED = -7;
    static final int ECPU = -8;
    static final int ETEST = -9;
    // haechi_java.c
    static final int NO_MEMORY = -100;
    /** Added to a mode's number. */
    static final int DECRYPTS = 16;

    static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicInteger LIVING = new AtomicInteger();

    private final long address;

    Context() {
        address = allocate();
        if (address == 0) throw new OutOfMemoryError("Haechi: no native memory");
        LIVING.incrementAndGet();
        CLEANER.register(this, new End(address));
    }

    /** What remains to do; it must not know the context. */
    private static final class End implements Runnable {
        private final long address;

        End(long address) {
            this.address = address;
        }

        @Override
        public void run() {
            release(address);
            LIVING.decrementAndGet();
        }
    }

    /** How many contexts have not been freed. */
    static int living() {
        return LIVING.get();
    }

    /** Passes a result on. Errors that callers have excluded end here. */
    static int check(int result) {
        switch (result) {
            case EKEY: throw new IllegalStateException("Haechi: there is no key");
            case ELEN: throw new ProviderException("Haechi: a length does not fit (HAECHI_ELEN)");
            case EAUTH: throw new ProviderException("Haechi: the message is forged (HAECHI_EAUTH)");
            case EROOM: throw new ProviderException("Haechi: there is no room (HAECHI_EROOM)");
            case EUSE: throw new ProviderException("Haechi: wrong use (HAECHI_EUSE); do two threads share this object?");
            case ELIMIT: throw new ProviderException("Haechi: this is more than one message may have (HAECHI_ELIMIT)");
            case ERESEED: throw new ProviderException("Haechi: the operating system gave no entropy (HAECHI_ERESEED)");
            case ECPU: throw new ProviderException("Haechi: this CPU can run no kernel of the build (HAECHI_ECPU)");
            case ETEST: throw new ProviderException("Haechi: a self-test has failed (HAECHI_ETEST)");
            case NO_MEMORY: throw new OutOfMemoryError("Haechi: no native memory");
            default: return result;
        }
    }

    private static native long allocate();

    private static native void release(long address);

    static native long addressOf(ByteBuffer direct);

    /** Sets the key of all modes but the AEADs. */
    synchronized native int setKey(int family, boolean inverse, byte[] key);

    synchronized native int setAeadKey(int mode, int family, byte[] key);

    /** The key that setAeadKey has set is from now on the one of the last encryption. */
    synchronized native void rememberKey();

    /** Whether this is the key of the last encryption. */
    synchronized native boolean encryptedUnder(byte[] key);

    /** The name of the kernel that runs after setKey. */
    synchronized native String kernel();

    /** Encrypts or decrypts in a mode without authentication. */
    synchronized native int crypt(int mode, byte[] in, long inAt, byte[] out, long outAt, int length);

    synchronized native void setIv(byte[] iv);

    /** Decrypts one block in place, in ECB or CBC. The position stays, and takes the place of `before` if that is null. */
    synchronized native int decryptBlock(int mode, byte[] before, byte[] block);

    /** Returns the length of the result. Out has 15 bytes more than in for wrapping, and as many for unwrapping. */
    synchronized native int wrap(boolean pads, boolean encrypts, byte[] in, int length, byte[] out);

    synchronized native int begin(byte[] iv, int tagLength);

    synchronized native int aad(byte[] aad, long at, int length);

    synchronized native int encrypt(byte[] in, long inAt, byte[] out, long outAt, int length);

    synchronized native int tag(byte[] out, long outAt, int tagLength);

    /** Writes length bytes of text, and then the tag. */
    synchronized native int seal(byte[] iv, byte[] aad, int aadLength, byte[] in, long inAt, int length, byte[] out, long outAt, int tagLength);

    /** Reads length bytes of text, and then the tag. */
    synchronized native int open(byte[] iv, byte[] aad, int aadLength, byte[] in, long inAt, int length, byte[] out, long outAt, int tagLength);

    synchronized native void macReset();

    synchronized native int macUpdate(byte[] in, long at, int length);

    synchronized native int macTag(byte[] tag);

    /**
     * Seals or opens as many messages as there are results. The buffer is direct, and layout says where in it they are, as Messages
     * has it; what becomes of a text takes its place.
     */
    static native int many(int mode, int family, int keyLength, boolean opens, ByteBuffer buffer, int[] layout, int tagLength, byte[] results);

    /** Zeroes all of a direct buffer. */
    static native void wipe(ByteBuffer buffer);

    static native int random(byte[] out);

    synchronized native int generatorInit(boolean predictionResistance, byte[] personalization);

    /** Afresh: the generator that gives the entropy is reseeded before. */
    synchronized native int generatorReseed(boolean afresh, byte[] more);

    synchronized native int generatorRead(byte[] out, byte[] more);

    static native String version();

    static native int selfTest();
}
