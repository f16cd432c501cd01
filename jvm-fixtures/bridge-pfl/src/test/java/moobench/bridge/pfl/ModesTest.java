package moobench.bridge.pfl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import moobench.kernel.Message;
import moobench.kernel.Session;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The targets in each mode, with each monitor: a hundred calls to depth ten, of three threads. */
class ModesTest {
    private static final int CALLS = 100;
    private static final int ALL = 3 * 10 * CALLS;

    @TempDir static Path prepared;
    private static Path stage1;
    private static Path both;
    private static Path untouched;

    @TempDir Path dir;

    @BeforeAll
    static void prepare() throws Exception {
        stage1 = Prepared.classes(prepared, "stage1", "UpdateSchemas");
        both = Prepared.classes(prepared, "both", "TraceEnhance");
        untouched = Prepared.classes(prepared, "untouched", "TimingPoints"); // the tool's default: it says that all went well
    }

    private Session start(String mode, String monitor, String... more) throws Exception {
        Path classes = mode.equals("build") ? both : mode.equals("none") ? untouched : stage1;
        List<String> options = new ArrayList<>(Arrays.asList("-cp", classes + File.pathSeparator + Session.classPath(), "-Dmoobench.pfl.monitor=" + monitor));
        if (mode.equals("load")) {
            options.add(Session.agent(dir, "moobench.bridge.pfl.Agent"));
        } else if (mode.equals("hotswap")) {
            options.add(Session.agent(dir, "moobench.hotswap.Agent"));
            options.add("-Dmoobench.swapper=moobench.bridge.pfl.Retransforming");
        }
        String level = mode.equals("build") || mode.equals("load") ? "PHASE2" : mode.equals("none") ? "NONE" : "PHASE1";
        options.add("-Dmoobench.pfl.expects=" + level);
        options.addAll(Arrays.asList(more));
        return Session.start(dir, "moobench.calls.Main", options.toArray(new String[0]));
    }

    private static void setUp(Session session, String mode, String target) throws Exception {
        Message ready = session.setUp("target=moobench.bridge.pfl." + target + " calls=" + CALLS + " depth=10 threads=3");
        assertEquals("ready", ready.verb(), ready.toString());
        if (mode.equals("hotswap")) {
            swaps(session.ask("activate " + pattern(target)), 1, 1);
        }
    }

    private static String pattern(String target) {
        return "pattern=\"+ public long moobench.bridge.pfl." + target + ".monitoredMethod(long, int)\"";
    }

    private static void swaps(Message answer, int classes, int methods) {
        assertEquals("" + classes, answer.require("classes"), answer.toString());
        assertEquals("" + methods, answer.require("methods"), answer.toString());
        assertEquals("0", answer.require("failed"), answer.toString());
    }

    private static void counts(Session session, int executions, int infos, int exceptions) throws Exception {
        assertEquals("records entered=" + executions + " exceptions=" + exceptions + " exited=" + executions + " infos=" + infos + " recorded=" + executions,
                session.ask("records").toString());
    }

    private void ends(Session session, String recorded) throws Exception {
        session.ask("quit");
        assertEquals(0, session.exit());
        assertEquals(recorded, session.file("records.count"));
        assertEquals("", session.file("out.log"));
    }

