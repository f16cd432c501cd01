package moobench.kernel;

import java.util.concurrent.CountDownLatch;

/** Windows in which the threads of a loop call at a rate, one whenever it is asked for; each may have another rate. */
final class Paced {
    private final Target target;
    private final long methodTimeNs;
    private final int depth;
    private final long[] calls; // per thread
    private final long[] busyNs;
    private final long[] lateNs;
    private final CountDownLatch asked = new CountDownLatch(1); // never open: the threads of all windows are seen at the end

    Paced(Target target, long methodTimeNs, int depth, int threads) {
        this.target = target;
        this.methodTimeNs = methodTimeNs;
        this.depth = depth;
        this.calls = new long[threads];
        this.busyNs = new long[threads];
        this.lateNs = new long[threads];
    }

    /**
     * Has the threads make all calls that are due within holdNs, so many per second together, as far as they get to them, and
     * says what became of that.
     */
    Message take(long rate, long holdNs) throws InterruptedException {
        Together all = Together.run(calls.length, i -> call(i, new Pace(rate, i, calls.length), holdNs), asked);
        return new Message("paced").with("begin_ns", all.beginNs).with("end_ns", all.endNs)
                .with("calls", sum(calls)).with("busy_ns", sum(busyNs)).with("late_ns", sum(lateNs))
                .with("alloc_bytes", all.allocBytes).with("cpu_ns", all.cpuNs).with("delay_ns", all.delayNs);
    }

    private void call(int thread, Pace pace, long holdNs) {
        pace.begin(holdNs);
        busyNs[thread] = call(target, methodTimeNs, depth, pace);
        calls[thread] = pace.calls();
        lateNs[thread] = pace.lateNs();
    }

    private static long call(Target target, long methodTimeNs, int depth, Pace pace) {
        long sum = 0;
        long busyNs = 0;
        while (pace.next()) {
            sum += target.monitoredMethod(methodTimeNs, depth);
            busyNs += System.nanoTime() - pace.nowNs();
        }
        Loop.sink = sum;
        return busyNs;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
