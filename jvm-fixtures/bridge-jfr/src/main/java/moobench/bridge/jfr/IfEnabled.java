package moobench.bridge.jfr;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with an event that is begun and committed only if a recording wants it; that is asked at the entry, once. */
public final class IfEnabled implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Execution event = new Execution();
        boolean enabled = event.isEnabled();
        if (enabled) {
            event.begin();
        }
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            if (enabled) {
                event.id = depth;
                event.commit();
            }
        }
    }
}
