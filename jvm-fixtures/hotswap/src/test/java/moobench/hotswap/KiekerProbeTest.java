package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import moobench.kernel.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real records of a real Kieker, in a JVM that isn't ours; a line is: trace, eoi, ess, session, signature. */
class KiekerProbeTest {
    private static final String NONE = "<no-session-id>";

    @TempDir Path root;
    private Foreign jvm;
    private Channel channel;

    @BeforeEach
    void start() throws Exception {
        jvm = new Foreign(root);
        channel = new Channel();
        jvm.start(true, jvm.agent(jvm.classes() + "," + channel.settings()), "-Dkieker.monitoring.writer=foreign.RecordWriter",
                "-Dkieker.monitoring.hostname=the-host", "-Dkieker.monitoring.metadata=false", "-Dkieker.monitoring.skipDefaultAOPConfiguration=true");
        assertEquals("kieker", channel.hello().get("probe"));
    }

    @AfterEach
    void stop() throws Exception {
        channel.close();
        jvm.close();
    }

    private void activate(String... methods) throws Exception {
        for (String method : methods) {
            assertEquals("1", channel.last("activate pattern=\"* foreign.Work." + method + "(..)\"", "active").get("methods"), method);
        }
    }

    /** Ends the program, and returns what Kieker has written: all of it, for which Kieker itself waits a few seconds only. */
    private List<String> records() throws Exception {
        long recorded = Message.parse(channel.records()).integer("recorded");
        for (int i = 0; i < 600 && Files.readAllLines(jvm.dir.resolve("records.txt")).size() < recorded; i++) {
            Thread.sleep(100);
        }
        assertEquals(0, jvm.end());
        assertEquals(Arrays.asList("records.txt"), jvm.files().stream().filter(name -> name.startsWith("records")).collect(Collectors.toList()));
        return Files.readAllLines(jvm.dir.resolve("records.txt"));
    }

    @Test
    void theTraceOfAKnownTreeOfCalls() throws Exception {
        activate("outer", "recurse", "leaf", "failing");
        assertEquals("5", jvm.run("tree"));
        assertEquals("records entered=8 exited=8 recorded=8", channel.records());
        assertEquals(tree(0), records());
    }

    private static List<String> tree(int trace) {
        return Arrays.asList(
                trace + " 3 3 " + NONE + " int foreign.Work.recurse(int)",
                trace + " 2 2 " + NONE + " int foreign.Work.recurse(int)",
                trace + " 1 1 " + NONE + " int foreign.Work.recurse(int)",
                trace + " 4 1 " + NONE + " int foreign.Work.leaf()",
                trace + " 6 2 " + NONE + " int foreign.Work.leaf()",
                trace + " 5 1 " + NONE + " int foreign.Work.failing()",
                trace + " 7 1 " + NONE + " int foreign.Work.leaf()",
                trace + " 0 0 " + NONE + " int foreign.Work.outer(int)");
    }

    /** What entered exits, though its probe is gone; what was entered without a probe has no part in the trace. */
    @Test
    void toggledInTheMiddleOfACall() throws Exception {
        activate("hold", "leaf");
        assertEquals("holding", jvm.run("hold"));
        channel.ask("replace patterns=\"\"", "replaced");
        assertEquals("2", jvm.run("go on"));
        assertEquals("records entered=2 exited=2 recorded=2", channel.records());
        assertEquals("holding", jvm.run("hold"));
        activate("hold", "leaf");
        assertEquals("2", jvm.run("go on"));
        assertEquals("holding", jvm.run("hold"));
        channel.ask("replace patterns=\"+ * foreign.Work.leaf(..)\"", "replaced");
        assertEquals("2", jvm.run("go on"));
        assertEquals("records entered=6 exited=6 recorded=6", channel.records());
        assertEquals(Arrays.asList(
                "0 1 1 " + NONE + " int foreign.Work.leaf()", "0 0 0 " + NONE + " int foreign.Work.hold()",
                "1 0 0 " + NONE + " int foreign.Work.leaf()",
                "2 1 1 " + NONE + " int foreign.Work.leaf()", "2 2 1 " + NONE + " int foreign.Work.leaf()", "2 0 0 " + NONE + " int foreign.Work.hold()"),
                records());
    }

    @Test
    void withKiekersOwnProbeOnTheStack() throws Exception {
        activate("before", "leaf");
        assertEquals("2", jvm.run("manual"));
        assertEquals(Arrays.asList(
                "0 1 1 " + NONE + " int foreign.Work.leaf()", "0 3 2 s1 int foreign.Work.leaf()", "0 2 1 s1 int by.Hand.probed()",
                "0 4 1 " + NONE + " int foreign.Work.leaf()", "0 0 0 " + NONE + " int foreign.Work.before()"), records());
    }

    @Test
    void disabledMonitoringRecordsNothing() throws Exception {
        activate("hold", "leaf");
        jvm.run("disable");
        assertEquals("5", jvm.run("tree"));
        assertEquals("records entered=0 exited=0 recorded=0", channel.records());
        jvm.run("enable");
        channel.ask("replace patterns=\"\"", "replaced");
        activate("outer", "recurse", "leaf", "failing");
        assertEquals("5", jvm.run("tree"));
        assertEquals(tree(0), records());
    }

    /** A record of what makes records would make records without end. */
    @Test
    void kiekerItselfHoldsNoProbe() throws Exception {
        activate("leaf");
        assertEquals("0", channel.last("activate pattern=\"* kieker.monitoring..*.*(..)\"", "active").get("methods"));
        assertEquals("0", channel.last("activate pattern=\"* kieker.common..*.*(..)\"", "active").get("methods"));
    }

    @Test
    void severalThreadsHaveTracesOfTheirOwn() throws Exception {
        activate("outer", "recurse", "leaf", "failing");
        assertEquals("done", jvm.run("threads"));
        assertEquals("5", jvm.run("tree"));
        assertEquals("records entered=16008 exited=16008 recorded=16008", channel.records());
        List<String> lines = records();
        assertEquals(16008, lines.size());
        List<String> inOneTrace = lines.stream().filter(line -> line.startsWith("1234 ")).collect(Collectors.toList());
        assertEquals(tree(1234), inOneTrace);
        assertTrue(lines.stream().noneMatch(line -> line.contains("ODD")));
    }
}
