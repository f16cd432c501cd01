package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import moobench.kernel.Message;
import moobench.kernel.Session;
import moobench.kernel.Transcript;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class AgentTest {
    private static final String MAIN = "moobench.calls.Main";
    private static final String PLAIN = "+ public long moobench.calls.Plain.monitoredMethod(long, int)";

    @TempDir Path dir;
    private String agent;

    @BeforeEach
    void makeAgent() throws Exception {
        agent = Session.agent(dir, Agent.class.getName());
    }

    @Test
    void transcript() throws Exception {
        try (Session session = Session.start(dir, MAIN, agent)) {
            Transcript.replay("hotswap.txt", session);
            assertEquals(0, session.exit());
            assertEquals("", session.file("out.log"));
            assertEquals("recorded=10000\n", session.file("records.count"));
        }
    }

    /** The list of patterns, exchanged and asked for; the agent has none at first. */
    @Test
    void transcriptOfPatterns() throws Exception {
        try (Session session = Session.start(dir, MAIN, agent)) {
            Transcript.replay("patterns.txt", session);
            assertEquals(0, session.exit());
            assertEquals("", session.file("out.log"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "inactive, moobench.calls.Plain, monitoredMethod, 1, 0",
        "collect, moobench.calls.Plain, monitoredMethod, 3, 150000",
        "write, moobench.calls.Plain, monitoredMethod, 3, 150000",
        "collect, moobench.sample.Throwing, inner, 2, 100000",
        "write, moobench.sample.Throwing, inner, 1, 50000",
    })
    void atLoadAndSwappedInTheSameIsRecorded(String stage, String target, String method, int threads, long expected) throws Exception {
        String pattern = "+ * " + target + "." + method + "(..)";
        String setup = "target=" + target + " calls=5000 depth=10 threads=" + threads;
        try (Session session = Session.start(dir, MAIN, agent, "-Dmoobench.probe.stage=" + stage, "-Dmoobench.probe.load=" + pattern)) {
            session.setUp(setup);
            check(session, expected);
        }
        try (Session session = Session.start(dir, MAIN, agent, "-Dmoobench.probe.stage=" + stage)) {
            session.setUp(setup);
            session.ask("prime calls=1000");
            assertEquals("active", session.ask("activate pattern=\"" + pattern + "\"").verb());
            check(session, expected);
        }
    }

    private static void check(Session session, long expected) throws Exception {
        long bytes = session.ask("measure").integer("alloc_bytes");
        assertTrue(bytes < 10_000_000, bytes + " B"); // exceptions are the application's; records take nothing
        assertEquals("records entered=" + expected + " exited=" + expected + " recorded=" + expected, session.ask("records").toString());
        session.ask("quit");
        assertEquals(0, session.exit());
        assertEquals("recorded=" + expected + "\n", session.file("records.count"));
    }

    /** With a linger time, on and off exchange no class; whose probe it is makes no difference. */
    @ParameterizedTest
    @ValueSource(strings = {"moobench", "kieker"})
    void aProbeThatLingersIsSwitched(String probe) throws Exception {
        try (Session session = Session.start(dir, MAIN, agent, "-Dmoobench.hotswap.linger=1h", "-Dmoobench.hotswap.probe=" + probe,
                "-Dkieker.monitoring.writer=foreign.RecordWriter", "-Dkieker.monitoring.hostname=the-host")) {
            session.setUp("target=moobench.calls.Plain calls=100 depth=10");
            for (int round = 1; round <= 3; round++) {
                Message on = session.ask("activate pattern=\"" + PLAIN + "\"");
                assertEquals(round == 1 ? "1 1" : "0 1", on.require("classes") + " " + on.require("methods"));
                assertEquals("" + 1000 * round, session.ask("measure").require("recorded"));
                Message off = session.ask("deactivate pattern=\"" + PLAIN + "\"");
                assertEquals("0 1", off.require("classes") + " " + off.require("methods"));
                assertEquals("" + 1000 * round, session.ask("measure").require("recorded"));
            }
            assertEquals("records entered=3000 exited=3000 recorded=3000", session.ask("records").toString());
            session.ask("quit");
            assertEquals(0, session.exit());
        }
        boolean ours = probe.equals("moobench"); // Kieker's writer says itself how many came to its end
        assertEquals(ours, Files.exists(dir.resolve("records.count")));
        assertEquals(!ours, Files.exists(dir.resolve("records.txt")) && Files.readAllLines(dir.resolve("records.txt")).size() == 3000);
    }

    @Test
    void inAndOutAsOftenAsOneLikes() throws Exception {
        try (Session session = Session.start(dir, MAIN, agent)) {
            session.setUp("target=moobench.calls.Plain calls=100 depth=10");
            for (int round = 1; round <= 20; round++) {
                session.ask("activate pattern=\"" + PLAIN + "\"");
                assertEquals("" + 1000 * round, session.ask("measure").require("recorded"));
                session.ask("deactivate pattern=\"" + PLAIN + "\"");
                assertEquals("" + 1000 * round, session.ask("measure").require("recorded"));
            }
            assertEquals("records entered=20000 exited=20000 recorded=20000", session.ask("records").toString());
        }
    }

    /** A method that is as large as it can be: with a probe it would be too large. */
    @Test
    void aFailedSwapIsAnAnswerAndChangesNothing() throws Exception {
        Path type = dir.resolve("big/Big.class");
        Files.createDirectories(type.getParent());
        Files.write(type, big());
        try (Session session = Session.start(dir, MAIN, agent, "-cp", Session.classPath() + java.io.File.pathSeparator + dir)) {
            session.setUp("target=big.Big calls=100");
            session.send("activate pattern=\"+ * big.Big.*(..)\"");
            String failure = Message.parse(session.receive()).require("reason");
            assertTrue(failure.startsWith("public long big.Big.monitoredMethod(long, int): with a probe it is larger"), failure);
            Message answer = Message.parse(session.receive());
            assertEquals("active 0 1", answer.verb() + " " + answer.require("classes") + " " + answer.require("failed"));
            assertEquals("0", session.ask("measure").require("recorded"));
        }
    }

    private static byte[] big() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, "big/Big", null, "java/lang/Object", new String[] {"moobench/kernel/Target"});
        MethodVisitor init = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitVarInsn(Opcodes.ALOAD, 0);
        init.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        init.visitInsn(Opcodes.RETURN);
        init.visitMaxs(1, 1);
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC, "monitoredMethod", "(JI)J", null, null);
        for (int i = 0; i < 65_530; i++) {
            method.visitInsn(Opcodes.NOP);
        }
        method.visitVarInsn(Opcodes.LLOAD, 1);
        method.visitInsn(Opcodes.LRETURN);
        method.visitMaxs(2, 4);
        return writer.toByteArray();
    }

    /** Classes that don't see the probe, our own, and none at all: nothing is exchanged, and that is not an error. */
    @ParameterizedTest
    @ValueSource(strings = {"+ * java.lang.String.*(..)", "+ * moobench.kernel.Loop.*(..)", "+ * nowhere.Nothing.at(..)"})
    void whereNoProbeCanBeNothingIsExchanged(String pattern) throws Exception {
        try (Session session = Session.start(dir, MAIN, agent)) {
            session.setUp("target=moobench.calls.Plain calls=100");
            Message answer = session.ask("activate pattern=\"" + pattern + "\"");
            assertEquals("active 0 0 0", answer.verb() + " " + answer.get("classes") + " " + answer.get("methods") + " " + answer.get("failed"));
        }
    }

    /** Whatever the agent comes with, a JVM that was asked for something wrong doesn't start. */
    @ParameterizedTest
    @ValueSource(strings = {"-Dmoobench.probe.load=+ no pattern", "-Dmoobench.hotswap.linger=soon", "-Dmoobench.hotswap.lingr=1s", "-Dmoobench.hotswap.token=alone"})
    void aWrongSettingStopsTheJvm(String option) throws Exception {
        java.io.IOException e = assertThrows(java.io.IOException.class, () -> Session.start(dir, MAIN, agent, option));
        assertTrue(e.getMessage().contains("moobench: error: hotswap agent: "), e.getMessage());
    }

    /** The wrong class named: nothing is instrumented, and the count says so. */
    @Test
    void aPatternThatMissesLeavesACountOfZero() throws Exception {
        try (Session session = Session.start(dir, MAIN, agent, "-Dmoobench.probe.load=+ * nowhere.Nothing.at(..)")) {
            session.setUp("target=moobench.calls.Plain calls=100");
            session.ask("measure");
            session.ask("quit");
            session.exit();
            assertEquals("recorded=0\n", session.file("records.count"));
        }
    }
}
