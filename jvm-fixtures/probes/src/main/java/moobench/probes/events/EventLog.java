package moobench.probes.events;

import java.util.HashMap;
import java.util.Map;
import moobench.probes.Methods;

/** The events of one thread, and of those before it that have ended. Only that thread adds to it. */
abstract class EventLog {
    /** A method begins, returns, ends by an exception. */
    static final int ENTER = 0;

    static final int EXIT = 1;
    static final int THROWN = 2;
    /** A thread in a method begins to wait for others, and goes on; after an exception the second one is missing. */
    static final int WAIT = 3;

    static final int AWAKE = 4;
    /** A thread asks for a lock; what comes next says whether it got it. */
    static final int REQUEST = 5;
    /** Says who called the execution that has just begun; the method is the place. */
    static final int CALLER = 6;

    /** How many objects a log remembers to have named; a power of two. */
    private static final int NAMED = 256;

    private long entered;
    private long exited;
    private long others;
    private long recorded;
    private long lost;
    private int[] named; // hashes, each in its slot; made with the first
    private Map<StackTraceElement, Integer> places; // numbers of those that were seen; made with the first

    /** Adds an event of the current thread, and counts it. */
    final void add(int kind, long time, Object self, int method) {
        count(kind, keep(kind, time, self, method));
    }

    /** The same of a lock by its hash alone, which {@link #name} has returned. */
    final void add(int kind, long time, int hash, int section) {
        count(kind, keep(kind, time, hash, section));
    }

    private void count(int kind, boolean kept) {
        boolean ends = kind == EXIT || kind == THROWN;
        if (kind == ENTER) {
            entered++;
        } else if (ends) {
            exited++;
        } else {
            others++;
        }
        if (!kept) {
            lost++;
        } else if (ends) {
            recorded++;
        }
    }

    /** Keeps an event; false where there is no room for it. */
    abstract boolean keep(int kind, long time, Object self, int method);

    abstract boolean keep(int kind, long time, int hash, int section);

    /** The current thread begins to use it. */
    abstract void begin(String thread);

    /** Has the class of an object named, unless that was done not long ago, and returns its hash. */
    final int name(Object self) {
        int hash = hash(self);
        if (named == null) {
            named = new int[NAMED];
        }
        if (named[hash & NAMED - 1] != hash) {
            named[hash & NAMED - 1] = hash;
            classOf(hash, self instanceof Class ? self.toString() : self.getClass().getName());
        }
        return hash;
    }

    /** Keeps what class an object has that events name. */
    void classOf(int hash, String type) {}

    /** The number of a place in the program. */
    final int place(StackTraceElement where) {
        if (places == null) {
            places = new HashMap<>();
        }
        return places.computeIfAbsent(where, w -> Methods.id("at " + w));
    }

    /** The hash by which events name an object: what {@link Object#hashCode} is where nobody overrides it. */
    static int hash(Object self) {
        return System.identityHashCode(self); // 0 for null
    }

    final long entered() {
        return entered;
    }

    /** Whether the thread is in a monitored method; what had the log before may have left some without an end. */
    final boolean isOpen() {
        return entered > exited;
    }

    final long exited() {
        return exited;
    }

    /** Events that were to be kept. */
    final long events() {
        return entered + exited + others;
    }

    /** Executions whose end was kept: what other probes make one record of. */
    final long recorded() {
        return recorded;
    }

    /** Events for which there was no room. */
    final long lost() {
        return lost;
    }
}
