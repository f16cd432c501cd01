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
        long wallNs = run.endNs - run.beginNs;
        assertTrue(run.threadsNs > 0 && run.threadsNs <= threads * wallNs, run.threadsNs + " ns in " + wallNs);
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

    /** However long a thread sleeps in between, and whether or not it comes late. */
    @Test
    void nothingIsAllocatedPerPacedCall() throws Exception {
        for (int calls : new int[] {1000, 100_000}) {
            Run run = new Loop(new Waiting(), 0, 10, calls, 1, 1, 1_000_000).run();
            assumeTrue(run.allocBytes >= 0, "needs a JVM that counts allocations per thread");
            assertTrue(run.allocBytes <= 2048, calls + " calls: " + run.allocBytes + " B");
        }
        Message window = new Loop(new Waiting(), 0, 10, 1, 1, 1).paced().take(100_000, 200_000_000);
        assertTrue(window.integer("alloc_bytes") <= 2048, window.toString());
    }

    /** No call before it is due: so many take as long as their rate says, or longer. */
    @ParameterizedTest
    @CsvSource({"1, 5000", "3, 6000"})
    void callsAtARateComeWhenTheyAreDue(int threads, long rate) throws Exception {
        Counting target = new Counting();
        Run run = new Loop(target, 0, 1, 100, threads, 1, rate).run();
        assertEquals(100 * threads, target.calls.get());
        long lastDueNs = (100 * threads - 1) * 1_000_000_000L / rate - 1_000_000_000L * threads / rate; // threads begin one after the other
        assertTrue(run.endNs - run.beginNs >= lastDueNs, run.endNs - run.beginNs + " ns");
        assertTrue(run.lateNs >= 0, run.lateNs + " ns late");
        assertEquals(-1, new Loop(target, 0, 1, 10, 1, 1).run().lateNs);
    }

    /** A call that takes longer than their distance makes those behind it late, and the last ones are not made. */
    @Test
    void aWindowCountsWhatWasReallyCalled() throws Exception {
        Message all = new Loop(new Counting(), 0, 1, 1, 2, 1).paced().take(8, 490_000_000); // the last is due 115 ms before the end
        assertEquals(4, all.integer("calls"));
        BusyWait.choose("wall");
        Message few = new Loop(new Waiting(), 5_000_000, 1, 1, 1, 1).paced().take(1000, 50_000_000);
        long calls = few.integer("calls");
        assertTrue(calls >= 1 && calls <= 10, few.toString());
        assertTrue(few.integer("busy_ns") >= calls * 5_000_000, few.toString());
        assertTrue(few.integer("late_ns") >= calls * (calls - 1) / 2 * 4_000_000, few.toString());
    }

    @Test
    void aBatchAtARateIsRefused() {
        String why = assertThrows(IllegalArgumentException.class, () -> new Loop(new Counting(), 0, 1, 100, 1, 10, 1000)).getMessage();
        assertTrue(why.contains("batch = 1, not 10"), why);
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

    /** As many calls as a batch of the reference has in the whole loop, of whose times one is left out. */
    @ParameterizedTest
    @CsvSource({
        "500000, 1, 1, 1, 500, 3", // every 125 calls, in batches of four
        "500000, 2, 1, 501, 2000, 12",
        "1000000, 1, 10, 1, 1000, 3",
        "7999, 1, 1, 1, 7, 6",
        "1000, 1, 1, 3, 3, 3", // a batch has one time, and keeps it
    })
    void aTurnTakesTheReferenceAsTheLoopDoes(long calls, int threads, int batch, long asked, long made, long references) throws Exception {
        Counting target = new Counting();
        Turns turns = new Loop(target, 0, 1, calls, threads, batch).turns();
        for (int i = 1; i <= 3; i++) {
            Message turned = turns.take(asked);
            assertEquals(made, turned.integer("calls"));
            assertEquals(i * made, target.calls.get());
            assertEquals(references, turned.integer("references"));
            assertTrue(turned.integer("reference_ns") < turned.integer("end_ns"));
        }
    }

    /** In a turn of seconds as in one of milliseconds: no thread is started, no sample kept. */
    @Test
    void aTurnAllocatesNothingPerCall() throws Exception {
        Turns turns = new Loop(new Waiting(), 0, 10, 500_000, 1, 1).turns();
        turns.take(1000);
        java.lang.management.ThreadMXBean bean = java.lang.management.ManagementFactory.getThreadMXBean();
        assumeTrue(bean instanceof com.sun.management.ThreadMXBean, "needs a JVM that counts allocations per thread");
        long thread = turns.threads().get(0).getId();
        long before = ((com.sun.management.ThreadMXBean) bean).getThreadAllocatedBytes(thread);
        turns.take(300_000);
        long bytes = ((com.sun.management.ThreadMXBean) bean).getThreadAllocatedBytes(thread) - before;
        assertTrue(bytes <= 2048, bytes + " B");
    }

    @Test
    void aThreadThatFailsFailsItsTurn() {
        Turns turns = new Loop((ns, depth) -> {
            throw new UnsupportedOperationException("broken target");
        }, 0, 1, 10, 2, 1).turns();
        for (int i = 0; i < 2; i++) { // and doesn't keep the next one waiting
            String message = assertThrows(IllegalStateException.class, () -> turns.take(1)).getMessage();
            assertTrue(message.contains("moobench-0") && message.contains("broken target"), message);
        }
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
