package moobench.bridge.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import moobench.kernel.Message;
import moobench.kernel.Session;

/** What the tests do with recordings: switch them on and off, and read them. */
final class Recordings {
    private static final String PATTERN = " pattern=\"* moobench..*.*(..)\"";

    private Recordings() {}

    /** A fixture with the recorder. */
    static Session start(Path dir, String main, List<String> properties) throws IOException {
        List<String> options = new ArrayList<>(List.of("-Dmoobench.swapper=moobench.bridge.jfr.Recorder"));
        options.add("-Djava.io.tmpdir=" + dir); // where a JVM that is killed leaves what it has recorded
        for (String property : properties) {
            options.add("-Dmoobench.jfr." + property);
        }
        return Session.start(dir, main, options.toArray(new String[0]));
    }

    /** The fixture calls with the recorder, set up with a target. */
    static Session calls(Path dir, String setup, String... properties) throws IOException {
        Session session = start(dir, "moobench.calls.Main", List.of(properties));
        assertEquals("ready", session.setUp(setup).verb());
        return session;
    }

    /** Activates or deactivates, and returns the last line of the answer. */
    static Message swap(Session session, String verb) throws IOException {
        return session.ask(verb + PATTERN);
    }

    /** Activates or deactivates, which must go well. */
    static void change(Session session, String verb) throws IOException {
        Message answer = swap(session, verb);
        assertEquals("0", answer.get("failed"), answer.toString());
        assertEquals("1", answer.require("methods"));
    }

    /** The reason why a change failed. */
    static String failure(Session session, String verb) throws IOException {
        session.send(verb + PATTERN);
        String reason = Message.parse(session.receive()).require("reason");
        assertEquals("1", Message.parse(session.receive()).require("failed"));
        return reason;
    }

    /** The events of this name in a recording. */
    static List<RecordedEvent> events(Path file, String name) throws IOException {
        List<RecordedEvent> events = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals(name)) {
                events.add(event);
            }
        }
        return events;
    }

    /** The executions in a recording. */
    static List<RecordedEvent> executions(Path file) throws IOException {
        return events(file, Execution.NAME);
    }
}
