// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;

/** The modes without authentication: ECB, CBC, CTR, OFB, CFB and CFB8. */
final class PlainCipher extends BaseCipher {
    private final boolean pads;
    private final int block;
    /** ECB, CBC: the bytes that wait for the rest of their block, or that may be padding. */
    private final byte[] held;
    private int waiting;
    private byte[] iv;

    PlainCipher(Family family, Mode mode, boolean pads) {
        super(family, mode);
        this.pads = pads;
        block = family.block;
        held = new byte[block];
    }

    // ---- Initialisation.

    @Override
    void init(Key key, AlgorithmParameterSpec params, SecureRandom random) throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] begin = mode == Mode.ECB ? none(params) : params == null ? fresh(random) : ivOf(params);
        byte[] bytes = family.bytes(key);
        try {
            Context.check(context.setKey(family.ordinal(), !encrypts && mode.hasBlocks(), bytes));
        } finally {
            Bytes.wipe(bytes);
        }
        iv = begin;
        reset();
    }

    private static byte[] none(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
        if (params != null) throw new InvalidAlgorithmParameterException("ECB takes no parameters");
        return null;
    }

    private byte[] fresh(SecureRandom random) throws InvalidAlgorithmParameterException {
        if (!encrypts) throw new InvalidAlgorithmParameterException("decryption needs an IV, as an IvParameterSpec");
        return HaechiProvider.randomBytes(random, block);
    }

    private byte[] ivOf(AlgorithmParameterSpec params) throws InvalidAlgorithmParameterException {
        if (!(params instanceof IvParameterSpec)) throw new InvalidAlgorithmParameterException(mode + " takes an IvParameterSpec");
        byte[] given = ((IvParameterSpec) params).getIV();
        if (given.length != block) {
            throw new InvalidAlgorithmParameterException("the IV of " + family + "/" + mode + " has " + block + " bytes, this one has " + given.length);
        }
        return given;
    }

    @Override
    AlgorithmParameterSpec specOf(AlgorithmParameters params) throws InvalidAlgorithmParameterException {
        try {
            return params.getParameterSpec(IvParameterSpec.class);
        } catch (InvalidParameterSpecException other) {
            throw new InvalidAlgorithmParameterException("these parameters have no IV", other);
        }
    }

    @Override
    AlgorithmParameterSpec spec() {
        return iv == null ? null : new IvParameterSpec(iv);
    }

    @Override
    String parametersName() {
        return family.name();
    }

    @Override
    protected byte[] engineGetIV() {
        return iv == null ? null : iv.clone();
    }

    /** Where the last initialisation left it. */
    private void reset() {
        Bytes.wipe(held);
        waiting = 0;
        if (iv != null) context.setIv(iv);
    }

    // ---- Text.

    /** The whole blocks of what is held and of so many bytes more. Decryption keeps the last one, which may be padding. */
    @Override
    int updateSize(int length) {
        if (!mode.hasBlocks()) return length;
        int all = sum(waiting, length);
        int whole = all - all % block;
        return pads && !encrypts && whole == all && whole > 0 ? whole - block : whole;
    }

    @Override
    int finalSize(int length) {
        int all = sum(waiting, length);
        return pads && encrypts ? sum(all, block - all % block) : all;
    }

    @Override
    int update(Bytes in, Bytes out) throws ShortBufferException {
        int size = updateSize(in.length);
        need(out, size);
        process(apart(in, out, size), out, size);
        return size;
    }

    /** The input, or a copy of it where the output would overwrite it before it is read. */
    private Bytes apart(Bytes in, Bytes out, int size) {
        return in.overlaps(out, size) && !(waiting == 0 && in.coincides(out)) ? in.copy() : in;
    }

    /** Writes size bytes and keeps the rest of the input. */
    private void process(Bytes in, Bytes out, int size) {
        int what = mode.plain() + (encrypts ? 0 : Context.DECRYPTS);
        if (waiting > 0 && size > 0) {
            int missing = block - waiting;
            in.first(missing).get(held, waiting);
            Context.check(context.crypt(what, held, 0, out.array, out.at, block));
            in = in.from(missing);
            out = out.from(block);
            size -= block;
            waiting = 0;
        }
        if (size > 0) Context.check(context.crypt(what, in.array, in.at, out.array, out.at, size));
        if (mode.hasBlocks()) {
            Bytes rest = in.from(size);
            rest.get(held, waiting);
            waiting += rest.length;
        }
    }

    @Override
    int finish(Bytes in, Bytes out) throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int all = sum(waiting, in.length);
        if (pads && encrypts) return finishPadding(in, out, all);
        if (!pads) need(out, all);
        if (mode.hasBlocks() && all % block != 0) {
            reset();
            throw new IllegalBlockSizeException("the message has " + all + " bytes, which are not whole blocks of " + block);
        }
        if (pads) return finishUnpadding(in, out, all);
        process(apart(in, out, all), out, all);
        reset();
        return all;
    }

    private int finishPadding(Bytes in, Bytes out, int all) throws ShortBufferException {
        int pad = block - all % block;
        need(out, sum(all, pad));
        process(apart(in, out, all + pad), out, all + pad - block);
        Arrays.fill(held, waiting, block, (byte) pad);
        Bytes last = out.from(all + pad - block);
        Context.check(context.crypt(mode.plain(), held, 0, last.array, last.at, block));
        reset();
        return all + pad;
    }

    /** Decrypts the last block first, so that nothing is written if there is no padding or no room. */
    private int finishUnpadding(Bytes in, Bytes out, int all) throws ShortBufferException, BadPaddingException {
        if (all == 0) { // the JDK answers with an empty message here, which nobody has encrypted
            reset();
            throw new BadPaddingException("the message is empty, and so has no padding");
        }
        byte[] last = new byte[block];
        tail(in, block, last);
        byte[] before = null;
        if (all > block) tail(in, 2 * block, before = new byte[block]);
        Context.check(context.decryptBlock(mode.plain(), before, last));
        int pad = padding(last);
        if (pad == 0) {
            reset();
            throw new BadPaddingException("the message does not end with padding: it is damaged, or the key is another one");
        }
        int size = all - pad;
        need(out, size);
        process(apart(in, out, size), out, all - block);
        out.from(all - block).put(last, block - pad);
        Bytes.wipe(last);
        reset();
        return size;
    }

    /** The block that begins so many bytes before the end of what is held and comes in. */
    private void tail(Bytes in, int before, byte[] to) {
        int start = in.length - before;
        int old = Math.min(block, Math.max(0, -start));
        System.arraycopy(held, waiting + Math.min(0, start), to, 0, old);
        if (old < block) in.from(Math.max(0, start)).first(block - old).get(to, old);
    }

    /** The number of bytes of padding, 0 if they are none. All bytes are compared, so that the time does not tell which differs. */
    private int padding(byte[] last) {
        int pad = last[block - 1] & 0xff;
        int differs = (pad - 1 | block - pad) >> 31;
        for (int i = 0; i < block; i++) {
            int inside = block - pad - 1 - i >> 31;
            differs |= inside & (last[i] & 0xff ^ pad);
        }
        return differs == 0 ? pad : 0;
    }
}
