package moobench.bridge.pfl;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method for PFL to trace. */
@Execution
public final class Traced implements Target {
    private final BusyWait wait = BusyWait.chosen();

    /** Has the chosen monitor registered. */
    public Traced() {
        Monitors.chosen(Traced.class);
    }

    @Override
    @Execution
    public long monitoredMethod(long methodTimeNs, int depth) {
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }
}
