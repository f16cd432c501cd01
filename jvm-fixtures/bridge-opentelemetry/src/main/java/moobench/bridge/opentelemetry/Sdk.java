package moobench.bridge.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.concurrent.TimeUnit;

/**
 * Sets the SDK up from system properties: {@code moobench.otel.stage} is always_off or otlp; the rest has the names and
 * defaults of OpenTelemetry's own configuration.
 */
final class Sdk {
    private Sdk() {}

    /** Starts the SDK; at the JVM's exit it exports what it still holds. */
    static OpenTelemetry start() {
        SdkTracerProvider provider = provider(System.getProperty("moobench.otel.stage", "otlp"));
        Thread finish = new Thread(() -> provider.shutdown().join(30, TimeUnit.SECONDS), "moobench-otel-finish");
        Runtime.getRuntime().addShutdownHook(finish);
        return OpenTelemetrySdk.builder().setTracerProvider(provider).build();
    }

    private static SdkTracerProvider provider(String stage) {
        SdkTracerProviderBuilder builder = SdkTracerProvider.builder();
        switch (stage) {
            case "always_off": return builder.setSampler(Sampler.alwaysOff()).addSpanProcessor(processor()).build();
            case "otlp": return builder.addSpanProcessor(processor()).build();
            default: throw new IllegalArgumentException("moobench.otel.stage must be always_off or otlp, not " + stage);
        }
    }

    private static BatchSpanProcessor processor() {
        String endpoint = System.getProperty("otel.exporter.otlp.endpoint", "http://localhost:4318");
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint + "/v1/traces").build();
        return BatchSpanProcessor.builder(exporter)
                .setMaxQueueSize(Integer.getInteger("otel.bsp.max.queue.size", 2048))
                .setMaxExportBatchSize(Integer.getInteger("otel.bsp.max.export.batch.size", 512))
                .setScheduleDelay(Integer.getInteger("otel.bsp.schedule.delay", 5000), TimeUnit.MILLISECONDS)
                .build();
    }
}
