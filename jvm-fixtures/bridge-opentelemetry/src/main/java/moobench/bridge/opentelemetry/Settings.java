package moobench.bridge.opentelemetry;

/** What is said by system properties, most of which have the names and defaults of OpenTelemetry's own configuration. */
final class Settings {
    private Settings() {}

    /** Whether the counter's calls are counted where an SDK would be. */
    static boolean counts() {
        return Boolean.getBoolean("moobench.otel.counting");
    }

    /** Whether each span is exported by itself. */
    static boolean exportsEach() {
        String name = System.getProperty("moobench.otel.processor", "batch");
        switch (name) {
            case "batch": return false;
            case "simple": return true;
            default: throw new IllegalArgumentException("moobench.otel.processor must be batch or simple, not " + name);
        }
    }

    static String sampler() {
        return System.getProperty("otel.traces.sampler", "parentbased_always_on");
    }

    /** Attributes of the resource as key=value, a comma between two. */
    static String attributes() {
        return System.getProperty("otel.resource.attributes", "");
    }

    static int queue() {
        return Integer.getInteger("otel.bsp.max.queue.size", 2048);
    }

    static int batch() {
        return Integer.getInteger("otel.bsp.max.export.batch.size", 512);
    }

    static int delayMs() {
        return Integer.getInteger("otel.bsp.schedule.delay", 5000);
    }

    /** Where spans are sent to. */
    static String endpoint() {
        String base = System.getProperty("otel.exporter.otlp.endpoint", "http://localhost:4318");
        return System.getProperty("otel.exporter.otlp.traces.endpoint", base + "/v1/traces");
    }
}
