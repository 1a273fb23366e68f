// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.BufferedBlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.DefaultBufferedBlockCipher;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.modes.AEADBlockCipher;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.modes.CCMBlockCipher;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.EAXBlockCipher;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.OFBBlockCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.paddings.PaddedBufferedBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * What Bouncy Castle makes of a message. It has ARIA; for LEA and HIGHT, which it lacks, its modes run over our single blocks,
 * which known answers test.
 */
final class Reference {
    static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    static final Provider HAECHI = new HaechiProvider();

    private Reference() {}

    /** The ciphertext, of an AEAD with its tag. */
    static byte[] encrypt(Family family, Mode mode, boolean pads, byte[] key, byte[] iv, int tagBits, byte[] aad, byte[] text) throws Exception {
        return family == Family.ARIA ? byName(mode, pads, key, iv, tagBits, aad, text) : byMode(family, mode, pads, key, iv, tagBits, aad, text);
    }

    private static byte[] byName(Mode mode, boolean pads, byte[] key, byte[] iv, int tagBits, byte[] aad, byte[] text) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("ARIA/" + mode + (pads ? "/PKCS5Padding" : "/NoPadding"), BOUNCY_CASTLE);
        SecretKeySpec secret = new SecretKeySpec(key, "ARIA");
        if (mode == Mode.ECB) {
            cipher.init(Cipher.ENCRYPT_MODE, secret);
        } else if (mode.isAead()) {
            cipher.init(Cipher.ENCRYPT_MODE, secret, new GCMParameterSpec(tagBits, iv));
            cipher.updateAAD(aad);
        } else {
            cipher.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(iv));
        }
        return cipher.doFinal(text);
    }

    private static byte[] byMode(Family family, Mode mode, boolean pads, byte[] key, byte[] iv, int tagBits, byte[] aad, byte[] text) throws InvalidCipherTextException {
        BlockCipher engine = new Engine(family);
        int bits = 8 * family.block;
        byte[] out;
        int size;
        if (mode.isAead()) {
            AEADBlockCipher aead = mode == Mode.GCM ? GCMBlockCipher.newInstance(engine) : mode == Mode.CCM ? CCMBlockCipher.newInstance(engine) : new EAXBlockCipher(engine);
            aead.init(true, new AEADParameters(new KeyParameter(key), tagBits, iv, aad));
            out = new byte[aead.getOutputSize(text.length)];
            size = aead.processBytes(text, 0, text.length, out, 0);
            size += aead.doFinal(out, size);
            return Arrays.copyOf(out, size);
        }
        BlockCipher chained = mode == Mode.ECB ? engine
            : mode == Mode.CBC ? CBCBlockCipher.newInstance(engine)
            : mode == Mode.CTR ? SICBlockCipher.newInstance(engine)
            : mode == Mode.OFB ? new OFBBlockCipher(engine, bits)
            : CFBBlockCipher.newInstance(engine, mode == Mode.CFB8 ? 8 : bits);
        BufferedBlockCipher buffered = pads ? new PaddedBufferedBlockCipher(chained) : new DefaultBufferedBlockCipher(chained);
        CipherParameters params = new KeyParameter(key);
        buffered.init(true, mode == Mode.ECB ? params : new ParametersWithIV(params, iv));
        out = new byte[buffered.getOutputSize(text.length)];
        size = buffered.processBytes(text, 0, text.length, out, 0);
        size += buffered.doFinal(out, size);
        return Arrays.copyOf(out, size);
    }

    static byte[] cmac(Family family, byte[] key, byte[] text) {
        CMac mac = new CMac(family == Family.ARIA ? new org.bouncycastle.crypto.engines.ARIAEngine() : new Engine(family));
        mac.init(new KeyParameter(key));
        mac.update(text, 0, text.length);
        byte[] tag = new byte[family.block];
        mac.doFinal(tag, 0);
        return tag;
    }

    static byte[] gmac(byte[] key, byte[] iv, byte[] text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("ARIA-GMAC", BOUNCY_CASTLE);
        mac.init(new SecretKeySpec(key, "ARIA"), new IvParameterSpec(iv));
        return mac.doFinal(text);
    }

    /** Single blocks by this provider, as Bouncy Castle's modes want them. */
    static final class Engine implements BlockCipher {
        private final Family family;
        private Cipher cipher;

        Engine(Family family) {
            this.family = family;
        }

        @Override
        public void init(boolean encrypts, CipherParameters params) {
            if (params == null) return; // the key stays
            try {
                cipher = Cipher.getInstance(family + "/ECB/NoPadding", HAECHI);
                cipher.init(encrypts ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, new SecretKeySpec(((KeyParameter) params).getKey(), family.name()));
            } catch (GeneralSecurityException impossible) {
                throw new AssertionError(impossible);
            }
        }

        @Override
        public String getAlgorithmName() {
            return family.name();
        }

        @Override
        public int getBlockSize() {
            return family.block;
        }

        @Override
        public int processBlock(byte[] in, int at, byte[] out, int outAt) {
            try {
                return cipher.update(in, at, family.block, out, outAt);
            } catch (GeneralSecurityException impossible) {
                throw new AssertionError(impossible);
            }
        }

        @Override
        public void reset() {}
    }
}
