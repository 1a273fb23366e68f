// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;

/** Key wrap with and without padding (SP 800-38F), which has no IV. It gathers the key that it wraps or unwraps. */
final class WrapCipher extends BaseCipher {
    private final Gathered text = new Gathered();

    WrapCipher(Family family, Mode mode) {
        super(family, mode);
    }

    @Override
    void init(Key key, AlgorithmParameterSpec params, SecureRandom random) throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (params != null) throw new InvalidAlgorithmParameterException("key wrap takes no parameters");
        byte[] bytes = family.bytes(key);
        try {
            Context.check(context.setKey(family.ordinal(), !encrypts, bytes));
        } finally {
            Bytes.wipe(bytes);
        }
        text.clear();
    }

    @Override
    AlgorithmParameterSpec specOf(AlgorithmParameters params) throws InvalidAlgorithmParameterException {
        throw new InvalidAlgorithmParameterException("key wrap takes no parameters");
    }

    @Override
    AlgorithmParameterSpec spec() {
        return null;
    }

    @Override
    String parametersName() {
        throw new AssertionError();
    }

    @Override
    protected byte[] engineGetIV() {
        return null;
    }

    @Override
    int updateSize(int length) {
        return 0;
    }

    @Override
    int finalSize(int length) {
        int all = sum(text.size(), length);
        if (!encrypts) return Math.max(0, all - 8);
        return mode == Mode.KW ? sum(all, 8) : sum(sum(all, 7) / 8 * 8, 8);
    }

    @Override
    int update(Bytes in, Bytes out) {
        text.add(in);
        return 0;
    }

    @Override
    int finish(Bytes in, Bytes out) throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        need(out, finalSize(in.length));
        text.add(in);
        int length = text.size();
        byte[] made = new byte[encrypts ? sum(length, 15) : length];
        try {
            int size = context.wrap(mode == Mode.KWP, encrypts, text.array(), length, made);
            if (size == Context.ELEN || size == Context.ELIMIT) throw new IllegalBlockSizeException("no " + (encrypts ? "" : "wrapped ") + "key has " + length + " bytes");
            if (size == Context.EAUTH) throw new BadPaddingException("this key was not wrapped under this key");
            out.put(made, Context.check(size));
            return size;
        } finally {
            Bytes.wipe(made);
            text.clear();
        }
    }
}
