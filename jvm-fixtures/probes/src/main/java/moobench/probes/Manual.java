package moobench.probes;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with our probe compiled in, behind its check. */
public final class Manual implements Target {
    private static final int METHOD = Probe.method("public long moobench.probes.Manual.monitoredMethod(long, int)");

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        long token = Probe.enterIfActive();
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            Probe.exit(token, METHOD);
        }
    }
}
