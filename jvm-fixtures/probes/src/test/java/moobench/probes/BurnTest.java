package moobench.probes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Random;
import java.util.function.LongSupplier;
import moobench.kernel.Message;
import moobench.kernel.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BurnTest {
    private static final int BURNS = 100_000;

    @TempDir Path dir;

    /** The time that so many burns take, by a clock whose readings are step.getAsLong() apart. */
    private static long burnt(long ns, LongSupplier step) {
        Debt debt = new Debt();
        long sum = 0;
        for (int i = 0; i < BURNS; i++) {
            long wanted = debt.wanted(ns);
            assertTrue(wanted >= 0, "a burn of " + wanted + " ns");
            long burnt = 0;
            do {
                burnt += step.getAsLong();
            } while (burnt < wanted);
            sum += burnt;
            debt.settle(ns, burnt);
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"1000, 1", "1000, 25", "1000, 40", "1000, 333", "3000, 25", "3000, 499", "100, 25", "25, 25"})
    void theMeanIsTheChosenTimeWithinOneTick(long ns, int tick) {
        Random random = new Random(1);
        long late = burnt(ns, () -> 1 + random.nextInt(tick)) - ns * BURNS;
        assertTrue(late >= 0 && late < tick, late + " ns late after all burns");
        late = burnt(ns, () -> tick) - ns * BURNS;
        assertTrue(late >= 0 && late < tick, late + " ns late after all burns");
    }

    /** Now and then a reading comes late by far more than a tick: short delays are paid back, of long ones only a part. */
    @ParameterizedTest
    @CsvSource({"1000, 30000", "3000, 30000", "1000, 4000000", "3000, 4000000"})
    void onlyInterruptsArePaidBack(long ns, int delay) {
        int[] readings = {0};
        int[] delays = {0};
        long late = burnt(ns, () -> {
            boolean delayed = ++readings[0] % 100_000 == 50_000;
            delays[0] += delayed ? 1 : 0;
            return delayed ? delay : 25;
        }) - ns * BURNS;
        assertTrue(delays[0] > 10, delays[0] + " delays");
        long kept = Math.max(0, delay - Debt.LONGEST_NS);
        assertTrue(late >= (kept - ns) * delays[0] && late <= kept * delays[0] + Debt.LONGEST_NS, late + " ns late after " + delays[0] + " delays");
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000, 1000", "1000, 1025, 975", "1000, 2500, 0", "100, 1000000, 0"})
    void aBurnIsShorterByTheDebtAndNeverNegative(long ns, long burnt, long next) {
        Debt debt = new Debt();
        debt.settle(ns, burnt);
        assertEquals(next, debt.wanted(ns));
    }

    @Test
    void aDebtIsPaidBackBySeveralBurns() {
        Debt debt = new Debt();
        debt.settle(1000, 3525);
        debt.settle(1000, 25);
        debt.settle(1000, 25);
        assertEquals(425, debt.wanted(1000));
        debt.settle(1000, 425);
        assertEquals(1000, debt.wanted(1000));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1000, 1", "1000, 3"})
    void eachExecutionIsRecordedAndAllocatesNothing(long ns, int threads) throws Exception {
        try (Session session = Session.start(dir, "moobench.calls.Main", "-Dmoobench.burn.ns=" + ns)) {
            session.setUp("target=moobench.probes.Burn calls=2000 depth=5 threads=" + threads);
            Message measured = session.ask("measure");
            long expected = 10_000L * threads;
            assertEquals("" + expected, measured.require("recorded"));
            assertTrue(measured.integer("alloc_bytes") <= 2048L * threads, measured.toString());
            long wall = measured.integer("end_ns") - measured.integer("begin_ns");
            assertTrue(wall >= 10_000 * ns, wall + " ns for " + 10_000 * ns + " ns of burning");
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals("recorded=" + expected + "\n", session.file("records.count"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Dmoobench.burn.ns=", "-Dmoobench.burn.ns=0", "-Dmoobench.burn.ns=1us", "-Dno=time"})
    void aWrongTimeIsAnAnswer(String option) throws Exception {
        try (Session session = Session.start(dir, "moobench.calls.Main", option)) {
            Message answer = session.setUp("target=moobench.probes.Burn calls=1");
            assertEquals("error", answer.verb());
            assertEquals("bye", session.ask("quit").verb());
        }
    }
}
