package moobench.bridge.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Sets the SDK up as the settings say. */
final class Sdk {
    private Sdk() {}

    /** Starts the SDK; at the JVM's exit it exports what it still holds. */
    static OpenTelemetry start() {
        SdkTracerProvider provider =
                SdkTracerProvider.builder().setResource(resource()).setSampler(sampler()).addSpanProcessor(processor()).build();
        Thread finish = new Thread(() -> provider.shutdown().join(30, TimeUnit.SECONDS), "moobench-otel-finish");
        Runtime.getRuntime().addShutdownHook(finish);
        return OpenTelemetrySdk.builder().setTracerProvider(provider).build();
    }

    private static Sampler sampler() {
        String name = Settings.sampler();
        switch (name) {
            case "always_on": return Sampler.alwaysOn();
            case "always_off": return Sampler.alwaysOff();
            case "parentbased_always_on": return Sampler.parentBased(Sampler.alwaysOn());
            default: throw new IllegalArgumentException("otel.traces.sampler must be always_on, always_off or parentbased_always_on, not " + name);
        }
    }

    /** The SDK's own, with what otel.resource.attributes adds, a comma between two; an instance then has an ID too. */
    private static Resource resource() {
        String given = Settings.attributes();
        AttributesBuilder attributes = Attributes.builder();
        if (!given.isEmpty()) {
            attributes.put("service.instance.id", UUID.randomUUID().toString());
            for (String one : given.split(",")) {
                attributes.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
            }
        }
        return Resource.getDefault().merge(Resource.create(attributes.build()));
    }

    /** The batch processor, or the one that exports each span by itself. */
    private static SpanProcessor processor() {
        SpanExporter exporter = OtlpHttpSpanExporter.builder().setEndpoint(Settings.endpoint()).build();
        if (Settings.exportsEach()) {
            return SimpleSpanProcessor.create(exporter);
        }
        return BatchSpanProcessor.builder(exporter).setMaxQueueSize(Settings.queue()).setMaxExportBatchSize(Settings.batch())
                .setScheduleDelay(Settings.delayMs(), TimeUnit.MILLISECONDS).build();
    }
}
