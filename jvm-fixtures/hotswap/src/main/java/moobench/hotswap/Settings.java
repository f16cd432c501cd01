package moobench.hotswap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the agent is told: by system properties {@code moobench.hotswap.<name>}, and by its arguments
 * {@code name=value,name=value}, which win. All that is wrong with them is said at once.
 *
 * <p>It refers to no other class of ours: in a foreign JVM those are not there yet.
 */
final class Settings {
    private static final String PREFIX = "moobench.hotswap.";
    private static final List<String> NAMES =
            Arrays.asList("linger", "file", "interval", "update", "jmx", "probe", "keep", "control", "token", "kernel", "probes", "patterns");
    /** A comma parts settings only where another one follows: there are commas in patterns. */
    private static final Pattern COMMA = Pattern.compile(",(?=[a-z]+=)");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms|s|m|h)");
    private static final Pattern LOOPBACK = Pattern.compile("(localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\]):(\\d{1,5})");

    /** How long a probe stays that was switched off; 0: it is taken out at once, and has no switch. */
    final long lingerNs;
    /** The watched file; null: none. */
    final String file;
    /** Seconds between two looks at the file; 0: it is read once. */
    final long intervalS;
    /** Whether changes from elsewhere are written into the file. */
    final boolean update;
    final boolean jmx;
    /** {@code moobench}, {@code kieker}, {@code events}, {@code locks} or {@code auto}. */
    final String probe;
    /** The folder in which events are kept; null: they are not. */
    final String keep;
    /** Where to take requests from, with what to say there; null: nowhere. */
    final String host;
    final int port;
    final String token;
    /** Jars for a JVM that doesn't have the classes; null if not told. */
    final String kernel;
    final String probes;
    /** The list at start, with semicolons between its patterns; null if not told. */
    final String patterns;

    private final Map<String, String> given = new TreeMap<>();
    private final List<String> mistakes = new ArrayList<>();

    private Settings(Map<String, String> given) {
        this.given.putAll(given);
        lingerNs = time("linger");
        file = given.get("file");
        intervalS = seconds("interval", 30);
        update = bool("update");
        jmx = bool("jmx");
        keep = given.get("keep");
        probe = oneOf("probe", keep == null ? "auto" : "events", "auto", "moobench", "kieker", "events", "locks");
        Matcher control = LOOPBACK.matcher(given.getOrDefault("control", ""));
        host = control.matches() ? control.group(1) : null;
        port = control.matches() ? Integer.parseInt(control.group(2)) : 0;
        token = given.get("token");
        kernel = given.get("kernel");
        probes = given.get("probes");
        patterns = given.get("patterns");
        check();
    }

    /** The settings of the agent that comes with the JVM, or that is attached first. */
    static Settings of(String args, Properties properties) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                given.put(name.substring(PREFIX.length()), properties.getProperty(name));
            }
        }
        return parse(args, given);
    }

    /** What is asked of an agent that is there already: its properties have been read. */
    static Settings of(String args) {
        return parse(args, new LinkedHashMap<>());
    }

    private static Settings parse(String args, Map<String, String> given) {
        List<String> mistakes = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (String arg : args == null || args.isEmpty() ? new String[0] : COMMA.split(args)) {
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            if (equals < 0) {
                mistakes.add(arg + " is not name=value");
            } else if (seen.contains(name)) {
                mistakes.add(name + " is given twice");
            } else {
                seen.add(name);
                given.put(name, arg.substring(equals + 1));
            }
        }
        given.values().removeIf(String::isEmpty); // as if it were not there
        Settings settings = new Settings(given);
        mistakes.addAll(settings.mistakes);
        if (!mistakes.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", mistakes));
        }
        return settings;
    }

    private void check() {
        for (String name : given.keySet()) {
            need(NAMES.contains(name), "unknown setting " + name + " (known: " + String.join(", ", NAMES) + ")");
        }
        String control = given.get("control");
        need(control == null || port > 0 && port < 1 << 16, "control must be an address of this machine's loopback with a port, such as 127.0.0.1:4711, not " + control);
        need((control == null) == (token == null), "control and token belong together: say both");
        need(keep == null || probe.equals("events"), "keep is about events: leave probe out");
        need(lingerNs == 0 || !logsEvents(), "linger is about a probe's switch, and that of events has none");
        need(file != null || !update && !given.containsKey("interval"), "interval and update are about a watched file: say file");
    }

    /** Whether the probe is the one that logs events, of methods or of locks. */
    boolean logsEvents() {
        return probe.equals("events") || probe.equals("locks");
    }

    private void need(boolean right, String mistake) {
        if (!right) {
            mistakes.add(mistake);
        }
    }

    private boolean bool(String name) {
        return oneOf(name, "false", "true").equals("true");
    }

    private String oneOf(String name, String... values) {
        String value = given.getOrDefault(name, values[0]);
        Set<String> known = new LinkedHashSet<>(Arrays.asList(values));
        need(known.contains(value), name + " must be one of " + String.join(", ", known) + ", not " + value);
        return value;
    }

    private long seconds(String name, long otherwise) {
        String text = given.getOrDefault(name, String.valueOf(otherwise));
        boolean right = text.matches("\\d{1,9}");
        need(right, name + " must be whole seconds, 0 or more, not " + text);
        return right ? Long.parseLong(text) : otherwise;
    }

    /** A time such as 1h30m, or 0. */
    private long time(String name) {
        String text = given.getOrDefault(name, "0");
        long ns = 0;
        int at = 0;
        Matcher part = TIME.matcher(text);
        while (part.lookingAt()) {
            ns += unit(part.group(2)).toNanos(Long.parseLong(part.group(1)));
            at = part.end();
            part.region(at, text.length());
        }
        boolean right = text.equals("0") || at == text.length();
        need(right, name + " must be a time with its unit (ns, us, ms, s, m, h), such as 60s, or 0, not " + text);
        return right ? ns : 0;
    }

    private static TimeUnit unit(String name) {
        switch (name) {
            case "ns": return TimeUnit.NANOSECONDS;
            case "us": return TimeUnit.MICROSECONDS;
            case "ms": return TimeUnit.MILLISECONDS;
            case "s": return TimeUnit.SECONDS;
            case "m": return TimeUnit.MINUTES;
            default: return TimeUnit.HOURS;
        }
    }

    /** The names that were given and are neither about a channel, nor about the list, nor about where classes are. */
    List<String> lasting() {
        List<String> names = new ArrayList<>(given.keySet());
        names.removeAll(Arrays.asList("control", "token", "patterns", "kernel", "probes"));
        return names;
    }
}
