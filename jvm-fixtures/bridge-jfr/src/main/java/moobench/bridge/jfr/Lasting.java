package moobench.bridge.jfr;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with an event that lasts as long as each execution does; nobody asks whether it is wanted. */
public final class Lasting implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Execution event = new Execution();
        event.begin();
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            event.id = depth;
            event.commit();
        }
    }
}
