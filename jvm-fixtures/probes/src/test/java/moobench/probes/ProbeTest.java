package moobench.probes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import moobench.kernel.Message;
import moobench.kernel.Session;
import moobench.kernel.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeTest {
    private static final String MAIN = "moobench.calls.Main";

    @TempDir Path dir;

    /** Throws at the bottom, through every level but the outermost. */
    public static final class Throwing implements Target {
        private static final int METHOD = Probe.method("Throwing");

        @Override
        public long monitoredMethod(long methodTimeNs, int depth) {
            try {
                return inner(depth);
            } catch (IllegalStateException e) {
                return depth;
            }
        }

        private long inner(int depth) {
            long token = Probe.enterIfActive();
            try {
                if (depth == 1) {
                    throw new IllegalStateException("bottom");
                }
                return inner(depth - 1);
            } finally {
                Probe.exit(token, METHOD);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "inactive, moobench.probes.Manual, 1, 0",
        "collect, moobench.probes.Manual, 1, 50000",
        "collect, moobench.probes.Manual, 3, 150000",
        "collect, moobench.probes.ProbeTest$Throwing, 2, 100000",
        "write, moobench.probes.Manual, 1, 50000",
        "write, moobench.probes.Manual, 3, 150000",
        "write, moobench.probes.ProbeTest$Throwing, 2, 100000",
    })
    void enteredIsExitedIsRecorded(String stage, String target, int threads, long expected) throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Dmoobench.probe.stage=" + stage)) {
            session.setUp("target=" + target + " calls=5000 depth=10 threads=" + threads);
            Message measured = session.ask("measure");
            assertEquals("" + expected, measured.require("recorded"));
            assertEquals("records entered=" + expected + " exited=" + expected + " recorded=" + expected, session.ask("records").toString());
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals("recorded=" + expected + "\n", session.file("records.count"));
            assertEquals("", session.file("out.log"));
        }
        if (stage.equals("write")) {
            checkFile(expected, threads);
        } else {
            assertFalse(Files.exists(dir.resolve("probe.bin")));
        }
    }

    private void checkFile(long expected, int threads) throws Exception {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(dir.resolve("probe.bin"))).order(ByteOrder.LITTLE_ENDIAN);
        byte[] header = new byte["moobench-records 1 size=32\n".length()];
        file.get(header);
        assertEquals("moobench-records 1 size=32\n", new String(header, StandardCharsets.US_ASCII));
        assertEquals(32 * expected, file.remaining());
        Set<Long> sequence = new HashSet<>();
        Set<Long> writers = new HashSet<>();
        for (long i = 0; i < expected; i++) {
            long begin = file.getLong();
            assertTrue(file.getLong() >= begin);
            assertEquals(0, file.getInt()); // the only method
            int depth = file.getInt();
            assertTrue(depth >= 0 && depth < 10, "depth " + depth);
            long number = file.getLong();
            sequence.add(number);
            writers.add(number >> 40);
        }
        assertEquals(expected, sequence.size());
        assertEquals(threads, writers.size());
    }

    /** Stages without output allocate nothing per record; the buffers are made before the loop. */
    @ParameterizedTest
    @CsvSource({"inactive", "collect", "write"})
    void nothingIsAllocatedPerRecord(String stage) throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Dmoobench.probe.stage=" + stage)) {
            session.setUp("target=moobench.probes.Manual calls=50000 depth=10");
            long bytes = session.ask("measure").integer("alloc_bytes");
            assertTrue(bytes <= 2048, bytes + " B");
        }
    }

    @Test
    void anUnknownStageIsAnAnswer() throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Dmoobench.probe.stage=sometimes")) {
            assertEquals("error", session.setUp("target=moobench.probes.Manual calls=1").verb());
            assertEquals("bye", session.ask("quit").verb());
        }
    }

    @Test
    void switchedOffItRecordsNothing() {
        assertTrue(Probe.isActive());
        Probe.setActive(false);
        assertEquals(Probe.OFF, Probe.enterIfActive());
        Probe.exit(Probe.OFF, 0);
        Probe.setActive(true);
        assertTrue(Probe.enterIfActive() != Probe.OFF);
    }
}
