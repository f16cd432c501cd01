package moobench.kernel;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;

/**
 * What the current thread uses between {@link #begin} and {@link #end}: CPU time, time spent waiting for a CPU, and bytes
 * allocated. Everything is opened and touched by the constructor; all methods belong to the thread that made it.
 */
public final class Meter implements AutoCloseable {
    private final com.sun.management.ThreadMXBean threads;
    private final RandomAccessFile schedstat;
    private final byte[] text = new byte[128];
    private final long thread = threadId();
    private long runNs;
    private long waitNs;
    private long allocated;

    public Meter() {
        java.lang.management.ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        threads = bean instanceof com.sun.management.ThreadMXBean ? (com.sun.management.ThreadMXBean) bean : null;
        schedstat = open();
        begin();
        end();
    }

    private static RandomAccessFile open() {
        try {
            return new RandomAccessFile("/proc/thread-self/schedstat", "r");
        } catch (IOException e) {
            return null; // not Linux, or a kernel without it
        }
    }

    @SuppressWarnings("deprecation") // Thread.threadId() came with 19
    private static long threadId() {
        return Thread.currentThread().getId();
    }

    /** Starts counting. */
    public void begin() {
        readScheduler();
        allocated = allocatedBytes();
    }

    /** Stops counting; the differences are there from now on. */
    public void end() {
        allocated = difference(allocatedBytes(), allocated);
        long run = runNs;
        long wait = waitNs;
        readScheduler();
        runNs = difference(runNs, run);
        waitNs = difference(waitNs, wait);
    }

    /** CPU time in ns, or -1. */
    public long cpuNs() {
        return runNs;
    }

    /** Time in ns in which the thread could have run but had no CPU, or -1. */
    public long delayNs() {
        return waitNs;
    }

    /** Bytes allocated, or -1. What the counting itself allocates, some hundred bytes, is in it. */
    public long allocBytes() {
        return allocated;
    }

    private static long difference(long now, long before) {
        return now < 0 || before < 0 ? -1 : now - before;
    }

    private long allocatedBytes() {
        return threads == null ? -1 : threads.getThreadAllocatedBytes(thread);
    }

    private void readScheduler() {
        runNs = -1;
        waitNs = -1;
        if (schedstat == null) {
            return;
        }
        if (threads != null) {
            threads.getCurrentThreadCpuTime(); // makes the kernel bring the running thread's account up to date
        }
        try {
            schedstat.seek(0);
            parse(schedstat.read(text));
        } catch (IOException e) {
            // stays -1
        }
    }

    private void parse(int length) {
        int at = 0;
        long first = 0;
        for (; at < length && text[at] >= '0'; at++) {
            first = 10 * first + text[at] - '0';
        }
        long second = 0;
        int from = ++at;
        for (; at < length && text[at] >= '0'; at++) {
            second = 10 * second + text[at] - '0';
        }
        if (at > from) {
            runNs = first;
            waitNs = second;
        }
    }

    @Override
    public void close() {
        try {
            if (schedstat != null) {
                schedstat.close();
            }
        } catch (IOException e) {
            // it was only read
        }
    }
}
