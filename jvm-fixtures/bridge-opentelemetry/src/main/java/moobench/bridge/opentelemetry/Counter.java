package moobench.bridge.opentelemetry;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/**
 * The method that increments a counter by 1, with three attributes which it makes anew each time: scenario S001 of
 * OpenTelemetry's benchmarks. A counter that is not the API's own, which does nothing, is refused: an SDK would be measured.
 */
public final class Counter implements Target {
    private static final AttributeKey<String> ROOM = AttributeKey.stringKey("house.room");
    private static final AttributeKey<String> DEVICE = AttributeKey.stringKey("house.device");
    private static final AttributeKey<String> ACTION = AttributeKey.stringKey("house.action");
    private static final String OWN = "io.opentelemetry.api.";

    private final BusyWait wait = BusyWait.chosen();
    private final LongCounter counter;

    /** With moobench.otel.counting=true its calls are counted where an SDK would be: that proves them, and is not measured. */
    public Counter() {
        boolean counted = Settings.counts();
        if (counted) {
            Counting.register();
        }
        counter = GlobalOpenTelemetry.getMeter("moobench").counterBuilder("house.energy.consumed").build();
        String type = counter.getClass().getName();
        if (!counted && !type.startsWith(OWN)) {
            throw new IllegalStateException("the counter is of " + type + ": an SDK is registered, and this target is to measure the API alone");
        }
    }

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Attributes attributes = Attributes.of(ROOM, "living_room", DEVICE, "thermostat", ACTION, "set_temperature");
        counter.add(1, attributes);
        // The attributes are part of the result: compilers would leave out what nobody asks for.
        return attributes.size() + (depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs));
    }
}
