package moobench.bridge.meters;

import brave.Tracer;
import brave.Tracing;
import brave.handler.SpanHandler;
import brave.sampler.Sampler;

/** A tracer of Brave's, whose spans are counted and dropped, or sent to Zipkin. */
final class Brave {
    private Brave() {}

    static Tracer start() {
        Tracing tracing = Tracing.newBuilder().localServiceName("moobench").sampler(sampler()).addSpanHandler(handler()).build();
        tracing.setNoop(Choice.of("moobench.brave.tracing", "on", "noop").equals("noop"));
        return tracing.tracer();
    }

    private static Sampler sampler() {
        return Choice.of("moobench.brave.sampler", "always", "never").equals("never") ? Sampler.NEVER_SAMPLE : Sampler.ALWAYS_SAMPLE;
    }

    private static SpanHandler handler() {
        return Choice.of("moobench.brave.spans", "zipkin", "count").equals("count") ? new CountingHandler() : ToZipkin.start();
    }
}
