package moobench.h2;

import moobench.kernel.Alone;
import moobench.kernel.Calls;

/** The fixture h2: one call is one transaction of a fixed mix against an embedded database in memory. */
public final class Main {
    private Main() {}

    /** Serves the harness, or runs by itself if there are arguments. */
    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Alone.serve(mainNs, Calls.application("h2"), args);
    }
}
