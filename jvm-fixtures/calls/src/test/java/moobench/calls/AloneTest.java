package moobench.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import moobench.kernel.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AloneTest {
    @TempDir Path dir;

    private int start(String... args) throws Exception {
        List<String> command = new ArrayList<>(Arrays.asList(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx64m", "-XX:+UseSerialGC", "-cp", Session.classPath(), "moobench.calls.Main"));
        command.addAll(Arrays.asList(args));
        Process process = new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true)
                .redirectOutput(dir.resolve("log").toFile()).start();
        try {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it doesn't end");
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private String log() throws Exception {
        return new String(Files.readAllBytes(dir.resolve("log")), StandardCharsets.UTF_8);
    }

    @Test
    void runsByItself() throws Exception {
        assertEquals(0, start("seconds=1", "calls=1000", "depth=2"), log());
        assertTrue(log().matches("calls, process [0-9]+, for 1 s\n([0-9]+ calls/s\n)+"), log());
    }

    @Test
    void saysHowItIsStarted() throws Exception {
        assertEquals(2, start());
        String[] lines = log().split("\n");
        assertTrue(lines[0].contains("is started by moobench") && lines[1].contains("moobench.calls.Main seconds=60 calls=1000"), log());
    }

    @ParameterizedTest
    @CsvSource({"calls=5, seconds is missing", "seconds=1, calls is missing", "seconds, is not key=value", "seconds=1 calls=5 dept=3, unknown key dept",
        "seconds=1 calls=5 threads=2, it has one thread"})
    void refuses(String args, String because) throws Exception {
        assertEquals(2, start(args.split(" ")));
        assertTrue(log().startsWith("moobench: error: ") && log().contains(because), log());
    }
}
