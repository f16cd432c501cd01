package moobench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import moobench.kernel.Loop;
import moobench.kernel.Meter;
import moobench.kernel.Run;
import moobench.measurementHarness.BenchmarkingThreadNano;

/**
 * What the timed loops of moobench and MooBench cost round a method without work: CPU time and bytes allocated per call, in
 * one JVM, in alternating rounds. MooBench's loop prints its progress; the figures go into a file.
 */
public final class Loops {
    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 11;

    private Loops() {}

    /** Takes the file to write, lines of {@code loop;ns per call;bytes per call}, and the calls per round. */
    public static void main(String[] args) throws Exception {
        int calls = Integer.parseInt(args[1]);
        Nothing nothing = new Nothing();
        Loop loop = new Loop(nothing, 0, 1, calls, 1, 1);
        Cost ours = new Cost(calls);
        Cost theirs = new Cost(calls);
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            Run run = loop.run();
            ours.note(round, run.cpuNs, run.allocBytes);
            // Its constructor makes the samples' arrays, so that each round needs a new one.
            BenchmarkingThreadNano thread = new BenchmarkingThreadNano(nothing, calls, 0, 1, new CountDownLatch(1));
            long[] used = metered(thread);
            theirs.note(round, used[0], used[1]);
        }
        write(args[0], Arrays.asList("moobench" + ours, "MooBench" + theirs));
    }

    /** CPU time and bytes that run takes in a thread of its own. */
    private static long[] metered(Runnable run) throws InterruptedException {
        long[] used = new long[2];
        Thread thread = new Thread(() -> {
            try (Meter meter = new Meter()) {
                meter.begin();
                run.run();
                meter.end();
                used[0] = meter.cpuNs();
                used[1] = meter.allocBytes();
            }
        });
        thread.start();
        thread.join();
        return used;
    }

    private static void write(String file, List<String> lines) throws IOException {
        Files.write(Paths.get(file), lines);
    }

    /** The medians over the rounds that count. */
    private static final class Cost {
        private final double calls;
        private final double[] ns = new double[ROUNDS];
        private final double[] bytes = new double[ROUNDS];

        Cost(int calls) {
            this.calls = calls;
        }

        void note(int round, long cpuNs, long allocBytes) {
            if (cpuNs < 0 || allocBytes < 0) {
                throw new IllegalStateException("this platform does not tell a thread's CPU time or what it allocates");
            }
            if (round >= 0) {
                ns[round] = cpuNs / calls;
                bytes[round] = allocBytes / calls;
            }
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, ";%.3f;%.6f", median(ns), median(bytes));
        }

        private static double median(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }
    }
}
