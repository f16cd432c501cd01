package moobench.probes.events;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import moobench.probes.ProbeSettings;

/** A ring for each thread, and the thread that writes them into the file while the program runs. */
final class RingLogs extends EventLogs {
    /** Room for events of the smallest and of the largest ring: 4 KiB and 4 MiB. */
    private static final int LEAST = 1 << 8;

    private static final int MOST = 1 << 18;
    /** The same where all is kept in memory until the end. */
    private static final int MOST_KEPT = 1 << 26;
    /**
     * How long the writer rests where there is little to write: an event takes twice this, so that no ring is more than half full
     * after it, but at least a millisecond and at most ten. Each time it wakes, it takes a CPU from a thread that may have a lock.
     */
    private static final long REST_NS_BY_EVENT = 20;

    private static final long LEAST_REST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOST_REST_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Rings that are ready for threads that begin together, at most; together they take a 64th of the heap. */
    private static final int SPARES = 4;

    /** Events by whose mean the price of one is told. */
    private static final int PRICED = 1 << 17;

    private final EventFile file;
    private final boolean streams = ProbeSettings.streams();
    /** Whether it is of locks: then it has to be told what else takes time, and what the log takes. */
    private final boolean ofLocks = ProbeSettings.ofLocks();
    /** Whether an event's price is wanted: where waits are logged, it is in each. A campaign's JVM measures none. */
    private final boolean priced = ofLocks || ProbeSettings.waits();
    private final long[] copy = new long[2 << 14];
    private final Thread writer = new Thread(this::write, "moobench-events-writer");
    private final AtomicLong memory; // bytes that are left for rings
    /** Memory for the rings of the next threads: to get some takes as long as thousands of events. */
    private final Queue<long[]> spares = new ConcurrentLinkedQueue<>();
    private final AtomicLong madeNs = new AtomicLong();
    private final LongAdder wovenNs = new LongAdder();
    private int smallest; // capacity of the rings
    private volatile boolean ending;

    RingLogs(EventFile file, long memory) {
        this.file = file;
        this.memory = new AtomicLong(memory);
        keepSpares();
        writer.setDaemon(true);
        writer.start();
    }

    /** Rings shrink as memory is used up: the first threads are those that work, and there may be thousands. */
    private long[] slots() {
        while (true) {
            long left = memory.get();
            int capacity = streams ? MOST : MOST_KEPT;
            while (capacity > LEAST && (long) capacity * Ring.EVENT_BYTES > left / 8) {
                capacity >>= 1;
            }
            if (memory.compareAndSet(left, left - (long) capacity * Ring.EVENT_BYTES)) {
                return new long[2 * capacity]; // the JVM fills it with 0, and so touches its pages before an event does
            }
        }
    }

    private void keepSpares() {
        long each = (long) (streams ? MOST : MOST_KEPT) * Ring.EVENT_BYTES;
        long most = Math.min(SPARES, Runtime.getRuntime().maxMemory() / 64 / each);
        while (spares.size() < most) {
            spares.add(slots());
        }
    }

    /** It is done by a thread of the program, and so the log's time. */
    @Override
    protected EventLog make(int number) {
        long begin = System.nanoTime();
        long[] slots = spares.poll();
        Ring ring = new Ring(number, slots != null ? slots : slots(), file);
        madeNs.addAndGet(System.nanoTime() - begin);
        return ring;
    }

    private void write() {
        Collections collections = ofLocks ? new Collections() : null;
        while (!ending) {
            keepSpares();
            if (!streams || drain() < 0.25) {
                LockSupport.parkNanos(this, Math.max(LEAST_REST_NS, Math.min(MOST_REST_NS, REST_NS_BY_EVENT * smallest)));
            }
            long[] seen = collections == null ? null : collections.look();
            if (seen != null) {
                file.collection(seen);
            }
        }
        drain();
        file.end(lost(), priced ? pricePs() : 0, madeNs.get(), wovenNs.sum());
    }

    /** What an event takes, by those of a ring that nobody reads. */
    private static long pricePs() {
        Ring ring = new Ring(0, new long[2 * MOST], null);
        long begin = System.nanoTime();
        for (int i = 0; i < PRICED; i++) {
            ring.add(EventLog.ENTER, System.nanoTime(), ring, 0);
        }
        return 1000 * (System.nanoTime() - begin) / PRICED;
    }

    @Override
    void note(String text) {
        file.note(text);
    }

    @Override
    void wove(long ns) {
        wovenNs.add(ns);
    }

    /** Writes what is in the rings now, and returns how full the fullest was. */
    private double drain() {
        List<EventLog> rings;
        synchronized (this) {
            rings = new ArrayList<>(present());
        }
        double fullest = 0;
        smallest = MOST;
        long begin = System.nanoTime();
        for (EventLog log : rings) {
            Ring ring = (Ring) log;
            smallest = Math.min(smallest, ring.capacity());
            int left = ring.unwritten(); // what comes meanwhile waits for the next round, as the other rings do now
            fullest = Math.max(fullest, (double) left / ring.capacity());
            while (left > 0) {
                int n = ring.take(copy);
                file.events(ring.number, copy, n);
                ring.wrote(n);
                left -= n;
            }
        }
        if (fullest > 0) {
            file.turn(begin);
        }
        return fullest;
    }

    @Override
    long close() throws IOException, InterruptedException {
        ending = true;
        LockSupport.unpark(writer);
        writer.join();
        return file.close();
    }
}
