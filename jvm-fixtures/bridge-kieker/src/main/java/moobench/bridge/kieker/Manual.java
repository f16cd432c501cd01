package moobench.bridge.kieker;

import moobench.hotswap.KiekerProbe;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with Kieker's probe compiled in, which asks what Kieker's own probes ask: whether monitoring and this probe are on. */
public final class Manual implements Target {
    private static final String SIGNATURE = "public long moobench.bridge.kieker.Manual.monitoredMethod(long, int)";
    private static final int METHOD = KiekerProbe.method(SIGNATURE);

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        long token = KiekerProbe.enterIfActive(SIGNATURE);
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            KiekerProbe.exit(token, METHOD);
        }
    }
}
