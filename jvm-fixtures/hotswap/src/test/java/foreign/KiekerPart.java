package foreign;

import java.util.function.IntSupplier;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.core.controller.IMonitoringController;
import kieker.monitoring.core.controller.MonitoringController;
import kieker.monitoring.core.registry.ControlFlowRegistry;
import kieker.monitoring.core.registry.SessionRegistry;

/** What of the program knows Kieker. */
final class KiekerPart {
    private static final IMonitoringController CONTROLLER = MonitoringController.getInstance();
    private static final ControlFlowRegistry FLOW = ControlFlowRegistry.INSTANCE;

    private KiekerPart() {}

    static boolean enable(boolean on) {
        return on ? CONTROLLER.enableMonitoring() : CONTROLLER.disableMonitoring();
    }

    /** A call with Kieker's probe in it, as its manual has it, in a session. */
    static int probed(IntSupplier body) {
        SessionRegistry.INSTANCE.storeThreadLocalSessionId("s1");
        long trace = FLOW.recallThreadLocalTraceId();
        boolean entry = trace == -1;
        int eoi = 0;
        int ess = 0;
        if (entry) {
            trace = FLOW.getAndStoreUniqueThreadLocalTraceId();
            FLOW.storeThreadLocalEOI(0);
            FLOW.storeThreadLocalESS(1);
        } else {
            eoi = FLOW.incrementAndRecallThreadLocalEOI();
            ess = FLOW.recallAndIncrementThreadLocalESS();
        }
        long begin = CONTROLLER.getTimeSource().getTime();
        int result = body.getAsInt();
        CONTROLLER.newMonitoringRecord(new OperationExecutionRecord("int by.Hand.probed()", "s1", trace, begin,
                CONTROLLER.getTimeSource().getTime(), CONTROLLER.getHostname(), eoi, ess));
        if (entry) {
            FLOW.unsetThreadLocalTraceId();
            FLOW.unsetThreadLocalEOI();
            FLOW.unsetThreadLocalESS();
        } else {
            FLOW.storeThreadLocalESS(ess);
        }
        SessionRegistry.INSTANCE.unsetThreadLocalSessionId();
        return result;
    }
}
