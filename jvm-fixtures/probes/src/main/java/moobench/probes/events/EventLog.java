package moobench.probes.events;

/** The events of one thread, and of those before it that have ended. Only that thread adds to it. */
abstract class EventLog {
    /** A method begins, returns, ends by an exception. */
    static final int ENTER = 0;

    static final int EXIT = 1;
    static final int THROWN = 2;
    /** A thread in a method begins to wait for others, and goes on; after an exception the second one is missing. */
    static final int WAIT = 3;

    static final int AWAKE = 4;

    private long entered;
    private long exited;
    private long recorded;
    private long lost;

    /** Adds an event of the current thread, and counts it. */
    final void add(int kind, long time, Object self, int method) {
        boolean ends = kind == EXIT || kind == THROWN;
        if (kind == ENTER) {
            entered++;
        } else if (ends) {
            exited++;
        }
        if (!keep(kind, time, self, method)) {
            lost++;
        } else if (ends) {
            recorded++;
        }
    }

    /** Keeps an event; false where there is no room for it. */
    abstract boolean keep(int kind, long time, Object self, int method);

    /** The current thread begins to use it. */
    abstract void begin(String thread);

    /** The hash by which events name an object: what {@link Object#hashCode} is where nobody overrides it. */
    static int hash(Object self) {
        return System.identityHashCode(self); // 0 for null
    }

    final long entered() {
        return entered;
    }

    final long exited() {
        return exited;
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
