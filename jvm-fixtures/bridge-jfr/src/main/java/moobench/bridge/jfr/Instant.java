package moobench.bridge.jfr;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with an event at its entry, which has no duration. */
public final class Instant implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Execution event = new Execution();
        event.id = depth;
        event.commit();
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }
}
