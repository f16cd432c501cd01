package moobench.bridge.pfl;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** Throws at the bottom, through all traced executions; the method that is called from outside is not traced, and catches. */
@Execution
public final class Thrown implements Target {
    private final BusyWait wait = BusyWait.chosen();

    /** Has the chosen monitor registered. */
    public Thrown() {
        Monitors.chosen(Thrown.class);
    }

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        try {
            descend(methodTimeNs, depth);
            return -1;
        } catch (Bottom e) {
            return e.parity;
        }
    }

    @Execution
    private void descend(long methodTimeNs, int depth) {
        if (depth == 1) {
            throw (wait.spend(methodTimeNs) & 1) == 0 ? Bottom.EVEN : Bottom.ODD;
        }
        descend(methodTimeNs, depth - 1);
    }
}
