package moobench.locks;

import moobench.kernel.BusyWait;

/** What threads contend for. */
final class ContendedTest {
    private final BusyWait wait;
    private final long workNs;
    private long executions;
    private long sum;

    ContendedTest(BusyWait wait, long workNs) {
        this.wait = wait;
        this.workNs = workNs;
    }

    /** Is busy, and holds the lock. */
    synchronized void work() {
        sum += wait.spend(workNs);
        executions++;
    }

    /** Read when all threads have ended. */
    long executions() {
        return executions;
    }
}
