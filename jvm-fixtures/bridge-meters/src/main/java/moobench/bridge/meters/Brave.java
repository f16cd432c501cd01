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
        tracing.setNoop(Settings.tracesNothing());
        return tracing.tracer();
    }

    private static Sampler sampler() {
        return Settings.samplesNone() ? Sampler.NEVER_SAMPLE : Sampler.ALWAYS_SAMPLE;
    }

    private static SpanHandler handler() {
        return Settings.countsSpans() ? new CountingHandler() : ToZipkin.start();
    }
}
