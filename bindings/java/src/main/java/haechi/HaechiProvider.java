// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.AlgorithmParameters;
import java.security.InvalidParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The JCE provider "Haechi": the Korean standard block ciphers LEA, HIGHT and ARIA, by the names of Bouncy Castle.
 *
 * <pre>
 * Security.addProvider(new HaechiProvider());
 * Cipher cipher = Cipher.getInstance("ARIA/GCM/NoPadding", "Haechi");
 * </pre>
 *
 * HIGHT is in wire order: byte i of a key or block is MK_i or P_i. The standard prints them reversed.
 */
public final class HaechiProvider extends Provider {
    public static final String NAME = "Haechi";

    private static final long serialVersionUID = 1;
    private static final String ARIA_OID = "1.2.410.200046.1.1."; // RFC 5794 and its registry
    private static final Map<String, String> RAW = Collections.singletonMap("SupportedKeyFormats", "RAW");

    /** Throws UnsatisfiedLinkError, which names what was looked for, if the native library is missing. */
    public HaechiProvider() {
        super(NAME, libraryVersion(), "LEA, HIGHT and ARIA");
        for (Family family : Family.values()) {
            for (Mode mode : Mode.values()) {
                if (mode.takes(family)) addCiphers(family, mode);
            }
            addKeys(family);
            addMacs(family);
            add("AlgorithmParameters", family.name(), IvParameters.class, identifiers(family, Mode.CBC, Mode.CFB, Mode.OFB), p -> new IvParameters(false));
        }
        add("SecureRandom", "CTR-DRBG-LEA256", Generator.class, List.of(), Generator::new, Collections.singletonMap("ThreadSafe", "true"));
    }

    private static String libraryVersion() {
        NativeLibrary.load();
        return Context.version();
    }

    /** Random bytes of the caller's generator, or of our own where there is none. */
    static byte[] randomBytes(SecureRandom random, int length) {
        byte[] bytes = new byte[length];
        if (random == null) {
            Context.check(Context.random(bytes));
        } else {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    /** Parameters of this provider, whether it is installed or not. */
    static AlgorithmParameters parameters(String name, AlgorithmParameterSpec spec) {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance(name, Single.PROVIDER);
            parameters.init(spec);
            return parameters;
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException impossible) {
            throw new ProviderException(impossible);
        }
    }

    private static final class Single {
        static final Provider PROVIDER = new HaechiProvider();
    }

    // ---- The names.

    private void addCiphers(Family family, Mode mode) {
        String name = family + "/" + mode;
        if (mode.isKeyWrap()) {
            String kind = mode == Mode.KW ? "WRAP" : "WRAPPAD";
            List<String> others = identifiers(family, mode);
            Collections.addAll(others, name + "/NoPadding", family.name() + mode);
            add("Cipher", family + kind, WrapCipher.class, others, p -> new WrapCipher(family, mode), RAW);
        } else if (mode.isAead()) {
            List<String> others = identifiers(family, mode);
            others.add(family.name() + mode);
            add("Cipher", name + "/NoPadding", AeadCipher.class, others, p -> new AeadCipher(family, mode), RAW);
            add("AlgorithmParameters", family.name() + mode, IvParameters.class, identifiers(family, mode), p -> new IvParameters(true));
        } else if (mode.hasBlocks()) {
            List<String> others = identifiers(family, mode);
            others.add(name + "/PKCS7Padding");
            if (mode == Mode.ECB) others.add(family.name());
            add("Cipher", name + "/NoPadding", PlainCipher.class, List.of(), p -> new PlainCipher(family, mode, false), RAW);
            add("Cipher", name + "/PKCS5Padding", PlainCipher.class, others, p -> new PlainCipher(family, mode, true), RAW);
        } else {
            List<String> others = identifiers(family, mode);
            if (mode == Mode.OFB || mode == Mode.CFB) others.add(name + 8 * family.block + "/NoPadding");
            add("Cipher", name + "/NoPadding", PlainCipher.class, others, p -> new PlainCipher(family, mode, false), RAW);
        }
    }

    private void addKeys(Family family) {
        add("KeyGenerator", family.name(), SymmetricKeyGenerator.class, List.of(), p -> new SymmetricKeyGenerator(family));
        for (int bits : family.keys) {
            List<String> names = new ArrayList<>();
            for (Mode mode : Mode.values()) names.addAll(identifiers(family, mode, bits));
            if (names.isEmpty()) continue;
            String first = names.remove(0);
            add("KeyGenerator", first, SymmetricKeyGenerator.class, names, p -> new SymmetricKeyGenerator(family, bits));
        }
        add("SecretKeyFactory", family.name(), SymmetricKeyFactory.class, identifiers(family, Mode.CBC), p -> new SymmetricKeyFactory(family));
    }

    private void addMacs(Family family) {
        add("Mac", family + "-CMAC", Cmac.class, List.of(family + "CMAC"), p -> new Cmac(family), RAW);
        if (Mode.GCM.takes(family)) add("Mac", family + "-GMAC", Gmac.class, List.of(family + "GMAC"), p -> new Gmac(family), RAW);
    }

    /** The object identifiers of modes with keys of all sizes; only those of ARIA are known. */
    private static List<String> identifiers(Family family, Mode... modes) {
        List<String> found = new ArrayList<>();
        for (Mode mode : modes) {
            for (int bits : family.keys) found.addAll(identifiers(family, mode, bits));
        }
        return found;
    }

    private static List<String> identifiers(Family family, Mode mode, int bits) {
        if (family != Family.ARIA) return List.of();
        int size = bits / 64 - 2;
        int last;
        switch (mode) {
            case ECB: last = 1 + 5 * size; break;
            case CBC: last = 2 + 5 * size; break;
            case CFB: last = 3 + 5 * size; break;
            case OFB: last = 4 + 5 * size; break;
            case CTR: last = 5 + 5 * size; break;
            case GCM: last = 34 + size; break;
            case CCM: last = 37 + size; break;
            case KW: last = 40 + size; break;
            case KWP: last = 43 + size; break;
            default: return List.of();
        }
        return List.of(ARIA_OID + last, "OID." + ARIA_OID + last);
    }

    // ---- Services.

    /** Makes an implementation; params are those of SecureRandom, or null. */
    private interface Maker {
        Object make(Object params);
    }

    private void add(String type, String name, Class<?> implementation, List<String> others, Maker maker) {
        add(type, name, implementation, others, maker, Map.of());
    }

    private void add(String type, String name, Class<?> implementation, List<String> others, Maker maker, Map<String, String> attributes) {
        putService(new Entry(this, type, name, implementation, others, maker, attributes));
    }

    private static final class Entry extends Service {
        private final Maker maker;

        Entry(Provider provider, String type, String name, Class<?> implementation, List<String> others, Maker maker, Map<String, String> attributes) {
            super(provider, type, name, implementation.getName(), others, attributes);
            this.maker = maker;
        }

        @Override
        public Object newInstance(Object params) throws NoSuchAlgorithmException {
            if (params != null && !getType().equals("SecureRandom")) throw new InvalidParameterException(getAlgorithm() + " takes no parameters here");
            try {
                return maker.make(params);
            } catch (IllegalArgumentException cannot) {
                throw new NoSuchAlgorithmException(cannot.getMessage(), cannot);
            }
        }
    }
}
