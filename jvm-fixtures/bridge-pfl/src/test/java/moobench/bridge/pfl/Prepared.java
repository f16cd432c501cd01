package moobench.bridge.pfl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import moobench.kernel.Session;

/** Copies of this module's classes, as PFL's own tool leaves them. */
final class Prepared {
    private static final String TOOL = "org.glassfish.pfl.tf.tools.enhancer.EnhanceTool";

    private Prepared() {}

    /** Makes a folder with this name in which the tool has run in this mode. */
    static Path classes(Path parent, String name, String mode) throws Exception {
        Path folder = parent.resolve(name);
        Path from = Paths.get(Traced.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        copy(from, folder);
        Process tool = new ProcessBuilder(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java", "-cp", Session.classPath(),
                TOOL, "-dir", ".", "-mode", mode, "-verbose", "1")
                .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(parent.resolve(name + ".log").toFile()).start();
        assertTrue(tool.waitFor(60, TimeUnit.SECONDS), "the tool doesn't end");
        assertEquals(0, tool.exitValue());
        return folder;
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.collect(Collectors.toList());
        }
        for (Path each : all) {
            Path copy = to.resolve(from.relativize(each).toString());
            if (Files.isDirectory(each)) {
                Files.createDirectories(copy);
            } else {
                Files.copy(each, copy);
            }
        }
    }

    /** The file of one of this module's classes. */
    static byte[] file(Path folder, String simpleName) throws IOException {
        return Files.readAllBytes(folder.resolve("moobench/bridge/pfl/" + simpleName + ".class"));
    }
}
