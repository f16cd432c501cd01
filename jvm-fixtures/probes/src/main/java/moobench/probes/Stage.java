package moobench.probes;

import java.util.Locale;

/** How far a record goes. */
enum Stage {
    INACTIVE, COLLECT, WRITE;

    static Stage chosen() {
        String name = System.getProperty("moobench.probe.stage", "collect");
        for (Stage stage : values()) {
            if (stage.name().toLowerCase(Locale.ROOT).equals(name)) {
                return stage;
            }
        }
        throw new IllegalArgumentException("moobench.probe.stage must be inactive, collect or write, not " + name);
    }
}
