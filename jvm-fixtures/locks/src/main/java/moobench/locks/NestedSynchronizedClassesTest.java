package moobench.locks;

/**
 * M12: locks inside of locks. A call holds the locks of three objects, of the innermost one by a block, and then takes the first
 * one's once more.
 */
final class NestedSynchronizedClassesTest implements Micro {
    private final Middle middle = new Middle();
    private long entries;

    @Override
    public void execute(int i) {
        outer();
    }

    synchronized void outer() {
        middle.enter(this);
        entries++;
    }

    /** The lock is held already by who calls it. */
    synchronized void again() {
        entries++;
    }

    /** The second object. */
    static final class Middle {
        private final Inner inner = new Inner();
        private long entries;

        synchronized void enter(NestedSynchronizedClassesTest first) {
            inner.enter(first);
            entries++;
        }
    }

    /** The third one. */
    static final class Inner {
        private long entries;

        void enter(NestedSynchronizedClassesTest first) {
            synchronized (this) {
                first.again();
                entries++;
            }
        }
    }

    @Override
    public int entries() {
        return 4;
    }

    @Override
    public void check(int executions) {
        Micro.expect("the number of entries", entries + middle.entries + middle.inner.entries, (long) entries() * executions);
    }
}
