package moobench.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import moobench.kernel.Message;
import moobench.kernel.Series;
import moobench.kernel.Session;
import moobench.kernel.Setup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @TempDir
    Path dir;

    private final Main main = new Main();

    /** Sets up, runs twice, and returns the number of entries of the last run; the harness may ask for a second one too. */
    private long run(String setup) throws Exception {
        main.setup(new Setup(Message.parse(Session.whole(setup, "program=array_list_of_array_list", "runs=50", "threads=4", "locks=1", "work=0", "outside=0",
                "rounds=1", "busy_wait=lazy"))));
        long calls = main.run().calls;
        assertEquals(calls, main.run().calls);
        return calls;
    }

    /** The names of the series, and how many values are in each. */
    private String series() throws Exception {
        List<String> all = new ArrayList<>();
        for (Series series : main.series()) {
            series.write(dir);
            String[] header = Files.readAllLines(dir.resolve(series.file()), StandardCharsets.ISO_8859_1).get(0).split(" ");
            assertEquals("columns=t:ns:duration", header[4]);
            all.add(header[2] + " " + header[5]);
        }
        return String.join(", ", all);
    }

    /** Each program checks itself. */
    @ParameterizedTest
    @ValueSource(strings = {
        "arithmetic", "append_to_list", "hashmap", "allocation", "string", "sort_linked_list", "sort_array_list", "stack", "array_data_locality",
        "array_list_of_array_list", "growing_integer_list", "sort_random_list", "network_reachable",
    })
    void programsAreExecutedAsOftenAsIsAskedFor(String program) throws Exception {
        assertEquals(1, run("runs=1 program=" + program));
        assertEquals(2 * 5, run("runs=5 rounds=2 program=" + program));
        assertEquals("series=round n=2, series=execution n=10", series());
    }

    /** Where elements are removed, and where a list is full. */
    @ParameterizedTest
    @ValueSource(strings = {"hashmap", "allocation", "string", "stack", "growing_integer_list"})
    void programsStayWhole(String program) throws Exception {
        for (int runs : new int[] {2, 3, 4, 5, 6, 4096, 4097, 10_000}) {
            assertEquals(runs, run("program=" + program + " runs=" + runs));
        }
    }

    @Test
    void itsOwnProgramsTakeAsManyRunsAsThePaper() throws Exception {
        assertEquals(50, run(""));
        assertEquals("series=round n=1, series=execution n=50", series());
    }

    @Test
    void fastAndSlowAreThePapers() throws Exception {
        RandomFastSlowTest test = new RandomFastSlowTest(250);
        assertEquals(249, IntStream.range(0, 500).filter(test::isSlow).count());
        assertEquals(251, IntStream.range(0, 500).filter(i -> !test.isSlow(i)).count());
        assertEquals(2, run("program=random_fast_slow runs=1"));
        assertEquals("series=round n=1, series=execution n=1, series=slow n=1", series());
        assertEquals(2 * 2 * 3, run("program=random_fast_slow runs=3 rounds=2"));
        assertEquals("series=round n=2, series=execution n=8, series=slow n=4", series());
    }

    @Test
    void nestedLocksAreCountedEach() throws Exception {
        assertEquals(4 * 20 * 2, run("program=nested_synchronized runs=20 rounds=2"));
        assertEquals("series=round n=2, series=execution n=40", series());
    }

    @Test
    void contendedCountsAllThreads() throws Exception {
        assertEquals(4 * 500, run("program=contended runs=500"));
        assertEquals("series=round n=1, series=execution n=500", series());
        assertEquals(3 * 10 * 2, run("program=contended locks=2 threads=3 runs=10 rounds=2 work=100000 outside=1000 busy_wait=wall"));
        assertEquals("series=round n=2, series=execution n=20", series());
    }

    @Test
    void whatCannotBeRunIsRefused() {
        for (String setup : Arrays.asList("program=nothing", "runs=0", "run=5", "work=-1", "threads=2147483648")) {
            String said = assertThrows(IllegalArgumentException.class, () -> run(setup)).getMessage();
            assertTrue(said.startsWith("setup: "), said);
        }
    }
}
