package moobench.bridge.meters;

import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.TraceContext;
import java.util.concurrent.atomic.LongAdder;

/** Counts spans that end, and drops them. */
final class CountingHandler extends SpanHandler {
    private final LongAdder ended = new LongAdder();

    CountingHandler() {
        Counted.by(ended::sum);
    }

    @Override
    public boolean end(TraceContext context, MutableSpan span, Cause cause) {
        ended.increment();
        return false;
    }
}
