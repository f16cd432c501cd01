package moobench.classes;

import java.util.Arrays;
import java.util.List;
import moobench.kernel.Loop;
import moobench.kernel.Series;
import moobench.kernel.Switch;
import moobench.kernel.Target;

/** A clone that runs hot: each of its calls is timed, before its probe is in, while it is, and after. */
final class Hot {
    private final Target target;
    private final String pattern;
    private final long methodTimeNs;
    private final int depth;
    private final long[] before;
    private final long[] during;
    private final long[] after;
    private final long[] swaps = new long[2];

    Hot(Target target, String pattern, long methodTimeNs, int depth, int calls) {
        this.target = target;
        this.pattern = pattern;
        this.methodTimeNs = methodTimeNs;
        this.depth = depth;
        this.before = touched(calls);
        this.during = touched(calls);
        this.after = touched(calls);
    }

    private static long[] touched(int n) {
        long[] samples = new long[n];
        Arrays.fill(samples, -1); // a page is touched now, not in the loop
        return samples;
    }

    String pattern() {
        return pattern;
    }

    /** Calls the method unmeasured, in the very loop that will be timed. */
    long prime(long calls) {
        long[] scratch = new long[1000];
        long made = 0;
        while (made < calls) {
            int n = (int) Math.min(scratch.length, calls - made);
            time(n == scratch.length ? scratch : new long[n]);
            made += n;
        }
        return made;
    }

    /** Times the three phases, and the changes between them. */
    void run(Switch swapper) throws Exception {
        time(before);
        long begin = System.nanoTime();
        Switch.Swap in = swapper.activate(pattern);
        swaps[0] = System.nanoTime() - begin;
        time(during);
        begin = System.nanoTime();
        Switch.Swap out = swapper.deactivate(pattern);
        swaps[1] = System.nanoTime() - begin;
        time(after);
        Changes.check("activate", pattern, in);
        Changes.check("deactivate", pattern, out);
    }

    private void time(long[] into) {
        Loop.sink = time(target, methodTimeNs, depth, into);
    }

    private static long time(Target target, long methodTimeNs, int depth, long[] into) {
        long sum = 0;
        for (int i = 0; i < into.length; i++) {
            long begin = System.nanoTime();
            sum += target.monitoredMethod(methodTimeNs, depth);
            into[i] = System.nanoTime() - begin;
        }
        return sum;
    }

    /** The calls of one run. */
    long calls() {
        return 3L * before.length;
    }

    List<Series> series() {
        return Arrays.asList(
                new Series("before", 0, "t:ns:duration", 1, before),
                new Series("during", 0, "t:ns:duration", 1, during),
                new Series("after", 0, "t:ns:duration", 1, after),
                new Series("hot", 0, "activate:ns:duration,deactivate:ns:duration", 1, swaps));
    }
}
