// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.security.KeyRep;
import java.security.MessageDigest;
import java.util.Locale;
import javax.crypto.SecretKey;

/**
 * A key that can be destroyed, which javax.crypto.spec.SecretKeySpec cannot. Its bytes are zeroed when it is, or when nobody has
 * it any more. The methods are synchronized, so that nobody gets a key of which some bytes are zeroed.
 */
final class SymmetricKey implements SecretKey {
    private static final long serialVersionUID = 1;

    private final String algorithm;
    private final transient byte[] bytes;
    private transient volatile boolean destroyed;

    /** The caller keeps, and wipes, its own copy of the bytes. */
    SymmetricKey(String algorithm, byte[] encoded) {
        this.algorithm = algorithm;
        byte[] own = encoded.clone();
        bytes = own;
        Context.CLEANER.register(this, () -> Bytes.wipe(own));
    }

    @Override
    public String getAlgorithm() {
        return algorithm;
    }

    @Override
    public String getFormat() {
        return "RAW";
    }

    @Override
    public synchronized byte[] getEncoded() {
        if (destroyed) throw new IllegalStateException("the key was destroyed");
        return bytes.clone();
    }

    @Override
    public synchronized void destroy() {
        destroyed = true;
        Bytes.wipe(bytes);
    }

    @Override
    public boolean isDestroyed() {
        return destroyed;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) return true;
        if (!(other instanceof SecretKey) || !algorithm.equalsIgnoreCase(((SecretKey) other).getAlgorithm())) return false;
        if (destroyed || ((SecretKey) other).isDestroyed()) return false;
        byte[] mine = getEncoded();
        byte[] others = ((SecretKey) other).getEncoded();
        try {
            return MessageDigest.isEqual(mine, others);
        } finally {
            Bytes.wipe(mine);
            if (others != null) Bytes.wipe(others);
        }
    }

    /** As SecretKeySpec computes it, to which a key may be equal. */
    @Override
    public int hashCode() {
        int code = 0;
        for (int i = 1; i < bytes.length; i++) code += bytes[i] * i;
        return code ^ algorithm.toLowerCase(Locale.ENGLISH).hashCode();
    }

    /** Without the bytes. */
    @Override
    public String toString() {
        return algorithm + " key of " + 8 * bytes.length + " bits" + (destroyed ? ", destroyed" : "");
    }

    private Object writeReplace() {
        return new KeyRep(KeyRep.Type.SECRET, algorithm, "RAW", getEncoded());
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("keys are read as java.security.KeyRep");
    }
}
