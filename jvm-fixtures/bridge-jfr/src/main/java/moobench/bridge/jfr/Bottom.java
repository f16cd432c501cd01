package moobench.bridge.jfr;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with one event where its recursion ends: a stack trace of it has the method as often as the call is deep. */
public final class Bottom implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        if (depth > 1) {
            return monitoredMethod(methodTimeNs, depth - 1);
        }
        Execution event = new Execution();
        event.begin();
        try {
            return wait.spend(methodTimeNs);
        } finally {
            event.id = depth;
            event.commit();
        }
    }
}
