package moobench.probes.events;

import java.util.Arrays;
import java.util.Locale;

/** What an event costs, as a multiple of a look at the clock: medians of rounds that take turns, in one JVM. */
final class Price {
    private static final int ROUNDS = 101;
    private static final int EACH = 100_000; // fewer than a ring has room for

    private Price() {}

    public static void main(String[] args) throws InterruptedException {
        int method = Events.method("public void a.B.c()");
        Object self = new Object();
        double[] clock = new double[ROUNDS];
        double[] event = new double[ROUNDS];
        double[] lock = new double[ROUNDS];
        for (int i = -20; i < ROUNDS; i++) { // the first ones are compiled
            double looks = looks();
            double events = events(self, method);
            Thread.sleep(5); // in which the events are written
            double locks = locks(self, method);
            if (i >= 0) {
                clock[i] = looks;
                event[i] = events;
                lock[i] = locks;
            }
            Thread.sleep(5);
        }
        Arrays.sort(clock);
        Arrays.sort(event);
        Arrays.sort(lock);
        double one = clock[ROUNDS / 2];
        System.out.printf(Locale.ROOT, "%.1f ns an event, %.1f ns one of locks, %.1f ns a look at the clock: %.2f and %.2f times%n",
                event[ROUNDS / 2], lock[ROUNDS / 2], one, event[ROUNDS / 2] / one, lock[ROUNDS / 2] / one);
    }

    private static double looks() {
        long sum = 0;
        long begin = System.nanoTime();
        for (int i = 0; i < EACH; i++) {
            sum += System.nanoTime();
        }
        long end = System.nanoTime();
        return (double) (end - begin) / (sum == 0 ? 1 : EACH); // the sum is looked at, so that it is made
    }

    private static double locks(Object self, int method) {
        long begin = System.nanoTime();
        for (int i = 0; i < EACH / 3; i++) {
            int hash = Events.request(self, method);
            Events.acquired(hash, method);
            Events.released(self, System.nanoTime(), method);
        }
        return (double) (System.nanoTime() - begin) / (EACH / 3 * 3);
    }

    private static double events(Object self, int method) {
        long begin = System.nanoTime();
        for (int i = 0; i < EACH / 2; i++) {
            Events.enter(self, method);
            Events.exit(self, method);
        }
        return (double) (System.nanoTime() - begin) / EACH;
    }
}
