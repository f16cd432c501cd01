package moobench.bridge.pfl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moobench.kernel.Message;
import moobench.kernel.Session;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fixture classes with clones of the enhanced targets, each of which is registered with PFL as a class of its own. */
class TurnaroundTest {
    private static final int SAMPLES = 7;
    private static final int CALLS = 300;
    private static final int DEPTH = 4;

    @TempDir static Path prepared;
    private static Path stage1;
    private static Path both;

    @TempDir Path dir;

    @BeforeAll
    static void prepare() throws Exception {
        stage1 = Prepared.classes(prepared, "stage1", "UpdateSchemas");
        both = Prepared.classes(prepared, "both", "TraceEnhance");
    }

    private Session start(String swapper) throws Exception {
        boolean running = swapper.equals("Retransforming");
        List<String> options = new ArrayList<>(Arrays.asList("-cp", (running ? stage1 : both) + File.pathSeparator + Session.classPath(),
                "-Dmoobench.pfl.monitor=count", "-Dmoobench.pfl.expects=" + (running ? "PHASE1" : "PHASE2"), "-Dmoobench.swapper=moobench.bridge.pfl." + swapper));
        if (running) {
            options.add(Session.agent(dir, "moobench.hotswap.Agent"));
        }
        return Session.start(dir, "moobench.classes.Main", options.toArray(new String[0]));
    }

    @ParameterizedTest
    @CsvSource({
        "Retransforming, Traced, 1, 3, false",
        "Retransforming, Informed, 2, 1, false",
        "Registry, Thrown, 1, 1, true",
    })
    void eachClassProvesItsRecord(String swapper, String target, int methods, int atOnce, boolean atLoad) throws Exception {
        try (Session session = start(swapper)) {
            Message ready = session.setUp("target=moobench.bridge.pfl." + target + " loaded=30 methods=" + methods + " at_once=" + atOnce + " at_load=" + atLoad
                    + " samples=" + SAMPLES + " calls=" + CALLS + " depth=" + DEPTH);
            assertEquals("ready", ready.verb(), ready.toString());
            session.ask("prime calls=1000");
            Message measured = session.ask("measure");
            assertEquals("measured", measured.verb(), measured.toString());
            long recorded = SAMPLES * (long) atOnce + CALLS * DEPTH;
            Message records = session.ask("records");
            assertEquals(recorded, records.integer("entered"), records.toString());
            assertEquals(recorded, records.integer("exited"), records.toString());
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals("recorded=" + recorded + "\n", session.file("records.count"));
            assertEquals("", session.file("out.log"));
        }
    }
}
