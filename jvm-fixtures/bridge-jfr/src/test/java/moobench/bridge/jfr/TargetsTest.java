package moobench.bridge.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import moobench.kernel.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The events that a target leaves in the recordings: those of its calls while a recording runs, and no others. */
class TargetsTest {
    private static final int CALLS = 100;
    private static final int DEPTH = 10;

    @TempDir Path dir;

    private static String setup(String target) {
        return "target=moobench.bridge.jfr." + target + " calls=" + CALLS + " depth=" + DEPTH;
    }

    @ParameterizedTest
    @CsvSource({"Lasting, 1000", "Instant, 1000", "IfEnabled, 1000", "IfDue, 1000", "Bottom, 100", "Periodic, 0"})
    void executionsAreRecordedWhileItIsOn(String target, int executions) throws Exception {
        try (Session session = Recordings.calls(dir, setup(target))) {
            session.ask("measure");
            for (int recording = 1; recording <= 2; recording++) {
                Recordings.change(session, "activate");
                assertEquals("measured", session.ask("measure").verb());
                Recordings.change(session, "deactivate");
                session.ask("measure");
            }
        }
        for (int recording = 1; recording <= 2; recording++) {
            List<RecordedEvent> events = Recordings.executions(dir.resolve("recording-" + recording + ".jfr"));
            assertEquals(executions, events.size());
            assertTrue(executions < CALLS || events.stream().anyMatch(e -> e.getLong("id") == 1));
            assertTrue(events.stream().allMatch(e -> e.getStackTrace() == null));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Instant, disabled", "IfEnabled, disabled", "Lasting, threshold", "IfDue, threshold",
    })
    void nothingIsRecordedOf(String target, String event) throws Exception {
        try (Session session = Recordings.calls(dir, setup(target), "event=" + event, "by=" + (target.equals("IfDue") ? "mxbean" : "api"))) {
            Recordings.change(session, "activate");
            session.ask("measure");
            Recordings.change(session, "deactivate");
        }
        assertEquals(0, Recordings.executions(dir.resolve("recording-1.jfr")).size());
    }

    @ParameterizedTest
    @CsvSource({"Lasting, 1", "IfDue, 1"})
    void whatTakesLongerThanTheThresholdIsRecorded(String target, int executions) throws Exception {
        try (Session session = Recordings.calls(dir, "target=moobench.bridge.jfr." + target + " calls=1 method_time=1001000000", "event=threshold")) {
            Recordings.change(session, "activate");
            session.ask("measure");
            Recordings.change(session, "deactivate");
        }
        assertEquals(executions, Recordings.executions(dir.resolve("recording-1.jfr")).size());
    }

    @ParameterizedTest
    @CsvSource({"jcmd, 10", "api, 40"})
    void stacksAreAsDeepAsTheCall(String by, int depth) throws Exception {
        try (Session session = Recordings.calls(dir, "target=moobench.bridge.jfr.Bottom calls=5 depth=" + depth, "event=stack", "by=" + by)) {
            Recordings.change(session, "activate");
            session.ask("measure");
            Recordings.change(session, "deactivate");
        }
        List<RecordedEvent> events = Recordings.executions(dir.resolve("recording-1.jfr"));
        assertEquals(5, events.size());
        for (RecordedEvent event : events) {
            int frames = 0;
            for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                frames += frame.getMethod().getName().equals("monitoredMethod") ? 1 : 0;
            }
            assertEquals(depth, frames);
        }
    }

    @ParameterizedTest
    @CsvSource({"on, true", "disabled, false"})
    void flightRecorderAsksForAnEventEachPeriod(String event, boolean some) throws Exception {
        try (Session session = Recordings.calls(dir, "target=moobench.bridge.jfr.Periodic calls=1 method_time=200000000", "event=" + event)) {
            Recordings.change(session, "activate");
            session.ask("measure");
            Recordings.change(session, "deactivate");
        }
        List<RecordedEvent> events = Recordings.events(dir.resolve("recording-1.jfr"), Sampled.NAME);
        assertEquals(some, events.size() >= 5, events.size() + " events");
        assertTrue(events.stream().allMatch(e -> e.getStackTrace() == null));
    }

    @Test
    void anEventThatCanNotBeMadeIsNamed() throws Exception {
        try (Session session = Recordings.calls(dir, setup("Throwing"))) {
            for (String request : new String[] {"prime calls=100", "measure"}) {
                String message = session.ask(request).require("message");
                assertTrue(message.contains("moobench.Broken"), message);
            }
            Recordings.change(session, "activate");
            String message = session.ask("measure").require("message");
            assertTrue(message.contains("moobench.Broken"), message);
            assertNull(session.ask("records").get("recorded"));
        }
    }
}
