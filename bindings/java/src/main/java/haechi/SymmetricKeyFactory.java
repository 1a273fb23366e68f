// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.InvalidKeyException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.SecretKeySpec;

/** Makes keys that can be destroyed of those that cannot. */
final class SymmetricKeyFactory extends SecretKeyFactorySpi {
    private final Family family;

    SymmetricKeyFactory(Family family) {
        this.family = family;
    }

    @Override
    protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
        if (!(spec instanceof SecretKeySpec)) throw new InvalidKeySpecException("keys are made of a SecretKeySpec");
        try {
            return engineTranslateKey((SecretKeySpec) spec);
        } catch (InvalidKeyException other) {
            throw new InvalidKeySpecException(other.getMessage(), other);
        }
    }

    @Override
    protected KeySpec engineGetKeySpec(SecretKey key, Class<?> form) throws InvalidKeySpecException {
        if (form == null || !form.isAssignableFrom(SecretKeySpec.class)) throw new InvalidKeySpecException("keys are told as a SecretKeySpec");
        try {
            byte[] bytes = family.bytes(key);
            try {
                return new SecretKeySpec(bytes, family.name());
            } finally {
                Bytes.wipe(bytes);
            }
        } catch (InvalidKeyException other) {
            throw new InvalidKeySpecException(other.getMessage(), other);
        }
    }

    @Override
    protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
        byte[] bytes = family.bytes(key);
        try {
            return new SymmetricKey(family.name(), bytes);
        } finally {
            Bytes.wipe(bytes);
        }
    }
}
