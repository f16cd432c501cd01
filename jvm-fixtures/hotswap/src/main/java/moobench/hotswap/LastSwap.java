package moobench.hotswap;

import java.util.List;
import moobench.kernel.Switch;

/** What a change did, as JMX reads it. */
public final class LastSwap {
    private final Switch.Swap swap;

    LastSwap(Switch.Swap swap) {
        this.swap = swap;
    }

    /** Classes that were exchanged. */
    public int getClasses() {
        return swap.classes;
    }

    /** Methods that are monitored now and were not, or the other way round. */
    public int getMethods() {
        return swap.methods;
    }

    /** Time to find what had to change, in ns. */
    public long getMatchNs() {
        return swap.matchNs;
    }

    /** Time to write the new class files, in ns. */
    public long getTransformNs() {
        return swap.transformNs;
    }

    /** Time in which the JVM exchanged them, in ns. */
    public long getSwapNs() {
        return swap.swapNs;
    }

    /** Time from the call to its return, in ns. */
    public long getTookNs() {
        return swap.tookNs;
    }

    /** Classes that could not be changed, and why. */
    public List<String> getFailures() {
        return swap.failures;
    }
}
