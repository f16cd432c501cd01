package moobench.bridge.meters;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** A registry in memory. What it counts is what its own meters say: those that a filter denies are not in it. */
final class Micrometer {
    private Micrometer() {}

    static MeterRegistry start() {
        MeterRegistry registry = new SimpleMeterRegistry();
        if (Settings.deniesMeters()) {
            registry.config().meterFilter(MeterFilter.deny());
        }
        Counted.by(() -> registry.getMeters().stream().mapToLong(Micrometer::count).sum());
        return registry;
    }

    /** Of gauges, such as a timer's percentiles, nothing is counted. */
    private static long count(Meter meter) {
        if (meter instanceof Timer) {
            return ((Timer) meter).count();
        }
        return meter instanceof Counter ? (long) ((Counter) meter).count() : 0;
    }
}
