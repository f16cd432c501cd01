package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopTest {
    private static final class Counting implements Target {
        final AtomicLong calls = new AtomicLong();

        @Override
        public long monitoredMethod(long methodTimeNs, int depth) {
            return calls.incrementAndGet();
        }
    }

    private static final class Waiting implements Target {
        private final BusyWait wait = BusyWait.chosen();

        @Override
        public long monitoredMethod(long methodTimeNs, int depth) {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        }
    }

    @ParameterizedTest
    @CsvSource({"1000, 1, 1", "1000, 3, 1", "1000, 1, 10", "1000, 2, 1000"})
    void everyCallIsMadeAndTimed(long calls, int threads, int batch) throws Exception {
        Counting target = new Counting();
        Loop loop = new Loop(target, 0, 1, calls, threads, batch);
        Run run = loop.run();
        assertEquals(calls * threads, target.calls.get());
        assertEquals(calls * threads, run.calls);
        assertEquals((new Compilations(1).times().length > 0 ? 3 : 2) * threads, loop.series().size());
        assertTrue(run.endNs > run.beginNs);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "999, 1", "1000, 1", "2500, 1", "25, 10"})
    void primingMakesAtLeastTheCallsAsked(long calls, int batch) {
        Counting target = new Counting();
        long made = new Loop(target, 0, 1, 1000, 1, batch).prime(calls);
        assertEquals(made, target.calls.get());
        assertTrue(made >= calls && made < calls + batch, made + " calls");
    }

    /** The few hundred bytes that reading the counters may take are all, however long the loop runs. */
    @ParameterizedTest
    @ValueSource(strings = {"lazy", "wall", "cpu"})
    void nothingIsAllocatedPerCall(String busyWait) throws Exception {
        BusyWait.choose(busyWait);
        for (int batch : new int[] {1, 10}) {
            for (int calls : new int[] {1000, 300_000}) {
                Run run = new Loop(new Waiting(), 0, 10, calls, 1, batch).run();
                assumeTrue(run.allocBytes >= 0, "needs a JVM that counts allocations per thread");
                assertTrue(run.allocBytes <= 2048, calls + " calls, batch " + batch + ": " + run.allocBytes + " B");
            }
        }
    }

    @Test
    void theReferenceIsInNoCpuTimeOfTheLoop() {
        assertEquals(700, new Run(0, 0, 1, 0, 1000, 0, 300).loopCpuNs());
        assertEquals(-1, new Run(0, 0, 1, 0, -1, 0, 300).loopCpuNs());
    }

    /** It is part of the thread's CPU time, never more, nor nothing where it was taken. */
    @Test
    void theReferenceSaysWhatItTook() throws Exception {
        Run run = new Loop(new Counting(), 0, 1, 100_000, 1, 1).run();
        assumeTrue(run.cpuNs >= 0, "needs a kernel that tells a thread's CPU time");
        assertTrue(run.referenceNs > 0 && run.loopCpuNs() > 0, run.referenceNs + " of " + run.cpuNs + " ns");
    }

    @Test
    void aThreadThatFailsFailsTheRun() {
        Loop loop = new Loop((ns, depth) -> {
            throw new UnsupportedOperationException("broken target");
        }, 0, 1, 10, 2, 1);
        String message = assertThrows(IllegalStateException.class, loop::run).getMessage();
        assertTrue(message.contains("moobench-0") && message.contains("broken target"), message);
    }

    @Test
    void busyWaitsUntilTheTimeIsOver() throws Exception {
        for (String kind : new String[] {"lazy", "wall"}) {
            BusyWait.choose(kind);
            long begin = System.nanoTime();
            BusyWait.chosen().spend(100_000);
            assertTrue(System.nanoTime() - begin >= 100_000, kind);
        }
    }
}