    @ParameterizedTest
    @CsvSource({
        "build, count, Informed, 3000, 0",
        "load, compose, Informed, 3000, 0",
        "hotswap, compose, Thrown, 0, 300",
        "load, count, Thrown, 0, 300",
    })
    void eachExecutionIsCountedOnce(String mode, String monitor, String target, int infos, int exceptions) throws Exception {
        try (Session session = start(mode, monitor)) {
            setUp(session, mode, target);
            assertEquals("" + ALL, session.ask("measure").require("recorded"));
            counts(session, ALL, infos, exceptions);
            ends(session, "recorded=" + ALL + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "schema, count, Informed", "build, off, Traced", "load, noop, Thrown", "hotswap, noop, Informed",
    })
    void nothingIsRecorded(String mode, String monitor, String target) throws Exception {
        try (Session session = start(mode, monitor)) {
            setUp(session, mode, target);
            assertEquals("0", session.ask("measure").require("recorded"));
            counts(session, 0, 0, 0);
            ends(session, "recorded=0\n");
        }
    }

    @Test
    void dprintPrintsTwoLinesForEachExecution() throws Exception {
        try (Session session = start("build", "dprint")) {
            setUp(session, "build", "Traced");
            session.ask("measure");
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals(ALL, lines(session, "^\\(.*\\): moobench\\.bridge\\.pfl\\.Traced\\.monitoredMethod->\\(0 \\d+\\)$"));
            assertEquals(ALL, lines(session, "^\\(.*\\): moobench\\.bridge\\.pfl\\.Traced\\.monitoredMethod<-\\(0\\)$"));
            assertEquals(2 * ALL, lines(session, "^.*$"));
        }
    }

    private static int lines(Session session, String expression) throws Exception {
        Matcher matcher = Pattern.compile(expression, Pattern.MULTILINE).matcher(session.file("out.log"));
        int n = 0;
        while (matcher.find()) {
            n++;
        }
        return n;
    }

    @Test
    void theOperationTracerKeepsNoCount() throws Exception {
        try (Session session = start("build", "operationtracer")) {
            setUp(session, "build", "Traced");
            assertNull(session.ask("measure").get("recorded"));
            session.ask("quit");
            assertEquals(0, session.exit());
            assertFalse(Files.exists(dir.resolve("records.count")));
            assertEquals("", session.file("out.log"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Traced", "Informed"})
    void eachExecutionIsTimed(String target) throws Exception {
        try (Session session = start("build", "timing")) {
            setUp(session, "build", target);
            assertEquals("" + ALL, session.ask("measure").require("recorded"));
            ends(session, "recorded=" + ALL + "\n");
        }
    }

    /** PFL ends a timer at the exception and again at the exit: its stack is empty before the outermost exit. */
    @Test
    void whatThrowsCannotBeTimed() throws Exception {
        try (Session session = start("build", "timing")) {
            setUp(session, "build", "Thrown");
            Message answer = session.ask("measure");
            assertEquals("error", answer.verb(), answer.toString());
            assertTrue(answer.toString().contains("Unexpected empty stack for EXIT event"), answer.toString());
        }
    }

    @Test
    void inAndOutOfTheRunningClass() throws Exception {
        try (Session session = start("hotswap", "count")) {
            setUp(session, "hotswap", "Traced");
            for (int round = 1; round <= 3; round++) {
                swaps(session.ask("activate " + pattern("Traced")), round == 1 ? 0 : 1, round == 1 ? 0 : 1);
                assertEquals("" + ALL * round, session.ask("measure").require("recorded"));
                swaps(session.ask("deactivate " + pattern("Traced")), 1, 1);
                assertEquals("" + ALL * round, session.ask("measure").require("recorded"));
            }
            ends(session, "recorded=" + 3 * ALL + "\n");
        }
    }

    @Test
    void theRegistryIsForAll() throws Exception {
        try (Session session = start("build", "count", "-Dmoobench.swapper=moobench.bridge.pfl.Registry")) {
            setUp(session, "build", "Traced");
            assertEquals("" + ALL, session.ask("measure").require("recorded")); // nobody has asked for the swapper yet
            swaps(session.ask("deactivate pattern=\"* nowhere.Nothing.at(..)\""), 0, 0); // it is off since it was made
            assertEquals("" + ALL, session.ask("measure").require("recorded"));
            swaps(session.ask("activate pattern=\"* nowhere.Nothing.at(..)\""), 0, 1);
            assertEquals("" + 2 * ALL, session.ask("measure").require("recorded"));
            swaps(session.ask("activate pattern=\"* nowhere.Nothing.at(..)\""), 0, 0);
            swaps(session.ask("deactivate pattern=\"* nowhere.Nothing.at(..)\""), 0, 1);
            assertEquals("" + 2 * ALL, session.ask("measure").require("recorded"));
            ends(session, "recorded=" + 2 * ALL + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "none, PHASE2, NONE", "none, PHASE1, NONE", "schema, PHASE2, PHASE1", "build, PHASE1, PHASE2",
    })
    void anotherLevelIsNoticed(String mode, String wanted, String level) throws Exception {
        refused(mode, "count", "moobench.bridge.pfl.Traced is enhanced to " + level + ", want " + wanted + ": the enhancer did nothing",
                "-Dmoobench.pfl.expects=" + wanted);
    }

    @Test
    void anUnknownMonitorIsNoticed() throws Exception {
        refused("build", "all", "moobench.pfl.monitor must be off, noop, count, operationtracer, dprint, compose or timing, not all");
    }

    @Test
    void whatIsNotEnhancedCannotBeTimed() throws Exception {
        refused("none", "timing", "moobench.bridge.pfl.Traced is not registered with PFL: nothing can be timed in a class that is not enhanced");
    }

    private void refused(String mode, String monitor, String reason, String... options) throws Exception {
        try (Session session = start(mode, monitor, options)) {
            assertEquals("error message=\"" + reason + "\"", session.setUp("target=moobench.bridge.pfl.Traced calls=1").toString());
        }
    }

    /** The class is left as it is, and somebody hears why. */
    @Test
    void aClassThatCannotBeEnhancedIsNamed() throws Exception {
        String why = "java.lang.IllegalArgumentException: it has none of the annotations [";
        try (Session session = start("load", "count")) {
            assertEquals("ready", session.setUp("target=moobench.bridge.pfl.Half calls=1").verb());
            String log = session.file("out.log");
            assertTrue(log.startsWith("moobench: error: PFL's second stage for class moobench/bridge/pfl/Half: " + why), log);
        }
        try (Session session = start("hotswap", "count")) {
            session.setUp("target=moobench.bridge.pfl.Half calls=1");
            session.send("activate " + pattern("Half"));
            String failure = session.receive();
            assertTrue(failure.startsWith("failure reason=\"class moobench.bridge.pfl.Half: " + why), failure);
            assertEquals("1", Message.parse(session.receive()).require("failed"));
        }
    }
}
