package moobench.bridge.jfr;

import java.io.IOException;
import java.nio.file.Paths;
import java.text.ParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Configuration;

/** What the system properties {@code moobench.jfr.*} ask for; {@link Recorder} tells their values. */
final class Settings {
    /** Our events that a target may commit. */
    static final List<String> EVENTS = List.of(Execution.NAME, Sampled.NAME);

    private final String by = among("by", "api", "mxbean", "jcmd");
    private final String event = among("event", "on", "disabled", "threshold", "stack");
    private final String dump = among("dump", "direct", "breach");
    private final String preset = System.getProperty("moobench.jfr.settings", "none");

    Settings() {
        if (by.equals("jcmd") && disables()) {
            throw new IllegalArgumentException("moobench.jfr.event=disabled: jcmd can't change a recording that is running, so moobench.jfr.by must be api or mxbean");
        }
    }

    /** The value of a property, which is the first of these if it isn't there. */
    private static String among(String key, String... values) {
        String value = System.getProperty("moobench.jfr." + key, values[0]);
        if (!Arrays.asList(values).contains(value)) {
            throw new IllegalArgumentException("moobench.jfr." + key + " must be one of " + String.join(", ", values) + ", not " + value);
        }
        return value;
    }

    Door door() {
        switch (by) {
            case "mxbean": return new MxBeanDoor(this);
            case "jcmd": return new JcmdDoor(this);
            default: return new ApiDoor(this);
        }
    }

    /** Whether our events are disabled once the recording is running. */
    boolean disables() {
        return event.equals("disabled");
    }

    /** Whether a dump is made by who listens for a breach. */
    boolean dumpsOnBreach() {
        return dump.equals("breach");
    }

    /** What is recorded besides our events: {@code none}, {@code default}, {@code profile}, or the path of a file. */
    String preset() {
        return preset;
    }

    /** Settings of our own events, by {@code event#setting}. */
    Map<String, String> own() {
        Map<String, String> own = new LinkedHashMap<>();
        EVENTS.forEach(name -> own.put(name + "#enabled", "true"));
        if (event.equals("threshold")) {
            own.put(Execution.NAME + "#threshold", "1 s"); // which no execution reaches, however long it is kept from the CPU
        } else if (event.equals("stack")) {
            own.put(Execution.NAME + "#stackTrace", "true");
        }
        return own;
    }

    /** All settings, ours above those of the preset. */
    Map<String, String> all() {
        Map<String, String> all = new HashMap<>();
        if (!preset.equals("none")) {
            all.putAll(configuration().getSettings());
        }
        all.putAll(own());
        return all;
    }

    private Configuration configuration() {
        try {
            boolean named = preset.equals("default") || preset.equals("profile");
            return named ? Configuration.getConfiguration(preset) : Configuration.create(Paths.get(preset));
        } catch (IOException | ParseException e) {
            throw new IllegalArgumentException("moobench.jfr.settings=" + preset + ": " + e, e);
        }
    }
}
