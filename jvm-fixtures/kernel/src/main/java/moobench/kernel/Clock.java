package moobench.kernel;

/** What System.nanoTime() costs, and how finely it divides time, on this machine in this JVM. */
final class Clock {
    private static final int READS = 10_000;

    private Clock() {}

    /** Cost of one reading in ns: the best of several rounds, because anything else only adds to it. */
    static double costNs() {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long begin = System.nanoTime();
            long last = begin;
            for (int i = 0; i < READS; i++) {
                last = System.nanoTime();
            }
            best = Math.min(best, (last - begin) / (double) READS);
        }
        return best;
    }

    /** The smallest step by which the clock was seen to move, in ns. */
    static long tickNs() {
        long tick = Long.MAX_VALUE;
        long last = System.nanoTime();
        for (int i = 0; i < 10 * READS; i++) {
            long now = System.nanoTime();
            if (now > last) {
                tick = Math.min(tick, now - last);
            }
            last = now;
        }
        return tick;
    }
}
