package moobench.classes;

/** A thread that does nothing but look at the clock: its longest gap is how long the change kept others from running. */
final class Watcher {
    private final Thread thread = new Thread(this::watch, "moobench-watcher");
    private volatile boolean closed;
    private volatile long longestNs;
    /** Written by the watching thread alone. */
    private volatile long looks;

    Watcher() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long looked = 0;
        long last = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            if (now - last > longestNs) {
                longestNs = now - last;
            }
            last = now;
            looks = ++looked;
        }
    }

    /** Forgets what was; the thread is running when this returns. */
    void reset() {
        awaitLook();
        longestNs = 0;
    }

    /** The longest time between two looks since the reset, in ns; a gap that isn't over yet is waited for. */
    long longestNs() {
        awaitLook();
        return longestNs;
    }

    private void awaitLook() {
        long seen = looks;
        while (looks - seen < 2) { // the first may have begun before
            Thread.yield();
        }
    }

    /** Ends the thread. */
    void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
