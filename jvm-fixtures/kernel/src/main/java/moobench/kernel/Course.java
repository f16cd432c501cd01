package moobench.kernel;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How this JVM fares over time: a thread of its own takes a row at regular intervals, of counters that the JVM keeps anyway.
 * All rows are allocated beforehand. When they are full, every second one goes and the interval doubles, so that hours fit.
 */
final class Course {
    /** Columns of a row: counters since the JVM's start, and the heap left in use by its last collection, or -1 before one. */
    static final String COLUMNS = "since:ns:count,heap_after_gc:B:count,collections:1:count,gc:ns:count,classes:1:count,threads:1:count";

    private static final int WIDTH = 6;

    private final List<GarbageCollectorMXBean> collectors = new ArrayList<>();
    private final List<String> heap = new ArrayList<>(); // names of its pools
    private final ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Thread thread = new Thread(this::run, "moobench-course");
    private final long[] values;
    private int used;
    private long everyNs;
    private long collections;
    private long heapAfterGc = -1;
    private Throwable failure;

    /** A course of at most so many rows. Everything it needs is made and touched here. */
    Course(long everyNs, int rows) {
        for (GarbageCollectorMXBean collector : ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class)) {
            if (!collector.getName().endsWith("Pauses")) { // parts of cycles, which another bean counts
                collectors.add(collector);
            }
        }
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                heap.add(pool.getName());
            }
        }
        this.everyNs = everyNs;
        this.values = new long[Math.multiplyExact(rows, WIDTH)];
        Arrays.fill(values, -1);
        collected();
        take(0);
        used = 0;
        thread.setDaemon(true);
    }

    /** Begins with the first row. */
    void start() {
        thread.start();
    }

    /** Ends the thread, and returns its rows. */
    Series end() throws InterruptedException {
        thread.interrupt();
        thread.join();
        if (failure != null) {
            throw new IllegalStateException("thread " + thread.getName() + ": " + failure, failure);
        }
        return series();
    }

    /** The rows until now. */
    Series series() {
        return new Series("jvm", 0, COLUMNS, 1, Arrays.copyOf(values, used));
    }

    /** The interval by now. */
    long everyNs() {
        return everyNs;
    }

    private void run() {
        try {
            long begin = System.nanoTime();
            long due = begin;
            while (true) {
                long now = System.nanoTime();
                take(now - begin);
                due += everyNs * (1 + (now - due) / everyNs); // what was missed is not made up for
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            }
        } catch (InterruptedException e) {
            // it was told to end
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Takes a row. */
    void take(long sinceNs) {
        if (used == values.length) {
            halve();
        }
        long count = 0;
        long ms = 0;
        for (int i = 0; i < collectors.size(); i++) {
            count += collectors.get(i).getCollectionCount();
            ms += collectors.get(i).getCollectionTime();
        }
        if (count != collections) {
            collections = count;
            heapAfterGc = collected();
        }
        values[used] = sinceNs;
        values[used + 1] = heapAfterGc;
        values[used + 2] = count;
        values[used + 3] = TimeUnit.MILLISECONDS.toNanos(ms);
        values[used + 4] = classes.getLoadedClassCount();
        values[used + 5] = threads.getThreadCount();
        used += WIDTH;
    }

    private void halve() {
        int kept = 0;
        for (int from = 0; from < used; from += 2 * WIDTH) {
            System.arraycopy(values, from, values, kept, WIDTH);
            kept += WIDTH;
        }
        used = kept;
        everyNs *= 2;
    }

    /** Bytes left in the heap by the last collection; -1 before one. A bean makes objects for it, so it is read once for each. */
    private long collected() {
        GcInfo last = null;
        for (int i = 0; i < collectors.size(); i++) {
            GcInfo info = collectors.get(i).getLastGcInfo();
            if (info != null && (last == null || info.getEndTime() > last.getEndTime())) {
                last = info;
            }
        }
        if (last == null) {
            return -1;
        }
        Map<String, MemoryUsage> after = last.getMemoryUsageAfterGc();
        long bytes = 0;
        for (int i = 0; i < heap.size(); i++) {
            MemoryUsage pool = after.get(heap.get(i));
            bytes += pool == null ? 0 : pool.getUsed();
        }
        return bytes;
    }
}
