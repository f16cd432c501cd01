package moobench.kernel;

/** What the probe in this JVM has counted, for tests of other modules. */
public final class Counts {
    private Counts() {}

    public static long of(String key) {
        return Long.parseLong(Probes.counts(new Message("records")).require(key));
    }
}
