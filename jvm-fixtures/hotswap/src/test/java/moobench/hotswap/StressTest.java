package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import moobench.kernel.Session;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random toggles under load, {@code -Dmoobench.stress} of them, in a JVM of their own: without a switch and with one. */
class StressTest {
    @TempDir Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"0", "20ms"})
    void nothingIsLostLeftOrLeaked(String linger) throws Exception {
        Path jar = dir.resolve("agent.jar");
        TestAgent.makeJar(jar, Agent.class);
        Path log = dir.resolve("out.log");
        Process process = new ProcessBuilder(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java", "-Xmx256m", "-XX:+UseSerialGC",
                "-javaagent:" + jar + "=probe=moobench,linger=" + linger, "-cp", Session.classPath(), "moobench.hotswap.Stress", System.getProperty("moobench.stress", "500"))
                .directory(dir.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            boolean ended = process.waitFor(30, TimeUnit.MINUTES);
            assertEquals("ended with 0", ended ? "ended with " + process.exitValue() : "hangs", () -> read(log));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }
}
