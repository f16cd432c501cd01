package moobench.freemarker;

import moobench.kernel.Alone;
import moobench.kernel.Calls;

/** The fixture freemarker: one call renders the pages of a small shop. */
public final class Main {
    private Main() {}

    /** Serves the harness, or runs by itself if there are arguments. */
    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Alone.serve(mainNs, Calls.application("freemarker"), args);
    }
}
