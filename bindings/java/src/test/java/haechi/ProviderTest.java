// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import static haechi.Reference.BOUNCY_CASTLE;
import static haechi.Reference.HAECHI;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.HashSet;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The names under which everything is found. */
class ProviderTest {
    @Test
    void everyServiceCanBeMade() throws Exception {
        Set<String> types = new HashSet<>();
        for (Provider.Service service : HAECHI.getServices()) {
            assertNotNull(service.newInstance(null), service.toString());
            Class.forName(service.getClassName());
            types.add(service.getType());
        }
        assertEquals(Set.of("Cipher", "Mac", "KeyGenerator", "SecretKeyFactory", "AlgorithmParameters", "SecureRandom"), types);
    }

    /** The table of README.md names every service by its first name, and nothing else. */
    @Test
    void thePageNamesEveryService() throws Exception {
        String page = Files.readString(Path.of(System.getProperty("basedir"), "README.md"));
        Set<String> told = new TreeSet<>();
        for (String row : page.split("\n")) {
            if (!row.startsWith("| ") || !row.contains("`")) continue;
            String[] cells = row.split("\\|");
            for (String type : cells[1].replaceFirst(", (ARIA|HIGHT).*", "").split(", ")) {
                Matcher names = Pattern.compile("`([^`]+)`").matcher(cells[2]);
                while (names.find()) {
                    told.add(type.strip() + " " + names.group(1));
                    if (cells[1].contains("ARIA and LEA")) told.add(type.strip() + " " + names.group(1).replace("ARIA", "LEA"));
                }
            }
        }
        Set<String> found = new TreeSet<>();
        for (Provider.Service service : HAECHI.getServices()) {
            if (!service.getAlgorithm().startsWith("1.2.")) found.add(service.getType() + " " + service.getAlgorithm());
        }
        assertEquals(found, told);
    }

    /** What Bouncy Castle has of ARIA, by all names, except for what haechi.h does not have. */
    @Test
    void everyNameOfBouncyCastleIsKnown() throws Exception {
        Set<String> lacking = Set.of("ARIARFC3211WRAP", "POLY1305-ARIA", "POLY1305ARIA");
        Set<String> types = Set.of("Cipher", "Mac", "KeyGenerator", "SecretKeyFactory", "AlgorithmParameters");
        int found = 0;
        for (Object entry : BOUNCY_CASTLE.keySet()) {
            String[] words = entry.toString().replace("Alg.Alias.", "").split("\\.", 2);
            String name = words[1];
            boolean arias = name.contains("ARIA") && !name.contains("VARIA") || name.contains("1.2.410.200046.1.1.");
            if (!arias || !types.contains(words[0]) || lacking.contains(name) || name.contains(" ")) continue;
            if (words[0].equals("KeyGenerator") && name.contains("GMAC")) continue; // a key of ARIA serves
            assertNotNull(HAECHI.getService(words[0], name), entry.toString());
            found++;
        }
        assertTrue(found > 100, found + " names");
    }

    /** A transformation by its object identifier does what it does there. */
    @Test
    void objectIdentifiersNameTheSameModes() throws Exception {
        for (String mode : new String[] {"ECB", "CBC", "CFB", "OFB"}) {
            int last = Set.of("ECB").contains(mode) ? 1 : mode.equals("CBC") ? 2 : mode.equals("CFB") ? 3 : 4;
            byte[][] sealed = new byte[2][];
            for (int i = 0; i < 2; i++) {
                Cipher c = Cipher.getInstance("1.2.410.200046.1.1." + last, i == 0 ? HAECHI : BOUNCY_CASTLE);
                c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "ARIA"), last == 1 ? null : new IvParameterSpec(new byte[16]));
                sealed[i] = c.doFinal(new byte[20]);
            }
            assertArrayEquals(sealed[1], sealed[0], mode);
        }
    }

    @Test
    void namesAreThoseOfOtherProvidersInAnyCase() throws Exception {
        for (String name : new String[] {"aria/gcm/nopadding", "ARIA/CBC/PKCS7Padding", "LEA", "HIGHT", "ARIAGCM", "LEAKWP", "ARIA/KW/NoPadding", "ARIA/CFB128/NoPadding", "HIGHT/OFB64/NoPadding", "LEA/CFB8/NoPadding"}) {
            assertEquals(HAECHI, Cipher.getInstance(name, HAECHI).getProvider());
        }
        assertEquals("LEA-CMAC", Mac.getInstance("LEA-CMAC", HAECHI).getAlgorithm());
        for (String name : new String[] {"HIGHT/GCM/NoPadding", "HIGHT/CCM/NoPadding", "HIGHTWRAP", "LEA/CTR/PKCS5Padding", "AES/GCM/NoPadding", "LEA/XTS/NoPadding"}) {
            assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance(name, HAECHI));
        }
        assertThrows(NoSuchAlgorithmException.class, () -> Mac.getInstance("HIGHT-GMAC", HAECHI));
        assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance("ARIA/GCM/PKCS5Padding", HAECHI));
    }

    @Test
    void theProviderIsFoundAsAService() throws Exception {
        Provider found = ServiceLoader.load(Provider.class).stream().map(ServiceLoader.Provider::get).filter(p -> p.getName().equals("Haechi")).findAny().get();
        assertEquals(HAECHI.getVersionStr(), found.getVersionStr());
        Security.addProvider(found);
        try {
            assertEquals(found, Cipher.getInstance("LEA/GCM/NoPadding").getProvider());
            assertEquals("LEA", KeyGenerator.getInstance("LEA").generateKey().getAlgorithm());
            assertEquals(found, SecretKeyFactory.getInstance("HIGHT").getProvider());
            // A key that this provider cannot take leaves the choice to others.
            assertThrows(java.security.InvalidKeyException.class, () -> Cipher.getInstance("ARIA/CTR/NoPadding").init(Cipher.ENCRYPT_MODE,
                java.security.KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic()));
        } finally {
            Security.removeProvider("Haechi");
        }
    }

    @Test
    void itSaysWhatItRunsOn() throws Exception {
        Main.main(new String[0]);
        assertTrue(NativeLibrary.place().contains("linux-"), NativeLibrary.place());
    }
}
