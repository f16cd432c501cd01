package moobench.bridge.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/**
 * The method that makes a span as OpenTelemetry's specification of performance benchmarks has it: without a parent, with one
 * attribute that is an integer and one event, ended at once.
 */
public final class Specified implements Target {
    private static final Tracer TRACER = Sdk.start().getTracer("moobench");

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Span span = TRACER.spanBuilder("Specified.monitoredMethod").setNoParent().startSpan();
        span.setAttribute("depth", depth);
        span.addEvent("event");
        span.end();
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }
}
