// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;

/** What all ciphers share: they translate arrays and buffers to {@link Bytes}, and wrap keys of all kinds. */
abstract class BaseCipher extends CipherSpi {
    final Family family;
    final Mode mode;
    final Context context = new Context();
    boolean encrypts;

    BaseCipher(Family family, Mode mode) {
        this.family = family;
        this.mode = mode;
    }

    // ---- What a kind of cipher does.

    /** Initialises; params may be null. An exception leaves the cipher without a key. */
    abstract void init(Key key, AlgorithmParameterSpec params, SecureRandom random) throws InvalidKeyException, InvalidAlgorithmParameterException;

    /** How many bytes the next update writes, of so many. */
    abstract int updateSize(int length);

    /** How many bytes doFinal writes at most. */
    abstract int finalSize(int length);

    /** Returns how many bytes it wrote. An exception has changed nothing. */
    abstract int update(Bytes in, Bytes out) throws ShortBufferException;

    /** Returns how many bytes it wrote. A ShortBufferException has changed nothing, any other one ends the message. */
    abstract int finish(Bytes in, Bytes out) throws ShortBufferException, IllegalBlockSizeException, BadPaddingException;

    /** The parameters as a specification, null if there are none. */
    abstract AlgorithmParameterSpec spec();

    /** The name of these parameters in this provider. */
    abstract String parametersName();

    /** Reads the parameters that the mode has. */
    abstract AlgorithmParameterSpec specOf(AlgorithmParameters params) throws InvalidAlgorithmParameterException;

    static void need(Bytes out, int size) throws ShortBufferException {
        if (out.length < size) throw new ShortBufferException("the output takes " + size + " bytes, and there is room for " + Math.max(0, out.length));
    }

    /** The sum of two lengths. */
    static int sum(int a, int b) {
        if (a > Integer.MAX_VALUE - b) throw new IllegalArgumentException("the message is longer than an array can be");
        return a + b;
    }

    // ---- Initialisation.

    @Override
    protected void engineSetMode(String name) throws NoSuchAlgorithmException {
        throw new NoSuchAlgorithmException("Haechi: " + family + " has no mode " + name);
    }

    @Override
    protected void engineSetPadding(String name) throws NoSuchPaddingException {
        throw new NoSuchPaddingException("Haechi: " + family + "/" + mode + " has no padding " + name);
    }

    @Override
    protected void engineInit(int opmode, Key key, AlgorithmParameterSpec params, SecureRandom random)
        throws InvalidKeyException, InvalidAlgorithmParameterException {
        encrypts = opmode == Cipher.ENCRYPT_MODE || opmode == Cipher.WRAP_MODE;
        init(key, params, random);
    }

    @Override
    protected void engineInit(int opmode, Key key, SecureRandom random) throws InvalidKeyException {
        try {
            engineInit(opmode, key, (AlgorithmParameterSpec) null, random);
        } catch (InvalidAlgorithmParameterException missing) {
            throw new InvalidKeyException(missing.getMessage(), missing);
        }
    }

    @Override
    protected void engineInit(int opmode, Key key, AlgorithmParameters params, SecureRandom random)
        throws InvalidKeyException, InvalidAlgorithmParameterException {
        engineInit(opmode, key, params == null ? null : specOf(params), random);
    }

    @Override
    protected int engineGetBlockSize() {
        return family.block;
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        byte[] bytes = family.bytes(key);
        Bytes.wipe(bytes);
        return 8 * bytes.length;
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        AlgorithmParameterSpec spec = spec();
        return spec == null ? null : HaechiProvider.parameters(parametersName(), spec);
    }

    // ---- Text.

    @Override
    protected int engineGetOutputSize(int length) {
        return finalSize(length);
    }

    @Override
    protected byte[] engineUpdate(byte[] in, int at, int length) {
        byte[] out = new byte[updateSize(length)];
        try {
            update(new Bytes(in, at, length), new Bytes(out, 0, out.length));
        } catch (ShortBufferException impossible) {
            throw new AssertionError(impossible);
        }
        return out;
    }

    @Override
    protected int engineUpdate(byte[] in, int at, int length, byte[] out, int outAt) throws ShortBufferException {
        return update(new Bytes(in, at, length), new Bytes(out, outAt, out.length - outAt));
    }

    @Override
    protected int engineUpdate(ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        int wrote = update(Bytes.remaining(in), Bytes.remaining(out));
        in.position(in.limit());
        out.position(out.position() + wrote);
        return wrote;
    }

    @Override
    protected byte[] engineDoFinal(byte[] in, int at, int length) throws IllegalBlockSizeException, BadPaddingException {
        byte[] out = new byte[finalSize(length)];
        int wrote;
        try {
            wrote = finish(new Bytes(in, at, length), new Bytes(out, 0, out.length));
        } catch (ShortBufferException impossible) {
            throw new AssertionError(impossible);
        }
        if (wrote == out.length) return out;
        byte[] exact = Arrays.copyOf(out, wrote);
        Bytes.wipe(out);
        return exact;
    }

    @Override
    protected int engineDoFinal(byte[] in, int at, int length, byte[] out, int outAt)
        throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        return finish(new Bytes(in, at, length), new Bytes(out, outAt, out.length - outAt));
    }

    @Override
    protected int engineDoFinal(ByteBuffer in, ByteBuffer out) throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int wrote = finish(Bytes.remaining(in), Bytes.remaining(out));
        in.position(in.limit());
        out.position(out.position() + wrote);
        return wrote;
    }

    // ---- Keys of others.

    @Override
    protected byte[] engineWrap(Key key) throws IllegalBlockSizeException, InvalidKeyException {
        byte[] encoded = key.getEncoded();
        if (encoded == null || encoded.length == 0) throw new InvalidKeyException("the key to be wrapped has no encoding");
        try {
            return engineDoFinal(encoded, 0, encoded.length);
        } catch (BadPaddingException impossible) {
            throw new AssertionError(impossible);
        } finally {
            Bytes.wipe(encoded);
        }
    }

    @Override
    protected Key engineUnwrap(byte[] wrapped, String algorithm, int type) throws InvalidKeyException, NoSuchAlgorithmException {
        byte[] encoded;
        try {
            encoded = engineDoFinal(wrapped, 0, wrapped.length);
        } catch (IllegalBlockSizeException | BadPaddingException forged) {
            throw new InvalidKeyException("the key could not be unwrapped: " + forged.getMessage(), forged);
        }
        try {
            switch (type) {
                case Cipher.SECRET_KEY: return new SymmetricKey(algorithm, encoded);
                case Cipher.PUBLIC_KEY: return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
                case Cipher.PRIVATE_KEY: return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                default: throw new InvalidKeyException("there is no such type of key: " + type);
            }
        } catch (InvalidKeySpecException | IllegalArgumentException other) {
            throw new InvalidKeyException("what was wrapped is no such key", other);
        } finally {
            Bytes.wipe(encoded);
        }
    }
}
