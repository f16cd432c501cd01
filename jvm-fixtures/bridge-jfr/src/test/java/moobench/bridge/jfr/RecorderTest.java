package moobench.bridge.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import moobench.kernel.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The swapper at the fixture's channel. */
class RecorderTest {
    private static final String LASTING = "target=moobench.bridge.jfr.Lasting calls=100 depth=10";

    @TempDir Path dir;

    @ParameterizedTest
    @CsvSource({"api, profile", "mxbean, FILE", "jcmd, FILE"})
    void ourEventIsRecordedBesideThoseOfThePreset(String by, String preset) throws Exception {
        Path file = dir.resolve("a preset.jfc");
        Files.write(file, ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><configuration version=\"2.0\" label=\"one\"><event name=\"jdk.JVMInformation\">"
                + "<setting name=\"enabled\">true</setting><setting name=\"period\">beginChunk</setting></event></configuration>").getBytes("UTF-8"));
        try (Session session = Recordings.calls(dir, LASTING, "by=" + by, "settings=" + (preset.equals("FILE") ? file.toString() : preset))) {
            Recordings.change(session, "activate");
            session.ask("measure");
            Recordings.change(session, "deactivate");
        }
        Path recording = dir.resolve("recording-1.jfr");
        assertEquals(1000, Recordings.executions(recording).size());
        assertTrue(Recordings.events(recording, "jdk.JVMInformation").size() > 0);
        assertEquals(preset.equals("FILE"), Recordings.events(recording, "jdk.OSInformation").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"api", "mxbean", "jcmd"})
    void settingsThatAreNotThereAreNamed(String by) throws Exception {
        try (Session session = Recordings.calls(dir, LASTING, "by=" + by, "settings=/nowhere/none.jfc")) {
            for (int i = 0; i < 2; i++) {
                String message = Recordings.swap(session, "activate").require("message");
                assertTrue(message.contains("moobench.jfr.settings=/nowhere/none.jfc: "), message);
            }
            assertEquals("0", Recordings.swap(session, "deactivate").require("methods"));
        }
        assertFalse(Files.exists(dir.resolve("recording-1.jfr")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"by=jmx", "event=disabled"})
    void whatIsNoneOfTheValuesIsRefused(String property) throws Exception {
        try (Session session = Recordings.calls(dir, LASTING, "by=jcmd", property)) {
            String message = Recordings.swap(session, "activate").require("message");
            assertTrue(message.startsWith("moobench.jfr." + property.substring(0, property.indexOf('='))), message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"api", "mxbean", "jcmd"})
    void oneThatRunsWhenTheJvmExitsIsWritten(String by) throws Exception {
        try (Session session = Recordings.calls(dir, LASTING, "by=" + by)) {
            Recordings.change(session, "activate");
            session.ask("measure");
            session.ask("quit");
            assertEquals(0, session.exit());
        }
        assertEquals(1000, Recordings.executions(dir.resolve("recording-1.jfr")).size());
    }

    @Test
    void thereIsOneAtATime() throws Exception {
        try (Session session = Recordings.calls(dir, LASTING)) {
            assertEquals("0", Recordings.swap(session, "deactivate").require("methods"));
            Recordings.change(session, "activate");
            assertEquals("activate: a recording is running already, and there is one at a time", Recordings.swap(session, "activate").require("message"));
            session.ask("measure");
            Recordings.change(session, "deactivate");
            assertEquals("0", Recordings.swap(session, "deactivate").require("methods"));
        }
        assertEquals(1000, Recordings.executions(dir.resolve("recording-1.jfr")).size());
        assertFalse(Files.exists(dir.resolve("recording-2.jfr")));
    }

    /** Its file is written all the same, whether it was stopped or closed. */
    @ParameterizedTest
    @CsvSource({"api, 1", "mxbean, 2", "jcmd, 1"})
    void oneThatSomethingElseHasStoppedIsToldOf(String by, int depth) throws Exception {
        try (Session session = Recordings.calls(dir, "target=moobench.sample.Meddling calls=1 depth=" + depth, "by=" + by)) {
            Recordings.change(session, "activate");
            assertEquals("measured", session.ask("measure").verb());
            assertEquals("the recording was stopped by something else before it was ended here", Recordings.failure(session, "deactivate"));
            assertTrue(Files.size(dir.resolve("recording-1.jfr")) > 0);
            Recordings.change(session, "activate");
            Recordings.change(session, "deactivate");
        }
        assertTrue(Files.size(dir.resolve("recording-2.jfr")) > 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"api", "mxbean", "jcmd"})
    void aDiskThatIsFullIsToldOf(String by) throws Exception {
        Path full = Paths.get("/dev/full");
        assumeTrue(Files.exists(full), "a device on which nothing can be written");
        Path file = dir.resolve("recording-1.jfr");
        Files.createSymbolicLink(file, full);
        try (Session session = Recordings.calls(dir, LASTING, "by=" + by)) {
            Recordings.change(session, "activate");
            session.ask("measure");
            String message = Recordings.swap(session, "deactivate").require("message");
            assertTrue(message.contains("writing the recording to " + file + ": "), message);
            Recordings.change(session, "activate");
            session.ask("measure");
            Recordings.change(session, "deactivate");
        } finally {
            Files.delete(file);
        }
        assertEquals(1000, Recordings.executions(dir.resolve("recording-2.jfr")).size());
    }
}
