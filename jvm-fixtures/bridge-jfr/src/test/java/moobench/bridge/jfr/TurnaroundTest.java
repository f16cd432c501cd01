package moobench.bridge.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import moobench.kernel.Message;
import moobench.kernel.Session;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fixture classes with clones of a target, a recording for each change: started, dumped and stopped. */
class TurnaroundTest {
    private static final String COLUMNS = "total,match,transform,swap,first_call,undo,recorded,dump,dump_bytes,stall,dump_stall,undo_stall";
    private static final int CALLS = 50;
    private static final int DEPTH = 4;

    @TempDir Path dir;

    @ParameterizedTest
    @CsvSource({
        "Instant, mxbean, direct, on, 2, 3, true",
        "IfDue, jcmd, direct, on, 1, 2, true",
        "Lasting, mxbean, breach, threshold, 1, 1, false",
    })
    void eachFirstCallIsInARecording(String target, String by, String how, String event, int atOnce, int samples, boolean some) throws Exception {
        try (Session session = Recordings.start(dir, "moobench.classes.Main", List.of("by=" + by, "dump=" + how, "event=" + event))) {
            Message ready = session.setUp("target=moobench.bridge.jfr." + target + " loaded=6 at_once=" + atOnce + " patterns=5 watcher=true"
                    + " samples=" + samples + " calls=" + CALLS + " depth=" + DEPTH);
            assertEquals("ready", ready.verb(), ready.toString());
            session.ask("prime calls=1000");
            Message measured = session.ask("measure");
            assertEquals("measured", measured.verb(), measured.toString());
            assertEquals("dumped", session.ask("dump").verb());
            session.ask("quit");
            assertEquals(0, session.exit());
        }
        long recorded = 0;
        for (int i = 1; i <= samples + 1; i++) { // the last is of the hot method
            recorded += Recordings.executions(dir.resolve("recording-" + i + ".jfr")).size();
        }
        assertEquals(some ? samples * atOnce + CALLS * DEPTH : 0, recorded);
        assertEquals(some ? atOnce : 0, Recordings.executions(dir.resolve("dump.jfr")).size());
        assertEquals(how.equals("breach") ? 1 : 0, Recordings.events(dir.resolve("dump.jfr"), Breach.NAME).size());
        check("first", 1);
        check("turnaround", samples - 1);
    }

    private void check(String series, int rows) throws Exception {
        byte[] file = Files.readAllBytes(dir.resolve(series + ".0.i64"));
        int end = 0;
        while (file[end] != '\n') {
            end++;
        }
        List<String> columns = Arrays.asList(COLUMNS.split(","));
        String header = new String(file, 0, end, "US-ASCII");
        assertEquals(COLUMNS, header.replaceAll(".* columns=(\\S+) .*", "$1").replaceAll(":[^,]*", ""));
        assertTrue(header.contains(" n=" + rows + " "), header);
        ByteBuffer values = ByteBuffer.wrap(file, end + 1, file.length - end - 1).slice().order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < rows; i++) {
            for (String column : columns) {
                long value = values.getLong();
                switch (column) {
                    case "match":
                    case "transform": assertEquals(0, value, column); break;
                    case "recorded": assertEquals(-1, value, column); break;
                    default: assertTrue(value > 0, column + " " + value); break;
                }
            }
        }
    }
}
