package moobench.bridge.meters;

/** What the libraries are told by system properties, and what they are where nothing is said. */
final class Settings {
    static final int DEFAULT_SPANS = 10000;

    private Settings() {}

    /** Whether Micrometer's registry denies all meters. */
    static boolean deniesMeters() {
        return isSecond("moobench.micrometer.filter", "none", "deny");
    }

    /** Whether Micrometer's timer publishes percentiles. */
    static boolean hasPercentiles() {
        return isSecond("moobench.micrometer.timer", "plain", "percentiles");
    }

    /** Whether Dropwizard's registry does nothing. */
    static boolean registersNothing() {
        return isSecond("moobench.dropwizard.registry", "plain", "noop");
    }

    /** Whether the reservoir of Dropwizard's timer is the one without locks. */
    static boolean isLockFree() {
        return isSecond("moobench.dropwizard.reservoir", "plain", "lockfree");
    }

    /** Whether Brave traces nothing. */
    static boolean tracesNothing() {
        return isSecond("moobench.brave.tracing", "on", "noop");
    }

    /** Whether Brave samples no span. */
    static boolean samplesNone() {
        return isSecond("moobench.brave.sampler", "always", "never");
    }

    /** Whether Brave's spans are counted and dropped; else they are sent. */
    static boolean countsSpans() {
        return isSecond("moobench.brave.spans", "zipkin", "count");
    }

    /** Where Brave's spans are sent to. */
    static String endpoint() {
        return System.getProperty("moobench.brave.endpoint", "http://localhost:9411/api/v2/spans");
    }

    /** How many of them wait for that at most. */
    static int spans() {
        return Integer.getInteger("moobench.brave.queue", DEFAULT_SPANS);
    }

    /** Whether the second of two values is chosen; the first one is where nothing is said. */
    private static boolean isSecond(String property, String first, String second) {
        String value = System.getProperty(property, first);
        if (!value.equals(first) && !value.equals(second)) {
            throw new IllegalArgumentException(property + " must be one of " + first + ", " + second + ", not " + value);
        }
        return value.equals(second);
    }
}
