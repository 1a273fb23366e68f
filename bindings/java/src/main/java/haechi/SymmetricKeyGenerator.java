// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;

/** Random keys: of the largest size unless it is told another one, as Bouncy Castle has it. */
final class SymmetricKeyGenerator extends KeyGeneratorSpi {
    private final Family family;
    private int bits;
    private SecureRandom random;

    SymmetricKeyGenerator(Family family) {
        this(family, family.keys[family.keys.length - 1]);
    }

    SymmetricKeyGenerator(Family family, int bits) {
        this.family = family;
        this.bits = bits;
    }

    @Override
    protected void engineInit(SecureRandom random) {
        this.random = random;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec params, SecureRandom random) throws InvalidAlgorithmParameterException {
        throw new InvalidAlgorithmParameterException("a KeyGenerator of " + family + " takes a size or nothing");
    }

    @Override
    protected void engineInit(int bits, SecureRandom random) {
        if (!family.takes(bits)) throw new InvalidParameterException(family.sizes() + ", not " + bits);
        this.bits = bits;
        this.random = random;
    }

    @Override
    protected SecretKey engineGenerateKey() {
        byte[] bytes = HaechiProvider.randomBytes(random, bits / 8);
        try {
            return new SymmetricKey(family.name(), bytes);
        } finally {
            Bytes.wipe(bytes);
        }
    }
}
