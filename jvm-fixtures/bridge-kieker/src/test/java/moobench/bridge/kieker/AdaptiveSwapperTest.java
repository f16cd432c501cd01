package moobench.bridge.kieker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moobench.kernel.Message;
import moobench.kernel.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The swapper at the fixture's channel, with a real Kieker. */
class AdaptiveSwapperTest {
    private static final String PATTERN = "pattern=\"+ public long moobench.bridge.kieker.Manual.monitoredMethod(long, int)\"";

    @TempDir Path dir;

    private Session start(String... options) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList("-Dmoobench.swapper=moobench.bridge.kieker.AdaptiveSwapper",
                "-Dkieker.monitoring.writer=moobench.bridge.kieker.CountingWriter", "-Dkieker.monitoring.hostname=here",
                "-Dkieker.monitoring.metadata=false", "-Dkieker.monitoring.jmx=false", "-Dkieker.monitoring.adaptiveMonitoring.readInterval=0"));
        all.addAll(Arrays.asList(options));
        Session session = Session.start(dir, "moobench.calls.Main", all.toArray(new String[0]));
        assertEquals("ready", session.setUp("target=moobench.bridge.kieker.Manual calls=100 depth=10").verb());
        return session;
    }

    @Test
    void recordsComeWhileItIsActivatedOnly() throws Exception {
        try (Session session = start("-Dkieker.monitoring.adaptiveMonitoring.enabled=true")) {
            for (String verb : new String[] {"deactivate", "activate", "deactivate"}) {
                assertEquals("0", session.ask(verb + " " + PATTERN).require("failed"));
                assertEquals("measured", session.ask("measure").verb());
            }
            assertEquals("patterns count=3", session.ask("patterns").toString());
            assertTrue(session.ask("records").toString().startsWith("records entered=1000 exited=1000 recorded="));
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals("recorded=1000\n", session.file("records.count"));
        }
    }

    @Test
    void saysThatAdaptiveMonitoringIsNotEnabled() throws Exception {
        try (Session session = start()) {
            session.send("deactivate " + PATTERN);
            Message failure = Message.parse(session.receive());
            assertTrue(failure.require("reason").contains("adaptive monitoring is not enabled"), failure.toString());
            assertEquals("1", Message.parse(session.receive()).require("failed"));
        }
    }
}
