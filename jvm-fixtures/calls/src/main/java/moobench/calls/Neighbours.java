package moobench.calls;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method among others that it calls, of which no agent that is told its name alone makes a record. */
public final class Neighbours implements Target {
    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        return depth > 1 ? monitoredMethod(methodTimeNs, before(depth)) : after(wait.spend(methodTimeNs));
    }

    /** Its name begins with the other one. */
    public int monitoredMethods(int depth) {
        return depth - 1;
    }

    private int before(int depth) {
        return monitoredMethods(depth);
    }

    static long after(long spent) {
        return spent;
    }
}
