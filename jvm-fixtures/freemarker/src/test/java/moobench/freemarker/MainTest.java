package moobench.freemarker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import moobench.kernel.Message;
import moobench.kernel.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private static final String SETUP = "target=moobench.freemarker.Plain calls=50";

    @TempDir Path dir;

    @Test
    void session() throws Exception {
        try (Session session = Session.start(dir, "moobench.freemarker.Main")) {
            assertEquals("freemarker", Message.parse(session.greeting.getBytes("UTF-8")).require("fixture"));
            assertEquals("ready", session.setUp(SETUP + " threads=2").verb());
            assertEquals("10", session.ask("prime calls=10").require("calls"));
            assertEquals("100", session.ask("measure").require("calls"));
            assertEquals("dumped", session.ask("dump").verb());
            assertEquals("bye", session.ask("quit").verb());
            assertEquals(0, session.exit());
            assertEquals("", session.file("out.log"));
        }
    }

    @Test
    void refusesWhatAnApplicationDoesNotHave() throws Exception {
        try (Session session = Session.start(dir, "moobench.freemarker.Main")) {
            assertEquals("fixture freemarker: one call is one unit of its work: say depth = 1, not 10",
                    session.setUp(SETUP + " depth=10").require("message"));
            assertEquals("fixture freemarker: its work takes the time it takes: say method_time = 0, not 500",
                    session.setUp(SETUP + " method_time=500").require("message"));
            assertEquals("fixture freemarker: it waits for nothing: leave busy_wait out, wall does nothing",
                    session.setUp(SETUP + " busy_wait=wall").require("message"));
            assertEquals("fixture freemarker: a probe can't be compiled into it, and moobench.probes.Manual is another program",
                    session.setUp("target=moobench.probes.Manual calls=50").require("message"));
            assertEquals("ready", session.setUp(SETUP).verb());
        }
    }
}
