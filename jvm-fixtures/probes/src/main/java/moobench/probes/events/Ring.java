package moobench.probes.events;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Events in a ring of memory that was made beforehand. The thread fills it, and the writer empties it while the thread goes
 * on; where the writer is too slow, events are lost and counted: nobody waits.
 *
 * <p>An event is two longs: its time, and its kind (4 bits), method (28 bits) and object's hash (32 bits).
 */
final class Ring extends EventLog {
    static final int EVENT_BYTES = 16;
    /** Kinds that no method makes: so many events are missing here; from here on it is this thread's. */
    static final int MISSING = 14;

    static final int THREAD = 15;

    final int number;
    private final Names names;
    private final long[] slots;
    private final int mask;
    /** Events that were added, and those that were written; the thread's and the writer's. */
    private final AtomicLong added = new AtomicLong();

    private final AtomicLong written = new AtomicLong();
    private long at;
    private long free; // at may grow to this without a look at written
    private long missing; // since the last that was kept
    private long beginning; // what names the thread; 0 when that is said

    /** Numbers threads, and keeps their names and those of objects' classes. */
    interface Names {
        int thread(String name);

        void object(int hash, String type);
    }

    /** A ring in this memory, two longs an event; it has room for a power of two of them. */
    Ring(int number, long[] slots, Names names) {
        this.number = number;
        this.names = names;
        this.slots = slots;
        mask = slots.length / 2 - 1;
        free = mask + 1;
    }

    @Override
    void begin(String thread) {
        beginning = (long) THREAD << 60 | names.thread(thread);
        free = at; // said before its first event
    }

    @Override
    boolean keep(int kind, long time, Object self, int method) {
        return keep(kind, time, hash(self), method);
    }

    @Override
    boolean keep(int kind, long time, int hash, int method) {
        if (at == free && !makeRoom(time)) {
            missing++;
            return false;
        }
        put(time, (long) kind << 60 | (long) method << 32 | hash & 0xFFFFFFFFL);
        return true;
    }

    @Override
    void classOf(int hash, String type) {
        names.object(hash, type);
    }

    private void put(long time, long what) {
        long i = at;
        int slot = (int) (i & mask) << 1;
        slots[slot] = time;
        slots[slot + 1] = what;
        at = i + 1;
        added.lazySet(i + 1); // after the event, and no more than a store
    }

    /** Looks what was written meanwhile, and says what has to be said before the next event. */
    private boolean makeRoom(long time) {
        free = written.get() + mask + 1;
        if (free - at < 3) {
            free = at;
            return false;
        }
        if (missing > 0) {
            put(time, (long) MISSING << 60 | missing);
            missing = 0;
        }
        if (beginning != 0) {
            put(time, beginning);
            beginning = 0;
        }
        return true;
    }

    int capacity() {
        return mask + 1;
    }

    /** Events that are not written yet; for the writer. */
    int unwritten() {
        return (int) (added.get() - written.get());
    }

    /** Copies events that are not written yet into longs, two each, and returns how many; they stay until {@link #wrote}. */
    int take(long[] into) {
        long from = written.get();
        int n = (int) Math.min(added.get() - from, into.length / 2);
        int slot = (int) (from & mask) << 1;
        int first = Math.min(2 * n, slots.length - slot);
        System.arraycopy(slots, slot, into, 0, first);
        System.arraycopy(slots, 0, into, first, 2 * n - first);
        return n;
    }

    /** So many more are written, and their room is free. */
    void wrote(int events) {
        written.lazySet(written.get() + events);
    }
}
