package moobench.hotswap;

import java.util.Arrays;
import java.util.function.ToLongFunction;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.core.controller.IMonitoringController;
import kieker.monitoring.core.controller.MonitoringController;
import kieker.monitoring.core.registry.ControlFlowRegistry;
import kieker.monitoring.core.registry.SessionRegistry;
import kieker.monitoring.timer.ITimeSource;
import moobench.kernel.Probes;
import moobench.probes.Methods;
import moobench.probes.PerThread;
import moobench.probes.Probe;
import moobench.probes.Switches;

/**
 * The probe that writes Kieker's records of executions: where in its trace a call stands, when it began and ended. Its calls
 * and those of Kieker's own probes make one trace. What the agent puts in and what is compiled in by hand call this one body:
 * the doors differ by what they ask first, and by nothing else.
 *
 * <p>Counts are plain fields of each thread's own, so that counting costs no atomic.
 *
 * <p>A call that was begun is ended, whatever is switched meanwhile; what Kieker itself runs inside the probe is not recorded.
 * The class is loaded only where Kieker is on the class path.
 */
public final class KiekerProbe {
    private static final Threads THREADS = new Threads();

    static { // before Kieker starts: a writer that counts what comes to its end knows better what is recorded
        Probes.count("entered", () -> THREADS.sum(f -> f.entered));
        Probes.count("exited", () -> THREADS.sum(f -> f.exited));
        Probes.count("recorded", () -> THREADS.sum(f -> f.recorded));
        Probes.beforeLoop(THREADS::mine);
    }

    private static final IMonitoringController CONTROLLER = MonitoringController.getInstance();
    private static final ITimeSource TIME = CONTROLLER.getTimeSource();
    private static final String HOST = CONTROLLER.getHostname();
    private static final ControlFlowRegistry FLOW = ControlFlowRegistry.INSTANCE;
    private static final SessionRegistry SESSIONS = SessionRegistry.INSTANCE;

    private KiekerProbe() {}

    /** Kieker itself. It starts after the probe has said where counts are read, so that a writer can say so after it. */
    public static IMonitoringController controller() {
        return CONTROLLER;
    }

    /** The number by which {@link #exit} names the method with this signature; Kieker is there afterwards. */
    public static int method(String signature) {
        return Methods.id(signature);
    }

    /** Begins a record if Kieker's monitoring is enabled, and returns its token. */
    public static long enter() {
        return CONTROLLER.isMonitoringEnabled() ? begin() : Probe.OFF;
    }

    /**
     * Begins a record if Kieker's monitoring is enabled and this method's probe is active, and returns its token: what Kieker's
     * own probes ask. Without adaptive monitoring every probe is active.
     */
    public static long enterIfActive(String signature) {
        return CONTROLLER.isMonitoringEnabled() && CONTROLLER.isProbeActivated(signature) ? begin() : Probe.OFF;
    }

    /** Begins a record if the method's probe is switched on, and returns its token. */
    public static long enterIfOn(int method) {
        return Switches.isOn(method) ? enter() : Probe.OFF;
    }

    /** Begins a record if the probe is active: for Kieker, if its monitoring is enabled. */
    public static long enterIfActive() {
        return enter();
    }

    private static long begin() {
        Frames frames = THREADS.mine();
        if (frames.busy) {
            return Probe.OFF;
        }
        frames.busy = true;
        try {
            return begin(frames);
        } finally {
            frames.busy = false;
        }
    }

    private static long begin(Frames frames) {
        long trace = FLOW.recallThreadLocalTraceId();
        boolean entry = trace == -1;
        int eoi = 0; // execution order index
        int ess = 0; // execution stack size
        if (entry) {
            trace = FLOW.getAndStoreUniqueThreadLocalTraceId();
            FLOW.storeThreadLocalEOI(0);
            FLOW.storeThreadLocalESS(1);
        } else {
            eoi = FLOW.incrementAndRecallThreadLocalEOI();
            ess = FLOW.recallAndIncrementThreadLocalESS();
        }
        try {
            frames.keep(trace, entry, eoi, ess);
            frames.tin[frames.depth] = TIME.getTime();
        } catch (Throwable e) { // no stack or heap is left: this call is none of the trace's
            leave(entry, ess);
            throw e;
        }
        frames.entered++;
        return frames.depth++;
    }

    /** Ends the record that the token stands for. */
    public static void exit(long token, int method) {
        if (token == Probe.OFF) {
            return;
        }
        Frames frames = THREADS.mine();
        int at = (int) token;
        frames.exited++;
        frames.depth = at;
        frames.busy = true;
        try {
            long tout = TIME.getTime();
            OperationExecutionRecord execution = new OperationExecutionRecord(Methods.signature(method), SESSIONS.recallThreadLocalSessionId(),
                    frames.trace[at], frames.tin[at], tout, HOST, frames.eoi[at], frames.ess[at]);
            if (CONTROLLER.newMonitoringRecord(execution)) {
                frames.recorded++;
            }
        } finally {
            leave(frames.entry[at], frames.ess[at]);
            frames.busy = false;
        }
    }

    private static void leave(boolean entry, int ess) {
        if (entry) {
            FLOW.unsetThreadLocalTraceId();
            FLOW.unsetThreadLocalEOI();
            FLOW.unsetThreadLocalESS();
        } else {
            FLOW.storeThreadLocalESS(ess);
        }
    }

    /** The calls of one thread that have begun and not ended, the outermost first; arrays, so that a call makes no object. */
    private static final class Frames {
        long[] trace = new long[64];
        long[] tin = new long[64];
        int[] eoi = new int[64];
        int[] ess = new int[64];
        boolean[] entry = new boolean[64];
        int depth;
        /** Whether the thread is inside the probe. */
        boolean busy;
        long entered;
        long exited;
        long recorded;

        /** Keeps a call that is about to begin. */
        void keep(long traceId, boolean isEntry, int order, int stack) {
            if (depth == entry.length) {
                grow(2 * depth);
            }
            trace[depth] = traceId;
            entry[depth] = isEntry;
            eoi[depth] = order;
            ess[depth] = stack;
        }

        private void grow(int size) {
            trace = Arrays.copyOf(trace, size);
            tin = Arrays.copyOf(tin, size);
            eoi = Arrays.copyOf(eoi, size);
            ess = Arrays.copyOf(ess, size);
            entry = Arrays.copyOf(entry, size); // last: it says how many there is room for
        }
    }

    private static final class Threads extends PerThread<Frames> {
        @Override
        protected Frames make(int number) {
            return new Frames();
        }

        /** Sums a count over the threads, those that have ended too. */
        synchronized long sum(ToLongFunction<Frames> count) {
            return present().stream().mapToLong(count).sum();
        }
    }
}
