package moobench.kernel;

import java.util.concurrent.locks.LockSupport;

/**
 * When calls of one thread are due that are made at a rate. Each is due at its own time after the begin, however long the
 * calls before it took: what comes late is made up for, and is counted as late. Until a call is due the thread sleeps: one that
 * spins would take the CPU from what an agent does in threads of its own, and hide what that costs. A thread that sleeps wakes
 * some 60 us late (the kernel's timer slack), so that calls which are closer than that come in small bursts.
 *
 * <p>All methods but the constructor belong to the thread that calls.
 */
final class Pace {
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final double stepNs; // 0: each call is due at once
    private final double offsetNs; // threads take turns
    private long beginNs;
    private long endNs;
    private long nowNs;
    private long calls;
    private long lateNs;

    /** Of one of several threads, which make so many calls per second together; 0: as many as they can. */
    Pace(long rate, int thread, int threads) {
        stepNs = rate == 0 ? 0 : 1e9 * threads / rate;
        offsetNs = stepNs * thread / threads;
    }

    /** Begins anew, for as long as calls are asked for. */
    void begin() {
        begin(NEVER);
    }

    /** Begins anew; no call begins after holdNs. */
    void begin(long holdNs) {
        calls = 0;
        lateNs = 0;
        beginNs = System.nanoTime();
        endNs = beginNs + holdNs;
    }

    /** Waits until the next call is due, and says whether it is to be made: not when the time is over. */
    boolean next() {
        long dueNs = beginNs + (long) (offsetNs + calls * stepNs);
        long untilNs = dueNs - endNs < 0 ? dueNs : endNs;
        nowNs = System.nanoTime();
        while (nowNs - untilNs < 0) {
            LockSupport.parkNanos(untilNs - nowNs);
            nowNs = System.nanoTime();
        }
        if (nowNs - endNs >= 0) {
            return false;
        }
        calls++;
        lateNs += nowNs - dueNs;
        return true;
    }

    /** System.nanoTime() as the last wait ended. */
    long nowNs() {
        return nowNs;
    }

    /** Calls that were to be made since the begin. */
    long calls() {
        return calls;
    }

    /** By how much these came after they were due, summed up. */
    long lateNs() {
        return lateNs;
    }
}
