package moobench.probes;

/**
 * What one thread's burns were late by. The next ones are shorter by it, so that the mean of many, from the first reading
 * of the clock to the last, is the chosen time: also when an interrupt lengthened some of them.
 *
 * <p>What exceeds {@link #LONGEST_NS} is not paid back. When another program has the CPU for a while, the call lasts longer
 * by that, as any other call would: a known cost that hid it would find every machine in order.
 */
final class Debt {
    /** Longer than an interrupt takes, in a virtual machine too; much shorter than what a scheduler gives another program. */
    static final long LONGEST_NS = 100_000;

    private long ns;

    /** How long a burn of timeNs is to be now: from 0 to timeNs. */
    long wanted(long timeNs) {
        return Math.max(0, timeNs - ns);
    }

    /** After a burn of timeNs that took burntNs, which is at least what was wanted. */
    void settle(long timeNs, long burntNs) {
        ns = Math.min(ns + burntNs - timeNs, LONGEST_NS);
    }
}
