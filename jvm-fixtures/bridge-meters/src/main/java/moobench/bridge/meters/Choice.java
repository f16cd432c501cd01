package moobench.bridge.meters;

import java.util.Arrays;

/** Says how a library is set up, by system properties. */
final class Choice {
    private Choice() {}

    /** The value of a property, which is one of these; the first where it is not set. */
    static String of(String property, String... values) {
        String value = System.getProperty(property, values[0]);
        if (!Arrays.asList(values).contains(value)) {
            throw new IllegalArgumentException(property + " must be one of " + String.join(", ", values) + ", not " + value);
        }
        return value;
    }
}
