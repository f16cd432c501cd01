package moobench.probes;

import java.util.ArrayList;
import moobench.kernel.Switch;

/**
 * Switches all probes that are compiled in by their one flag, whatever the pattern says. With it in the JVM, the probes are
 * off until the first is activated.
 */
public final class FlagSwapper implements Switch {
    /** For {@code -Dmoobench.swapper}. */
    public FlagSwapper() {
        Probe.setActive(false);
    }

    @Override
    public Swap set(boolean on, String pattern) {
        long begin = System.nanoTime();
        Probe.setActive(on);
        return Swap.since(begin, 0, new ArrayList<>());
    }
}
