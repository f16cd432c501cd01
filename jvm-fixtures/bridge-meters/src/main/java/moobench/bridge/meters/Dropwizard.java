package moobench.bridge.meters;

import com.codahale.metrics.Counting;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.NoopMetricRegistry;

/** A registry of Dropwizard's. What it counts is what its own metrics say: one that does nothing has none. */
final class Dropwizard {
    private Dropwizard() {}

    static MetricRegistry start() {
        MetricRegistry registry = Settings.registersNothing() ? new NoopMetricRegistry() : new MetricRegistry();
        Counted.by(() -> registry.getMetrics().values().stream().mapToLong(metric -> ((Counting) metric).getCount()).sum());
        return registry;
    }
}
