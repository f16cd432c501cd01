package moobench.bridge.jfr;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method without an event, in a JVM in which Flight Recorder asks for one each period. */
public final class Periodic implements Target {
    private final BusyWait wait = BusyWait.chosen();

    public Periodic() {
        Sampled.ask();
    }

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }
}
