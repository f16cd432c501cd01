package moobench.calls;

import java.util.Arrays;
import java.util.Locale;
import moobench.kernel.Loop;
import moobench.kernel.Meter;
import moobench.kernel.Run;
import moobench.kernel.Target;

/**
 * What the timed loop costs beside the cheapest loop that can time anything, two stamps and a store: CPU time per iteration
 * of both, in one JVM, in alternating rounds. Prints one line.
 */
public final class Floor {
    private static final int ROUNDS = 21;

    private Floor() {}

    /** Takes the number of iterations per round. */
    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        Loop loop = new Loop(new Nothing(), 0, 1, n, 1, 1);
        Cheapest cheapest = new Cheapest(n);
        double[] ours = new double[ROUNDS];
        double[] floor = new double[ROUNDS];
        long allocated = 0;
        for (int round = -3; round < ROUNDS; round++) { // three to warm up
            Run run = loop.run();
            double cheap = cheapest.run();
            if (round >= 0) {
                ours[round] = run.loopCpuNs() / (double) n;
                floor[round] = cheap;
                allocated = Math.max(allocated, run.allocBytes);
            }
        }
        System.out.printf(Locale.ROOT, "floor rounds=%d loop_ns=%.2f floor_ns=%.2f ratio=%.3f alloc_bytes=%.6f%n",
                ROUNDS, median(ours), median(floor), median(ours) / median(floor), allocated / (double) n);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** A target without work. */
    static final class Nothing implements Target {
        @Override
        public long monitoredMethod(long methodTimeNs, int depth) {
            return depth;
        }
    }

    private static final class Cheapest {
        private final long[] samples;
        private volatile double cpuNs;

        Cheapest(int n) {
            samples = new long[n];
            Arrays.fill(samples, -1);
        }

        double run() throws InterruptedException {
            Thread thread = new Thread(this::measure, "moobench-floor");
            thread.start();
            thread.join();
            return cpuNs;
        }

        private void measure() {
            try (Meter meter = new Meter()) {
                meter.begin();
                time(samples);
                meter.end();
                cpuNs = meter.cpuNs() / (double) samples.length;
            }
        }

        private static void time(long[] into) {
            for (int i = 0; i < into.length; i++) {
                long begin = System.nanoTime();
                into[i] = System.nanoTime() - begin;
            }
        }
    }
}
