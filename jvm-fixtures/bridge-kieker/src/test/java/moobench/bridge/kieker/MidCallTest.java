package moobench.bridge.kieker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.core.controller.MonitoringController;
import moobench.kernel.Probes;
import org.junit.jupiter.api.Test;

/** The real Kieker in this JVM; there is one controller, so this is one test. */
class MidCallTest {
    private static final String PATTERN = "public long moobench.bridge.kieker.Manual.monitoredMethod(long, int)";
    private static final int DEPTH = 10;
    private static final int THREADS = 4;
    private static final int CALLS = 3000;
    private static final int PATIENCE_S = 60;

    /** Whatever the moment at which it is switched, each trace that was begun is whole: its executions lie in each other. */
    @Test
    void tracesAreWholeWhereTheProbeIsSwitchedInTheMiddleOfACall() throws Exception {
        System.setProperty("kieker.monitoring.hostname", "here");
        System.setProperty("kieker.monitoring.metadata", "false");
        System.setProperty("kieker.monitoring.jmx", "false");
        System.setProperty("kieker.monitoring.writer", KeepingWriter.class.getName());
        System.setProperty("kieker.monitoring.adaptiveMonitoring.enabled", "true");
        System.setProperty("kieker.monitoring.adaptiveMonitoring.readInterval", "0");
        System.setProperty("moobench.swapper", AdaptiveSwapper.class.getName());
        AdaptiveSwapper swapper = (AdaptiveSwapper) Probes.swapper();
        Manual target = new Manual();
        List<Thread> callers = callers(target);
        int toggles = 0;
        for (; callers.stream().anyMatch(Thread::isAlive) || toggles % 2 == 1; toggles++) {
            assertTrue((toggles % 2 == 0 ? swapper.deactivate(PATTERN) : swapper.activate("+ " + PATTERN)).failures.isEmpty());
            Thread.sleep(0, 200_000);
        }
        int before = settled();
        target.monitoredMethod(0, DEPTH); // switched on: its trace begins anew
        assertEquals(before + DEPTH, settled());
        assertEquals(before + DEPTH, Probes.counted("entered"));
        assertEquals(before + DEPTH, Probes.counted("exited"));
        Map<Long, List<OperationExecutionRecord>> traces = new TreeMap<>();
        KeepingWriter.RECORDS.forEach(r -> traces.computeIfAbsent(r.getTraceId(), id -> new ArrayList<>()).add(r));
        boolean partly = false;
        for (List<OperationExecutionRecord> trace : traces.values()) {
            checkNested(trace);
            partly |= trace.size() < DEPTH;
        }
        assertTrue(partly, "no call was switched in its middle: " + toggles + " toggles, " + traces.size() + " traces");
        assertEquals("+" + PATTERN, swapper.patterns().get(toggles - 1));
        assertTrue(swapper.remove(PATTERN).failures.isEmpty());
        assertTrue(swapper.patterns().isEmpty());
        assertEquals(1, swapper.activate("(").failures.size());
        assertTrue(MonitoringController.getInstance().terminateMonitoring());
    }

    private static List<Thread> callers(Manual target) {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread caller = new Thread(() -> {
                for (int call = 0; call < CALLS; call++) {
                    target.monitoredMethod(10_000, DEPTH);
                }
            });
            caller.start();
            callers.add(caller);
        }
        return callers;
    }

    /** The innermost execution ends, and is recorded, first. */
    private static void checkNested(List<OperationExecutionRecord> trace) {
        for (int i = 0; i < trace.size(); i++) {
            OperationExecutionRecord record = trace.get(i);
            assertEquals(trace.size() - 1 - i, record.getEoi(), trace.toString());
            assertEquals(record.getEoi(), record.getEss(), trace.toString());
        }
    }

    /** How many records there are when no more come. */
    private static int settled() throws InterruptedException {
        int last = -1;
        for (int second = 0; second < PATIENCE_S; second++) {
            if (KeepingWriter.RECORDS.size() == last) {
                return last;
            }
            last = KeepingWriter.RECORDS.size();
            Thread.sleep(1000);
        }
        throw new AssertionError("records come and come");
    }
}
