package moobench.probes;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** What our own probes are told by system properties. Each is read when it is asked for: an agent that comes later may set it. */
public final class ProbeSettings {
    private ProbeSettings() {}

    /** How far a record goes. */
    static Stage stage() {
        String name = System.getProperty("moobench.probe.stage", "collect");
        for (Stage stage : Stage.values()) {
            if (stage.name().toLowerCase(Locale.ROOT).equals(name)) {
                return stage;
            }
        }
        throw new IllegalArgumentException("moobench.probe.stage must be inactive, collect or write, not " + name);
    }

    /** The list of patterns at start, with semicolons between them; empty where there is none. */
    public static String load() {
        return System.getProperty("moobench.probe.load", "");
    }

    /** How long {@link Burn} burns. */
    static long burnNs() {
        Long ns = Long.getLong("moobench.burn.ns");
        if (ns == null || ns < 1) {
            throw new IllegalArgumentException("moobench.burn.ns must be the time to burn, at least 1 ns, not " + System.getProperty("moobench.burn.ns"));
        }
        return ns;
    }

    /** Where events go. */
    public static String log() {
        return System.getProperty("moobench.events.log", "ring");
    }

    /** Bytes of memory for the rings of all threads. */
    public static long memory() {
        return bytes("moobench.events.memory", 64L << 20);
    }

    /** Characters that are kept of a thread. */
    public static long characters() {
        return bytes("moobench.events.characters", 40L << 20);
    }

    /** Bytes that the file of events may have. */
    public static long limit() {
        return bytes("moobench.events.limit", 4L << 30);
    }

    /** Whether events are written while the program runs; else they stay in memory until its end. */
    public static boolean streams() {
        return !"false".equals(System.getProperty("moobench.events.stream"));
    }

    /** Whether it is logged when threads wait. */
    public static boolean waits() {
        return Boolean.getBoolean("moobench.events.waits");
    }

    /** Whether locks are logged. */
    public static boolean ofLocks() {
        return System.getProperty("moobench.events.locks") != null;
    }

    /**
     * What is logged of locks besides that they are got and given back: contention (when they are asked for), explicit (those of
     * java.util.concurrent.locks), callers, calls (of all methods), methods (as sections, though they hold no lock).
     */
    public static Set<String> locks() {
        return new HashSet<>(Arrays.asList(System.getProperty("moobench.events.locks", "").split(",")));
    }

    /** A number such as 64, or 64k, 64m, 64g. */
    static long bytes(String property, long otherwise) {
        String text = System.getProperty(property, "").toLowerCase(Locale.ROOT);
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.matches("[1-9]\\d{0,11}[kmg]?")) {
            throw new IllegalArgumentException(property + " must be a number such as 65536, 64k, 64m or 4g, not " + text);
        }
        int shift = 10 * ("kmg".indexOf(text.charAt(text.length() - 1)) + 1);
        return Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1)) << shift;
    }
}
