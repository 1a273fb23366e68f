// SPDX-License-Identifier: Apache-2.0 OR MIT
import haechi.HaechiProvider;
import java.security.Security;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

public class Readings {
    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new HaechiProvider());
        SecretKey key = KeyGenerator.getInstance("ARIA", "Haechi").generateKey();

        Cipher cipher = Cipher.getInstance("ARIA/GCM/NoPadding", "Haechi");
        cipher.init(Cipher.ENCRYPT_MODE, key); // chooses a random IV
        cipher.updateAAD("meter 17".getBytes());
        byte[] sealed = cipher.doFinal("21.5 degrees".getBytes());
        byte[] iv = cipher.getIV();

        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, iv));
        cipher.updateAAD("meter 17".getBytes());
        System.out.println(new String(cipher.doFinal(sealed)));
        cipher.updateAAD("meter 18".getBytes());
        try {
            cipher.doFinal(sealed);
        } catch (AEADBadTagException forged) {
            System.out.println("not what was encrypted");
        }
        key.destroy();
    }
}
