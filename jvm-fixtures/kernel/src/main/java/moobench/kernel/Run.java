package moobench.kernel;

/** What one run cost. Sums are over the measuring threads; -1 where the platform doesn't say. */
public final class Run {
    /** System.nanoTime() before the first and after the last call of all threads. */
    public final long beginNs;
    public final long endNs;
    /** Calls made by all threads. */
    public final long calls;
    /** Bytes allocated, CPU time and time spent waiting for a CPU, of the measuring threads, around their loops. */
    public final long allocBytes;
    public final long cpuNs;
    public final long delayNs;
    /** CPU time of the reference, which is in cpuNs; 0 of a fixture that has none. */
    public final long referenceNs;
    /** Wall time of each measuring thread from before its first call to after its last one, summed up. */
    public final long threadsNs;
    /** By how much calls came after they were due, summed up; -1 where they were made as fast as they could be. */
    public final long lateNs;

    /** Of one thread, which measures from begin to end. */
    public Run(long beginNs, long endNs, long calls, long allocBytes, long cpuNs, long delayNs, long referenceNs) {
        this(beginNs, endNs, endNs - beginNs, calls, allocBytes, cpuNs, delayNs, referenceNs);
    }

    /** Of several threads, which measure for threadsNs in all. */
    public Run(long beginNs, long endNs, long threadsNs, long calls, long allocBytes, long cpuNs, long delayNs, long referenceNs) {
        this(beginNs, endNs, threadsNs, calls, allocBytes, cpuNs, delayNs, referenceNs, -1);
    }

    /** Of several threads, whose calls came late by lateNs in all. */
    Run(long beginNs, long endNs, long threadsNs, long calls, long allocBytes, long cpuNs, long delayNs, long referenceNs, long lateNs) {
        this.beginNs = beginNs;
        this.endNs = endNs;
        this.threadsNs = threadsNs;
        this.calls = calls;
        this.allocBytes = allocBytes;
        this.cpuNs = cpuNs;
        this.delayNs = delayNs;
        this.referenceNs = referenceNs;
        this.lateNs = lateNs;
    }

    /** CPU time of the loops in ns, without the reference; -1 where the platform doesn't say. */
    public long loopCpuNs() {
        return cpuNs < 0 ? -1 : cpuNs - referenceNs;
    }
}
