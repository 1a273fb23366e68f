// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.security.GeneralSecurityException;

/** java -jar haechi.jar: says which library and which kernels this machine would use, and tests the random generator. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) throws GeneralSecurityException {
        HaechiProvider provider = new HaechiProvider();
        System.out.println("Haechi " + provider.getVersionStr() + ", from " + NativeLibrary.place());
        for (Family family : Family.values()) {
            Context context = new Context();
            Context.check(context.setKey(family.ordinal(), false, new byte[family.keys[0] / 8]));
            System.out.println(family + " runs on " + context.kernel());
        }
        Context.check(Context.selfTest());
        System.out.println("CTR_DRBG passes its self-test");
    }
}
