package moobench.probes;

import java.util.ArrayList;
import java.util.List;
import moobench.kernel.Swapper;

/**
 * Switches all probes that are compiled in by their one flag, whatever the pattern says. With it in the JVM, the probes are
 * off until the first is activated.
 */
public final class FlagSwapper implements Swapper {
    /** For {@code -Dmoobench.swapper}. */
    public FlagSwapper() {
        Probe.setActive(false);
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
        Probe.setActive(on);
        return Swap.since(begin, 0, new ArrayList<>());
    }

    /** Does nothing: there is no list. */
    @Override
    public Swap replace(List<String> patterns) {
        return new Swap(0, 0, 0, 0, 0, 0, new ArrayList<>());
    }
}
