package moobench.bridge.arthas;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import moobench.kernel.Probes;

/** Arthas's folder, with what monitoring needs of its distribution, which it brings as a file in a jar. */
final class Home {
    private static final String DISTRIBUTION = "arthas-bin.zip";
    private static final List<String> NEEDED = Arrays.asList("arthas-core.jar", "arthas-spy.jar", "logback.xml", "arthas.properties");

    private final Path folder;

    /** Makes it in the invocation's folder. */
    Home() throws IOException {
        folder = Files.createDirectories(Probes.directory().resolve("arthas").toAbsolutePath());
        try (InputStream in = ClassLoader.getSystemResourceAsStream(DISTRIBUTION)) {
            if (in == null) {
                throw new IOException("no " + DISTRIBUTION + " is on the class path");
            }
            ZipInputStream zip = new ZipInputStream(in);
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (NEEDED.contains(entry.getName())) {
                    Files.copy(zip, folder.resolve(entry.getName()));
                }
            }
        }
    }

    Path folder() {
        return folder;
    }

    /** Removes it, with all that Arthas has left there. */
    void remove() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Collections.reverseOrder()).collect(Collectors.toList());
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
