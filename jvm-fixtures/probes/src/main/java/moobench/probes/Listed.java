package moobench.probes;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with our probe compiled in, which asks a list of patterns whether this method is monitored. */
public final class Listed implements Target {
    private static final String SIGNATURE = "public long moobench.probes.Listed.monitoredMethod(long, int)";
    private static final int METHOD = Probe.method(SIGNATURE);

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        long token = ListSwapper.isActive(SIGNATURE) ? Probe.enter() : Probe.OFF;
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            Probe.exit(token, METHOD);
        }
    }
}
