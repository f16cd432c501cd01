package moobench.bridge.kieker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import moobench.kernel.Message;
import moobench.kernel.Session;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fixture classes with clones of the manual probe: a signature for each class, switched by Kieker itself. */
class TurnaroundTest {
    private static final int SAMPLES = 7;
    private static final int CALLS = 300;
    private static final int DEPTH = 4;

    @TempDir Path dir;

    @ParameterizedTest
    @CsvSource({"1, false, 0", "3, false, 0", "1, true, 0", "1, false, 20"})
    void eachClassProvesItsRecord(int atOnce, boolean atLoad, int patterns) throws Exception {
        try (Session session = Session.start(dir, "moobench.classes.Main", "-Dmoobench.swapper=moobench.bridge.kieker.AdaptiveSwapper",
                "-Dkieker.monitoring.writer=moobench.bridge.kieker.CountingWriter", "-Dkieker.monitoring.hostname=here",
                "-Dkieker.monitoring.metadata=false", "-Dkieker.monitoring.jmx=false", "-Dkieker.monitoring.useShutdownHook=true",
                "-Dkieker.monitoring.adaptiveMonitoring.enabled=true", "-Dkieker.monitoring.adaptiveMonitoring.readInterval=0")) {
            Message ready = session.setUp("target=moobench.bridge.kieker.Manual loaded=20 at_once=" + atOnce + " at_load=" + atLoad + " patterns=" + patterns
                    + " samples=" + SAMPLES + " calls=" + CALLS + " depth=" + DEPTH);
            assertEquals("ready", ready.verb(), ready.toString());
            session.ask("prime calls=1000");
            assertEquals("measured", session.ask("measure").verb());
            // Each sample waits for its records; those of the hot method may be under
            // way when the run ends.
            long recorded = SAMPLES * (long) atOnce + CALLS * DEPTH;
            Message records = session.ask("records");
            assertEquals(recorded, records.integer("entered"));
            assertEquals(recorded, records.integer("exited"));
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals("recorded=" + recorded + "\n", session.file("records.count"));
        }
    }
}
