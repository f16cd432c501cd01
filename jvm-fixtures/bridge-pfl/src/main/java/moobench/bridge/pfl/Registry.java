package moobench.bridge.pfl;

import java.util.ArrayList;
import moobench.kernel.Switch;

/**
 * Registers the chosen monitor with PFL and clears it again, for all enhanced classes, whatever the pattern says. With it in the
 * JVM, no monitor is registered until the first is activated. One that was cleared is not gone: PFL calls its own that does
 * nothing in its place.
 */
public final class Registry implements Switch {
    /** For {@code -Dmoobench.swapper}. */
    public Registry() {
        Monitors.set(false);
    }

    @Override
    public Swap set(boolean on, String pattern) {
        long begin = System.nanoTime();
        return Swap.since(begin, Monitors.set(on) ? 1 : 0, new ArrayList<>());
    }
}
