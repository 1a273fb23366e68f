// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.MacSpi;

/** CMAC; the tag is as long as a block. */
final class Cmac extends MacSpi {
    private final Family family;
    private final Context context = new Context();

    Cmac(Family family) {
        this.family = family;
    }

    @Override
    protected int engineGetMacLength() {
        return family.block;
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec params) throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (params != null) throw new InvalidAlgorithmParameterException("CMAC takes no parameters");
        byte[] bytes = family.bytes(key);
        try {
            Context.check(context.setKey(family.ordinal(), false, bytes));
        } finally {
            Bytes.wipe(bytes);
        }
        engineReset();
    }

    @Override
    protected void engineUpdate(byte in) {
        engineUpdate(new byte[] {in}, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] in, int at, int length) {
        if (length > 0) Context.check(context.macUpdate(in, at, length));
    }

    @Override
    protected void engineUpdate(ByteBuffer in) {
        Bytes bytes = Bytes.remaining(in);
        if (bytes.length > 0) Context.check(context.macUpdate(bytes.array, bytes.at, bytes.length));
        in.position(in.limit());
    }

    @Override
    protected byte[] engineDoFinal() {
        byte[] tag = new byte[family.block];
        Context.check(context.macTag(tag));
        return tag;
    }

    @Override
    protected void engineReset() {
        context.macReset();
    }
}
