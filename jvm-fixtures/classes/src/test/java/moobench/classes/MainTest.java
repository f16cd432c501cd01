package moobench.classes;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final String MAIN = "moobench.classes.Main";

    @TempDir Path dir;

    /** A session with the target's way to swap: by flag, by list, or by what exchanges classes. */
    private Session start(String swapper) throws Exception {
        List<String> options = new ArrayList<>(Arrays.asList("-Dmoobench.hotswap.probe=moobench"));
        if (!swapper.startsWith("moobench.probes.")) {
            options.add(Session.agent(dir, "moobench.hotswap.Agent"));
        }
        if (!swapper.equals("agent")) {
            options.add("-Dmoobench.swapper=" + swapper);
        }
        return Session.start(dir, MAIN, options.toArray(new String[0]));
    }

    private static String target(String swapper) {
        switch (swapper) {
            case "moobench.probes.FlagSwapper": return "moobench.probes.Manual";
            case "moobench.probes.ListSwapper": return "moobench.probes.Listed";
            default: return "moobench.classes.Plain";
        }
    }

    @ParameterizedTest
    @CsvSource({
        "agent, 1, 1, false, 9",
        "agent, 1, 3, false, 9",
        "agent, 5, 1, false, 4",
        "agent, 5, 2, true, 5",
        "moobench.swappers.Redefine, 1, 1, false, 3",
        "moobench.swappers.Redefine, 5, 2, false, 3",
        "moobench.swappers.Javassist, 1, 1, false, 3",
        "moobench.swappers.Javassist, 5, 2, true, 3",
        "moobench.swappers.ByteBuddy, 1, 3, false, 3",
        "moobench.swappers.ByteBuddy, 5, 2, false, 3",
        "moobench.probes.FlagSwapper, 1, 1, false, 9",
        "moobench.probes.FlagSwapper, 5, 2, true, 9",
        "moobench.probes.ListSwapper, 1, 1, false, 9",
        "moobench.probes.ListSwapper, 5, 3, false, 9",
    })
    void eachFirstCallIsRecordedAndPartsAddUp(String swapper, int atOnce, int methods, boolean oneByOne, int samples) throws Exception {
        try (Session session = start(swapper)) {
            Message ready = session.setUp("target=" + target(swapper) + " loaded=17 methods=" + methods + " at_once=" + atOnce + " one_by_one=" + oneByOne
                    + " samples=" + samples + " patterns=20 watcher=" + oneByOne + " calls=300 depth=4");
            assertEquals("ready", ready.verb(), ready.toString());
            assertEquals("primed calls=2500", session.ask("prime calls=2500").toString());
            Message measured = session.ask("measure");
            assertEquals("measured", measured.verb(), measured.toString());
            assertEquals(samples * atOnce + 3 * 300, measured.integer("calls"));
            long recorded = samples * (long) atOnce + 300 * 4;
            assertEquals(recorded, measured.integer("recorded"));
            session.ask("dump");
            boolean bare = atOnce == 1 && !swapper.startsWith("moobench.probes.");
            check(Dump.read(dir, "first"), 1, atOnce, bare, oneByOne);
            check(Dump.read(dir, "turnaround"), samples - 1, atOnce, bare, oneByOne);
            for (String phase : new String[] {"before", "during", "after"}) {
                Dump calls = Dump.read(dir, phase);
                assertEquals(300, calls.rows());
                assertTrue(calls.least("t") >= 0);
            }
            Dump hot = Dump.read(dir, "hot");
            assertEquals(1, hot.rows());
            assertTrue(hot.least("activate") > 0 && hot.least("deactivate") > 0);
            assertEquals("records entered=" + recorded + " exited=" + recorded + " recorded=" + recorded, session.ask("records").toString());
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals("", session.file("out.log"));
        }
    }

    private static void check(Dump dump, int rows, int atOnce, boolean bare, boolean stall) {
        assertEquals("total,match,transform,swap,first_call,undo,recorded" + (bare ? ",bare" : "") + (stall ? ",stall,undo_stall" : ""), dump.columns());
        assertEquals(rows, dump.rows());
        for (int i = 0; i < rows; i++) {
            long sum = 0;
            for (String part : new String[] {"match", "transform", "swap", "first_call"}) {
                assertTrue(dump.value(part, i) >= 0, part);
                sum += dump.value(part, i);
            }
            assertTrue(sum <= dump.value("total", i), sum + " of " + dump.value("total", i));
            assertTrue(dump.value("first_call", i) > 0 && dump.value("swap", i) > 0 && dump.value("undo", i) > 0);
            assertEquals(atOnce, dump.value("recorded", i));
            assertTrue(!bare || dump.value("bare", i) > 0);
            assertTrue(!stall || dump.value("stall", i) > 0 && dump.value("undo_stall", i) > 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"agent, 1, 1, false", "agent, 1, 3, false", "agent, 4, 1, false", "agent, 4, 2, true", "moobench.probes.FlagSwapper, 1, 1, false", "moobench.probes.ListSwapper, 4, 1, true"})
    void classesThatAreLoadedAfterTheOrder(String swapper, int atOnce, int methods, boolean oneByOne) throws Exception {
        try (Session session = start(swapper)) {
            Message ready = session.setUp("target=" + target(swapper) + " loaded=4 methods=" + methods + " at_once=" + atOnce + " one_by_one=" + oneByOne
                    + " samples=6 watcher=" + oneByOne + " at_load=true");
            assertEquals("ready", ready.verb(), ready.toString());
            Message measured = session.ask("measure");
            assertEquals(String.valueOf(6 * atOnce), measured.require("recorded"), measured.toString());
            session.ask("dump");
            Dump dump = Dump.read(dir, "turnaround");
            assertEquals("total,match,transform,swap,first_call,undo,recorded,load" + (oneByOne ? ",stall,undo_stall" : ""), dump.columns());
            for (int i = 0; i < dump.rows(); i++) {
                assertEquals(atOnce, dump.value("recorded", i));
                long sum = dump.value("match", i) + dump.value("transform", i) + dump.value("swap", i) + dump.value("load", i) + dump.value("first_call", i);
                assertTrue(dump.value("load", i) > 0 && sum <= dump.value("total", i), sum + " of " + dump.value("total", i));
            }
            String again = session.ask("measure").toString();
            assertTrue(again.contains("was loaded before that"), again);
            assertEquals("", session.file("out.log"));
        }
    }

    /** Nobody counts records in this JVM, which is told apart from none. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsRecordedIsWrittenOutBeforeItEnds(boolean watcher) throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Dmoobench.swapper=moobench.classes.DumpingSwapper")) {
            session.setUp("loaded=3 samples=4 watcher=" + watcher);
            Message measured = session.ask("measure");
            assertEquals("measured", measured.verb(), measured.toString());
            session.send("dump");
            String first = session.receive();
            assertTrue(first.contains(",recorded:1:count,dump:ns:duration,dump_bytes:By:count"
                    + (watcher ? ",stall:ns:duration,dump_stall:ns:duration,undo_stall:ns:duration " : " ")), first);
            session.receive();
            session.receive();
            check(Dump.read(dir, "first"), 1, 0, watcher);
            check(Dump.read(dir, "turnaround"), 3, 1, watcher);
        }
    }

    private static void check(Dump dump, int rows, int before, boolean watcher) {
        assertEquals(rows, dump.rows());
        for (int i = 0; i < rows; i++) {
            assertEquals(-1, dump.value("recorded", i));
            assertEquals(1000 + before + i, dump.value("dump_bytes", i));
            long took = dump.value("dump", i);
            assertTrue(took >= DumpingSwapper.DUMP_NS && dump.value("undo", i) >= DumpingSwapper.UNDO_NS);
            assertTrue(!watcher || dump.value("stall", i) > 0 && dump.value("dump_stall", i) > 0 && dump.value("undo_stall", i) > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"moobench.swappers.Redefine", "moobench.swappers.Javassist", "moobench.swappers.ByteBuddy"})
    void whatKnowsLoadedClassesOnlyCanNotOrderAtLoad(String swapper) throws Exception {
        try (Session session = start(swapper)) {
            session.setUp("loaded=3 samples=3 at_load=true");
            String answer = session.ask("measure").toString();
            assertTrue(answer.contains("knows loaded classes only"), answer);
        }
    }

    @Test
    void allocationDoesNotGrowWithTheCalls() throws Exception {
        long few = allocated(1_000);
        long many = allocated(200_000);
        assertTrue(many - few < 20_000, few + " B, " + many + " B");
    }

    private long allocated(int calls) throws Exception {
        try (Session session = start("moobench.probes.FlagSwapper")) {
            session.setUp("target=moobench.probes.Manual loaded=5 samples=2 calls=" + calls);
            session.ask("prime calls=30000");
            return session.ask("measure").integer("alloc_bytes");
        }
    }

    @Test
    void measuresAgainAndAgain() throws Exception {
        try (Session session = start("agent")) {
            session.setUp("loaded=5 samples=3");
            assertEquals("primed calls=0", session.ask("prime calls=100").toString());
            assertEquals("3", session.ask("measure").require("recorded"));
            assertEquals("6", session.ask("measure").require("recorded"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loaded=0", "at_once=6 loaded=5", "one_by_one=yes", "target=moobench.nowhere.Nothing", "samples=0", "threads=2", "busy_wait=never"})
    void whatCannotBeSetUpIsRefused(String keys) throws Exception {
        try (Session session = start("agent")) {
            assertEquals("error", session.setUp(keys).verb());
        }
    }

    @Test
    void withoutAnyoneWhoSwapsNothingIsMeasured() throws Exception {
        try (Session session = Session.start(dir, MAIN)) {
            assertEquals("ready", session.setUp("loaded=5 samples=2").verb());
            assertTrue(session.ask("measure").require("message").startsWith("no agent in this JVM can swap probes"));
        }
    }
}
