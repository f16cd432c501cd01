package moobench.probes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import moobench.kernel.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The probes that are compiled in, and their switches. */
class SwitchingTest {
    private static final String MAIN = "moobench.calls.Main";
    private static final String EXACT = "public long moobench.probes.Listed.monitoredMethod(long, int)";

    @TempDir Path dir;

    private Session start(String target, String swapper, String... options) throws Exception {
        String[] all = java.util.Arrays.copyOf(options, options.length + 1);
        all[options.length] = "-Dmoobench.swapper=moobench.probes." + swapper;
        Session session = Session.start(dir, MAIN, all);
        session.setUp("target=moobench.probes." + target + " calls=10 depth=10");
        return session;
    }

    private static void measures(Session session, int recorded) throws Exception {
        assertEquals("" + recorded, session.ask("measure").require("recorded"));
    }

    @Test
    void theNewestPatternDecides() throws Exception {
        try (Session session = start("Listed", "ListSwapper")) {
            measures(session, 0);
            session.ask("activate pattern=\"" + EXACT + "\"");
            measures(session, 100);
            session.ask("deactivate pattern=\"* moobench..*.*(..)\"");
            measures(session, 100);
            session.ask("activate pattern=\"+ " + EXACT + "\""); // again the newest, and not twice
            measures(session, 200);
            session.send("patterns");
            assertEquals("pattern text=\"- * moobench..*.*(..)\"", session.receive());
            assertEquals("pattern text=\"+ " + EXACT + "\"", session.receive());
            assertEquals("patterns count=2", session.receive());
            session.ask("remove pattern=\"" + EXACT + "\"");
            measures(session, 200);
            session.ask("replace patterns=\"- *; + * moobench.probes.Listed.*(long, ..)\"");
            measures(session, 300);
            session.ask("replace patterns=\"\"");
            measures(session, 300);
            assertEquals("error", session.ask("activate pattern=\"- *\"").verb());
            assertEquals("records entered=300 exited=300 recorded=300", session.ask("records").toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "collect, + * moobench.probes.Listed.*(..), 100",
        "collect, + *; - * moobench.probes.*.monitored*(..), 0",
        "collect, '', 0",
        "inactive, + *, 0",
    })
    void theListAtStart(String stage, String list, int recorded) throws Exception {
        try (Session session = start("Listed", "ListSwapper", "-Dmoobench.probe.stage=" + stage, "-Dmoobench.probe.load=" + list)) {
            measures(session, recorded);
        }
    }

    @Test
    void anInactiveListCanBeActivated() throws Exception {
        try (Session session = start("Listed", "ListSwapper", "-Dmoobench.probe.stage=inactive")) {
            session.ask("activate pattern=\"" + EXACT + "\"");
            measures(session, 100);
        }
    }

    @Test
    void theFlagIsForAll() throws Exception {
        try (Session session = start("Manual", "FlagSwapper")) {
            measures(session, 100); // nobody has asked for the swapper yet
            session.ask("deactivate pattern=\"* nowhere.Nothing.at(..)\"");
            measures(session, 100);
            session.ask("activate pattern=\"* nowhere.Nothing.at(..)\"");
            measures(session, 200);
        }
    }
}
