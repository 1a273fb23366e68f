// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * GCM, CCM and EAX. Decryption gathers the message, and gives nothing of it before its tag has been verified. Encryption
 * with GCM and EAX writes text as it comes; CCM must know the length of the message first, so that it gathers too.
 */
final class AeadCipher extends BaseCipher {
    /** Bytes of an IV that the cipher chooses. */
    private static final int FRESH = 12;

    private final Gathered aad = new Gathered();
    private final Gathered text = new Gathered();
    private byte[] iv;
    private byte[] lastIv; // of encryption; the context knows its key
    private int tagLength;
    private boolean hasText; // no more associated data may come
    private boolean begun; // the context has the IV and the associated data
    private boolean spent; // the message was encrypted, and the next one needs another IV

    AeadCipher(Family family, Mode mode) {
        super(family, mode);
    }

    // ---- Initialisation.

    @Override
    void init(Key key, AlgorithmParameterSpec params, SecureRandom random) throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] nonce = params == null ? fresh(random) : ivOf(params);
        int tag = tagOf(params);
        byte[] bytes = family.bytes(key);
        try {
            if (encrypts && Arrays.equals(nonce, lastIv) && context.encryptedUnder(bytes)) {
                throw new InvalidAlgorithmParameterException(
                    "this Cipher has begun a message with this key and IV: another one with both would give away the texts");
            }
            Context.check(context.setAeadKey(mode.ordinal(), family.ordinal(), bytes));
        } finally {
            Bytes.wipe(bytes);
        }
        boolean known = iv != null && nonce.length == iv.length && tag == tagLength;
        if (!known && context.begin(nonce, tag) != Context.OK) {
            throw new InvalidAlgorithmParameterException(family + "/" + mode + " has no IV of " + nonce.length + " bytes with a tag of " + 8 * tag + " bits");
        }
        iv = nonce;
        tagLength = tag;
        if (encrypts) {
            lastIv = nonce;
            context.rememberKey();
        }
        spent = false;
        reset();
    }

    private byte[] fresh(SecureRandom random) throws InvalidAlgorithmParameterException {
        if (!encrypts) throw new InvalidAlgorithmParameterException("decryption needs an IV, as a GCMParameterSpec");
        return HaechiProvider.randomBytes(random, FRESH);
    }

    private byte[] ivOf(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
        if (params instanceof GCMParameterSpec) return ((GCMParameterSpec) params).getIV();
        if (params instanceof IvParameterSpec) return ((IvParameterSpec) params).getIV();
        throw new InvalidAlgorithmParameterException(mode + " takes a GCMParameterSpec or an IvParameterSpec");
    }

    /**
     * The bytes of the tag. Where an IvParameterSpec leaves them open they are Bouncy Castle's, 16 for GCM and 8 for CCM and
     * EAX; where there are no parameters at all the tag is as long as a block.
     */
    private int tagOf(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
        if (params instanceof GCMParameterSpec) {
            int bits = ((GCMParameterSpec) params).getTLen();
            if (bits % 8 != 0) throw new InvalidAlgorithmParameterException("a tag of " + bits + " bits is not whole bytes");
            return bits / 8;
        }
        return params == null || mode == Mode.GCM ? family.block : 8;
    }

    @Override
    AlgorithmParameterSpec specOf(AlgorithmParameters params) throws InvalidAlgorithmParameterException {
        try {
            return params.getParameterSpec(GCMParameterSpec.class);
        } catch (InvalidParameterSpecException other) {
            try {
                return params.getParameterSpec(IvParameterSpec.class);
            } catch (InvalidParameterSpecException none) {
                throw new InvalidAlgorithmParameterException("these parameters have no IV", none);
            }
        }
    }

    @Override
    AlgorithmParameterSpec spec() {
        return iv == null ? null : new GCMParameterSpec(8 * tagLength, iv);
    }

    @Override
    String parametersName() {
        return family.name() + mode;
    }

    @Override
    protected byte[] engineGetIV() {
        return iv == null ? null : iv.clone();
    }

    /** Where the last initialisation left it. */
    private void reset() {
        aad.clear();
        text.clear();
        hasText = begun = false;
    }

    private void ready() {
        if (spent) throw new IllegalStateException("this message has ended: encrypting another one needs an init with another IV");
    }

    // ---- Associated data.

    @Override
    protected void engineUpdateAAD(byte[] in, int at, int length) {
        addAad(new Bytes(in, at, length));
    }

    @Override
    protected void engineUpdateAAD(ByteBuffer in) {
        addAad(Bytes.remaining(in));
        in.position(in.limit());
    }

    private void addAad(Bytes in) {
        ready();
        if (hasText) throw new IllegalStateException("associated data must come before the text");
        aad.add(in);
    }

    // ---- Text.

    private boolean gathers() {
        return !encrypts || mode == Mode.CCM;
    }

    @Override
    int updateSize(int length) {
        return gathers() ? 0 : length;
    }

    @Override
    int finalSize(int length) {
        int all = sum(text.size(), length);
        return encrypts ? sum(all, tagLength) : Math.max(0, all - tagLength);
    }

    @Override
    int update(Bytes in, Bytes out) throws ShortBufferException {
        ready();
        if (gathers()) {
            text.add(in);
            hasText = true;
            return 0;
        }
        need(out, in.length);
        hasText = true;
        if (!begun) {
            Context.check(context.begin(iv, tagLength));
            Context.check(context.aad(aad.array(), 0, aad.size()));
            begun = true;
        }
        encrypt(apart(in, out, in.length), out);
        return in.length;
    }

    private static Bytes apart(Bytes in, Bytes out, int size) {
        return in.overlaps(out, size) && !in.coincides(out) ? in.copy() : in;
    }

    private void encrypt(Bytes in, Bytes out) {
        if (in.length > 0) Context.check(context.encrypt(in.array, in.at, out.array, out.at, in.length));
    }

    @Override
    int finish(Bytes in, Bytes out) throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        ready();
        int size = finalSize(in.length);
        if (!encrypts && sum(text.size(), in.length) < tagLength) {
            reset();
            throw new AEADBadTagException("the message is shorter than its tag");
        }
        need(out, size);
        if (text.size() > 0) {
            text.add(in);
            in = new Bytes(text.array(), 0, text.size());
        } else {
            in = apart(in, out, size);
        }
        try {
            if (!encrypts) {
                open(in, out, size);
            } else if (begun) {
                encrypt(in, out);
                Bytes tag = out.from(in.length);
                Context.check(context.tag(tag.array, tag.at, tagLength));
            } else {
                seal(in, out);
            }
        } finally {
            spent = encrypts;
            reset();
        }
        return size;
    }

    private void seal(Bytes in, Bytes out) throws IllegalBlockSizeException {
        int error = context.seal(iv, aad.array(), aad.size(), in.array, in.at, in.length, out.array, out.at, tagLength);
        if (error == Context.ELIMIT) throw new IllegalBlockSizeException("the message is too long for an IV of " + iv.length + " bytes");
        Context.check(error);
    }

    private void open(Bytes in, Bytes out, int size) throws AEADBadTagException {
        int error = context.open(iv, aad.array(), aad.size(), in.array, in.at, size, out.array, out.at, tagLength);
        if (error == Context.EAUTH || error == Context.ELIMIT) {
            throw new AEADBadTagException("the tag does not fit: the message is forged or damaged, or key, IV or associated data are others");
        }
        Context.check(error);
    }
}
