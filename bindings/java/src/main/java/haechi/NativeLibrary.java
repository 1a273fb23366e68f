// SPDX-License-Identifier: Apache-2.0 OR MIT
package haechi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** Finds the native library: in the jar, then on java.library.path. */
final class NativeLibrary {
    private static final String NAME = "haechi_java";

    private static String place;
    private static UnsatisfiedLinkError failure;

    private NativeLibrary() {}

    /** Loads it once. Throws UnsatisfiedLinkError, which names what was looked for, at every call if there is none. */
    static synchronized void load() {
        if (place != null) return;
        if (failure == null) {
            try {
                place = find();
                return;
            } catch (UnsatisfiedLinkError error) {
                failure = error;
            }
        }
        UnsatisfiedLinkError again = new UnsatisfiedLinkError(failure.getMessage());
        again.initCause(failure);
        throw again;
    }

    /** Where it was found. */
    static synchronized String place() {
        return place;
    }

    private static String find() {
        String resource = resource();
        String jar;
        try (InputStream content = NativeLibrary.class.getResourceAsStream(resource)) {
            if (content == null) {
                jar = "the jar does not have it for this machine";
            } else {
                extract(content);
                return "the jar, as " + resource;
            }
        } catch (IOException | UnsatisfiedLinkError error) {
            jar = "the one in the jar could not be loaded: " + error.getMessage();
        }
        try {
            System.loadLibrary(NAME);
            return "java.library.path";
        } catch (UnsatisfiedLinkError error) {
            throw new UnsatisfiedLinkError("Haechi found no native library. It looked for " + resource + " in its jar (" + jar + "), then for "
                + System.mapLibraryName(NAME) + " on java.library.path, " + System.getProperty("java.library.path") + " (" + error.getMessage() + ")");
        }
    }

    /** Like /haechi/native/linux-x86_64/libhaechi_java.so. */
    private static String resource() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(" ", "");
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        if (machine.equals("amd64")) machine = "x86_64";
        return "/haechi/native/" + system + "-" + machine + "/" + System.mapLibraryName(NAME);
    }

    /** Loads a copy in a folder that nobody else can write, and removes the copy. */
    private static void extract(InputStream content) throws IOException {
        Path folder = Files.createTempDirectory("haechi", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = folder.resolve(System.mapLibraryName(NAME));
        try {
            Files.copy(content, file);
            System.load(file.toString());
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }
}
