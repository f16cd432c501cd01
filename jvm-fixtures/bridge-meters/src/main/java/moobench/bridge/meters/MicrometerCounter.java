package moobench.bridge.meters;

import io.micrometer.core.instrument.Counter;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method, whose executions a counter of Micrometer's counts. */
public final class MicrometerCounter implements Target {
    private static final Counter COUNTER = Micrometer.start().counter("monitored.method");

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            COUNTER.increment();
        }
    }
}
