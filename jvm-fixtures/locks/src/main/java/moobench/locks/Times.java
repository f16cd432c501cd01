package moobench.locks;

import java.util.Arrays;
import moobench.kernel.Series;

/** How long executions took, in their order. It has room for all of them from the start. */
final class Times {
    private final String name;
    private final long[] ns;
    private int n;

    /** Room for so many, which are written as the named series. */
    Times(String name, int room) {
        this.name = name;
        ns = new long[room];
    }

    /** Forgets what was recorded, and touches the memory. */
    void clear() {
        Arrays.fill(ns, -1);
        n = 0;
    }

    void add(long duration) {
        ns[n++] = duration;
    }

    Series series() {
        Micro.expect("the number of recorded executions", n, ns.length);
        return new Series(name, 0, "t:ns:duration", 1, ns);
    }
}
