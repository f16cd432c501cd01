package moobench.probes;

/**
 * What one thread's burns were late by. The next one is shorter by it, so that the mean of many, from the first reading of
 * the clock to the last, is the chosen time.
 *
 * <p>What exceeds {@link #LONGEST_NS} is not paid back: time that the machine took in the middle of a burn is a cost of
 * that call, as it would be in any other call. The limit doesn't hang on the chosen time, so that what is paid back is the
 * same for all times.
 */
final class Debt {
    /** More than a reading of a quick clock, less than most of what an interrupt takes. */
    static final long LONGEST_NS = 500;

    private long ns;

    /** How long a burn of timeNs is to be now: from 0 to timeNs. */
    long wanted(long timeNs) {
        return timeNs - ns;
    }

    /** After a burn of timeNs that took burntNs, which is at least what was wanted. */
    void settle(long timeNs, long burntNs) {
        ns = Math.min(burntNs - wanted(timeNs), Math.min(timeNs, LONGEST_NS));
    }
}
