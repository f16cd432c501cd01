package moobench.bridge.meters;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method, each execution of which a timer of Micrometer's takes the time of. */
public final class MicrometerTimer implements Target {
    private static final MeterRegistry REGISTRY = Micrometer.start();
    private static final Timer TIMER = timer();

    private final BusyWait wait = BusyWait.chosen();

    private static Timer timer() {
        Timer.Builder builder = Timer.builder("monitored.method");
        if (Settings.hasPercentiles()) {
            builder.publishPercentiles(0.5, 0.95, 0.99);
        }
        return builder.register(REGISTRY);
    }

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Timer.Sample sample = Timer.start(REGISTRY);
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            sample.stop(TIMER);
        }
    }
}
