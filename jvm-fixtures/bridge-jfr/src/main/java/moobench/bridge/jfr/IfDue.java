package moobench.bridge.jfr;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with an event that is committed only if it is due: a recording wants it, and it took long enough. */
public final class IfDue implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Execution event = new Execution();
        event.begin();
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            event.end(); // before that it has no duration, and with any threshold it isn't due
            if (event.shouldCommit()) {
                event.id = depth;
                event.commit();
            }
        }
    }
}
