package moobench.bridge.kieker;

import java.util.concurrent.atomic.LongAdder;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.core.controller.IMonitoringController;
import kieker.monitoring.core.controller.MonitoringController;
import kieker.monitoring.core.registry.ControlFlowRegistry;
import kieker.monitoring.core.registry.SessionRegistry;
import kieker.monitoring.timer.ITimeSource;
import moobench.kernel.BusyWait;
import moobench.kernel.Probes;
import moobench.kernel.Target;

/**
 * The method with Kieker's probe compiled in: whether monitoring is enabled, whether this probe is active, the place in the
 * trace, and one record per execution. Where it is switched in the running JVM, and only there, it counts what it enters and
 * exits: how many records there must be follows from nothing else.
 */
public final class Manual implements Target {
    private static final String SIGNATURE = "public long moobench.bridge.kieker.Manual.monitoredMethod(long, int)";
    private static final IMonitoringController CONTROLLER = MonitoringController.getInstance();
    private static final ITimeSource TIME = CONTROLLER.getTimeSource();
    private static final String HOST = CONTROLLER.getHostname();
    private static final ControlFlowRegistry FLOW = ControlFlowRegistry.INSTANCE;
    private static final SessionRegistry SESSIONS = SessionRegistry.INSTANCE;

    private static final boolean COUNTED = Probes.canSwap();
    private static final LongAdder ENTERED = new LongAdder();
    private static final LongAdder EXITED = new LongAdder();

    static {
        if (COUNTED) {
            Probes.count("entered", ENTERED::sum);
            Probes.count("exited", EXITED::sum);
        }
    }

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        if (!CONTROLLER.isMonitoringEnabled() || !CONTROLLER.isProbeActivated(SIGNATURE)) {
            return work(methodTimeNs, depth);
        }
        String session = SESSIONS.recallThreadLocalSessionId();
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
        count(ENTERED);
        long begin = TIME.getTime();
        try {
            return work(methodTimeNs, depth);
        } finally {
            long end = TIME.getTime();
            CONTROLLER.newMonitoringRecord(new OperationExecutionRecord(SIGNATURE, session, trace, begin, end, HOST, eoi, ess));
            leave(entry, ess);
            count(EXITED);
        }
    }

    private static void count(LongAdder executions) {
        if (COUNTED) {
            executions.increment();
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

    private long work(long methodTimeNs, int depth) {
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }
}
