package moobench.sample;

/** Calls that can be counted. */
public final class Counted {
    private int calls;

    public int once() {
        return ++calls;
    }

    public int twice() throws IllegalStateException {
        if (calls < 0) {
            throw new IllegalStateException("none yet");
        }
        return calls += 2;
    }

    private static int[] array(String... words) {
        return new int[words.length];
    }

    /** Calls each method once. */
    public static int all() {
        Counted counted = new Counted();
        return counted.once() + counted.twice() + array("a").length;
    }
}
