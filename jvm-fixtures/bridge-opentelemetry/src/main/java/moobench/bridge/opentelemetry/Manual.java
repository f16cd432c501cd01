package moobench.bridge.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with one span per execution, each the parent of the next. */
public final class Manual implements Target {
    private static final Tracer TRACER = Sdk.start().getTracer("moobench");

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        Span span = TRACER.spanBuilder("Manual.monitoredMethod").startSpan();
        try (Scope scope = span.makeCurrent()) {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            span.end();
        }
    }
}
