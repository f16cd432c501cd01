package moobench.classes;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** What is cloned when nothing else is asked for: one method, no probe. */
public final class Plain implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }
}
