package moobench.server;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method without a probe, which handles a request or is called by a GET: the baseline, and what agents instrument. */
public final class Plain implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }
}
