// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.io.IOException;
import java.math.BigInteger;
import java.security.AlgorithmParametersSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * The IV of a cipher, in DER an OCTET STRING; or that of an AEAD with the length of its tag, in DER the GCMParameters and
 * CCMParameters of RFC 5084: SEQUENCE { OCTET STRING, INTEGER DEFAULT 12 }, in bytes.
 */
final class IvParameters extends AlgorithmParametersSpi {
    private static final int OCTETS = 4;
    private static final int NUMBER = 2;
    private static final int SEQUENCE = 0x30;
    private static final int DEFAULT_TAG = 12;

    private final boolean hasTag;
    private byte[] iv;
    private int tagLength;

    IvParameters(boolean hasTag) {
        this.hasTag = hasTag;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        if (!hasTag && spec instanceof IvParameterSpec) {
            iv = ((IvParameterSpec) spec).getIV();
        } else if (hasTag && spec instanceof GCMParameterSpec) {
            GCMParameterSpec given = (GCMParameterSpec) spec;
            if (given.getTLen() % 8 != 0 || given.getTLen() > 128) throw new InvalidParameterSpecException("no tag has " + given.getTLen() + " bits");
            iv = given.getIV();
            tagLength = given.getTLen() / 8;
        } else {
            throw new InvalidParameterSpecException("these parameters take " + (hasTag ? "a GCMParameterSpec" : "an IvParameterSpec"));
        }
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> form) throws InvalidParameterSpecException {
        if (hasTag && form.isAssignableFrom(GCMParameterSpec.class)) return form.cast(new GCMParameterSpec(8 * tagLength, iv));
        if (form.isAssignableFrom(IvParameterSpec.class)) return form.cast(new IvParameterSpec(iv));
        throw new InvalidParameterSpecException("these parameters cannot be told as " + form.getName());
    }

    // ---- DER.

    @Override
    protected byte[] engineGetEncoded() {
        if (!hasTag) return element(OCTETS, iv);
        byte[] nonce = element(OCTETS, iv);
        byte[] tag = tagLength == DEFAULT_TAG ? new byte[0] : element(NUMBER, new byte[] {(byte) tagLength});
        return element(SEQUENCE, joined(nonce, tag));
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        checkFormat(format);
        return engineGetEncoded();
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        if (!hasTag) {
            iv = new Reader(encoded, OCTETS).whole();
            return;
        }
        Reader both = new Reader(encoded, SEQUENCE);
        byte[] content = both.whole();
        Reader nonce = new Reader(content, OCTETS);
        int tag = DEFAULT_TAG;
        if (nonce.end < content.length) {
            byte[] number = new Reader(Arrays.copyOfRange(content, nonce.end, content.length), NUMBER).whole();
            if (number.length != 1 || number[0] <= 0) throw new IOException("these parameters have a tag of no possible length");
            tag = number[0];
        }
        iv = nonce.content();
        tagLength = tag;
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        checkFormat(format);
        engineInit(encoded);
    }

    private static void checkFormat(String format) throws IOException {
        if (format != null && !format.equalsIgnoreCase("ASN.1") && !format.equalsIgnoreCase("RAW")) {
            throw new IOException("parameters are encoded as ASN.1, not as " + format);
        }
    }

    @Override
    protected String engineToString() {
        StringBuilder text = new StringBuilder("IV ");
        for (byte b : iv) text.append(String.format("%02x", b));
        if (hasTag) text.append(", a tag of ").append(8 * tagLength).append(" bits");
        return text.toString();
    }

    private static byte[] joined(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static byte[] element(int type, byte[] content) {
        byte[] head = {(byte) type, (byte) content.length};
        if (content.length >= 0x80) {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            if (length[0] == 0) length = Arrays.copyOfRange(length, 1, length.length); // a length has no sign
            head = joined(new byte[] {(byte) type, (byte) (0x80 + length.length)}, length);
        }
        return joined(head, content);
    }

    /** The first element of some bytes. */
    private static final class Reader {
        private final byte[] bytes;
        private final int start;
        final int end;

        Reader(byte[] bytes, int type) throws IOException {
            this.bytes = bytes;
            if (bytes.length < 2 || (bytes[0] & 0xff) != type) throw new IOException("these bytes do not encode such parameters");
            int n = bytes[1] & 0xff;
            int at = 2;
            if (n >= 0x80) {
                int more = Math.min(n - 0x80, bytes.length - at);
                BigInteger value = new BigInteger(1, Arrays.copyOfRange(bytes, at, at + more));
                boolean shortest = more > 0 && bytes[at] != 0 && value.bitLength() > 7;
                n = shortest && value.bitLength() < 32 ? value.intValue() : -1;
                at += more;
            }
            if (n < 0 || n > bytes.length - at) throw new IOException("the encoding of these parameters is cut short, or not DER");
            start = at;
            end = at + n;
        }

        byte[] content() {
            return Arrays.copyOfRange(bytes, start, end);
        }

        /** The content, where nothing follows. */
        byte[] whole() throws IOException {
            if (end != bytes.length) throw new IOException("something follows these parameters");
            return content();
        }
    }
}
