package moobench.bridge.pfl;

import java.util.function.ToLongFunction;
import moobench.probes.PerThread;

/** What the counting monitor has seen. The counts are exact once the threads have ended, and in the thread that asks. */
final class Counters extends PerThread<Counters.Counter> {
    /** Those of this JVM. */
    static final Counters ALL = new Counters();

    private Counters() {}

    @Override
    protected Counter make(int number) {
        return new Counter();
    }

    synchronized long sum(ToLongFunction<Counter> count) {
        return present().stream().mapToLong(count).sum();
    }

    /** Of one thread, and of those before it that have ended; only that thread writes here. */
    static final class Counter {
        long entered;
        long exited;
        long infos;
        long exceptions;
    }
}
