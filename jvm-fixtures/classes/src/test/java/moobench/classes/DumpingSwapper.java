package moobench.classes;

import java.util.Collections;
import moobench.kernel.Dumping;
import moobench.kernel.Switch;

/** Swaps nothing, and takes some time to write out a byte more each time. */
public final class DumpingSwapper implements Switch, Dumping {
    static final long DUMP_NS = 3_000_000;
    static final long UNDO_NS = 1_000_000;

    private long dumped = 1000;
    private boolean active;

    @Override
    public Swap set(boolean on, String pattern) {
        if (!on) {
            spend(UNDO_NS);
        }
        active = on;
        return new Swap(0, 1, 0, 0, 0, 0, Collections.emptyList());
    }

    @Override
    public long dump() {
        if (!active) {
            throw new IllegalStateException("dump: nothing is active");
        }
        spend(DUMP_NS);
        return dumped++;
    }

    private static void spend(long ns) {
        long end = System.nanoTime() + ns;
        while (System.nanoTime() - end < 0) {
            Thread.yield();
        }
    }
}
