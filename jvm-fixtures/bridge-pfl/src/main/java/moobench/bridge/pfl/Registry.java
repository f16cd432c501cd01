package moobench.bridge.pfl;

import java.util.ArrayList;
import java.util.List;
import moobench.kernel.Swapper;

/**
 * Registers the chosen monitor with PFL and clears it again, for all enhanced classes, whatever the pattern says. With it in the
 * JVM, no monitor is registered until the first is activated. One that was cleared is not gone: PFL calls its own that does
 * nothing in its place.
 */
public final class Registry implements Swapper {
    /** For {@code -Dmoobench.swapper}. */
    public Registry() {
        Monitors.set(false);
    }

    @Override
    public Swap activate(String pattern) {
        return set(true);
    }

    @Override
    public Swap deactivate(String pattern) {
        return set(false);
    }

    private static Swap set(boolean on) {
        long begin = System.nanoTime();
        return Swap.since(begin, Monitors.set(on) ? 1 : 0, new ArrayList<>());
    }

    /** Does nothing: there is no list. */
    @Override
    public Swap replace(List<String> patterns) {
        return new Swap(0, 0, 0, 0, 0, 0, new ArrayList<>());
    }
}
