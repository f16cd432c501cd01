package moobench.calls;

import moobench.kernel.Alone;
import moobench.kernel.Calls;

/** The fixture calls: one method that calls itself to a depth, and then waits. */
public final class Main {
    private Main() {}

    /** Serves the harness, or runs by itself if there are arguments. */
    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Alone.serve(mainNs, new Calls("calls"), args);
    }
}
