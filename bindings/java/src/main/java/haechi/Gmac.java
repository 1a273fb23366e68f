// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.MacSpi;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** GMAC: GCM without a text. Each message needs an init, because two messages with one IV would give away the key of the hash. */
final class Gmac extends MacSpi {
    private final Family family;
    private final Context context = new Context();
    private byte[] iv;
    private int tagLength = 16;
    private boolean spent;
    private boolean hasText;

    Gmac(Family family) {
        this.family = family;
    }

    @Override
    protected int engineGetMacLength() {
        return tagLength;
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec params) throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] nonce;
        int tag = 16;
        if (params instanceof IvParameterSpec) {
            nonce = ((IvParameterSpec) params).getIV();
        } else if (params instanceof GCMParameterSpec && ((GCMParameterSpec) params).getTLen() % 8 == 0) {
            nonce = ((GCMParameterSpec) params).getIV();
            tag = ((GCMParameterSpec) params).getTLen() / 8;
        } else {
            throw new InvalidAlgorithmParameterException("GMAC needs an IV, as an IvParameterSpec or a GCMParameterSpec of whole bytes");
        }
        byte[] bytes = family.bytes(key);
        try {
            Context.check(context.setAeadKey(Mode.GCM.ordinal(), family.ordinal(), bytes));
        } finally {
            Bytes.wipe(bytes);
        }
        if (context.begin(nonce, tag) != Context.OK) {
            throw new InvalidAlgorithmParameterException("GMAC has no IV of " + nonce.length + " bytes with a tag of " + 8 * tag + " bits");
        }
        iv = nonce;
        tagLength = tag;
        spent = hasText = false;
    }

    private void ready() {
        if (spent) throw new IllegalStateException("GMAC needs an init for each message");
    }

    @Override
    protected void engineUpdate(byte in) {
        engineUpdate(new byte[] {in}, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] in, int at, int length) {
        add(new Bytes(in, at, length));
    }

    @Override
    protected void engineUpdate(ByteBuffer in) {
        add(Bytes.remaining(in));
        in.position(in.limit());
    }

    private void add(Bytes in) {
        ready();
        if (in.length > 0) Context.check(context.aad(in.array, in.at, in.length));
        hasText = true;
    }

    @Override
    protected byte[] engineDoFinal() {
        ready();
        byte[] tag = new byte[tagLength];
        Context.check(context.tag(tag, 0, tagLength));
        spent = true;
        return tag;
    }

    /** Begins a message anew that has not ended. Mac.doFinal calls this too, after the message's end. */
    @Override
    protected void engineReset() {
        if (!spent && hasText) Context.check(context.begin(iv, tagLength));
        hasText = false;
    }
}
