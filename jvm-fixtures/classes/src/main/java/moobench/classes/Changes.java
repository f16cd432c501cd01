package moobench.classes;

import java.util.Arrays;
import java.util.List;
import moobench.kernel.Loop;
import moobench.kernel.Probes;
import moobench.kernel.Series;
import moobench.kernel.Swapper;
import moobench.kernel.Target;

/** The timed changes: activate the probes of a set, call each of its classes, deactivate them again. */
final class Changes {
    private static final String COLUMNS = "total:ns:duration,match:ns:duration,transform:ns:duration,swap:ns:duration,"
            + "first_call:ns:duration,undo:ns:duration,recorded:1:count";
    private static final int FIXED = 7;
    /** How long a record may take to where it is counted, such as a queue's other end. */
    private static final long PATIENCE_NS = 1_000_000_000;

    private final ClassSet[] sets;
    private final Swapper swapper;
    private final CloneLoader loader; // null: the classes are loaded
    private final Bare bare;
    private final Watcher watcher;
    private final String columns;
    private final int width;
    private final long[] rows;
    private long matchNs;
    private long transformNs;
    private long swapNs;
    private boolean waits = true;

    /**
     * So many changes, which go through the sets in turn. With a loader the classes of a set are loaded after their probes are
     * ordered, and there is no bare, which needs loaded ones. Bare and watcher may be null.
     */
    Changes(ClassSet[] sets, int samples, Swapper swapper, CloneLoader loader, Bare bare, Watcher watcher) {
        this.sets = sets;
        this.swapper = swapper;
        this.loader = loader;
        this.bare = bare;
        this.watcher = watcher;
        this.columns = COLUMNS + (loader == null ? "" : ",load:ns:duration") + (bare == null ? "" : ",bare:ns:duration") + (watcher == null ? "" : ",stall:ns:duration");
        this.width = FIXED + (loader == null ? 0 : 1) + (bare == null ? 0 : 1) + (watcher == null ? 0 : 1);
        this.rows = new long[Math.multiplyExact(samples, width)];
        Arrays.fill(rows, -1);
    }

    /** Makes all changes; one that fails ends the run. */
    void run() throws Exception {
        for (int i = 0; i * width < rows.length; i++) {
            int set = i % sets.length;
            boolean bareFirst = i % 2 == 1; // in turn, so that neither always finds what the other left
            if (bare != null && bareFirst) {
                rows[i * width + FIXED] = bare.time(set);
            }
            change(sets[set], i * width);
            if (bare != null && !bareFirst) {
                rows[i * width + FIXED] = bare.time(set);
            }
        }
    }

    private void change(ClassSet set, int row) throws Exception {
        long recorded = Probes.counted("recorded");
        if (watcher != null) {
            watcher.reset();
        }
        matchNs = 0;
        transformNs = 0;
        swapNs = 0;
        long begin = System.nanoTime();
        activate(set.patterns);
        long active = System.nanoTime();
        long there = loader == null ? active : load(set);
        Loop.sink = call(set.targets);
        long end = System.nanoTime();
        if (watcher != null) {
            rows[row + width - 1] = watcher.longestNs();
        }
        boolean phases = matchNs + transformNs > 0;
        rows[row] = end - begin;
        rows[row + 1] = matchNs;
        rows[row + 2] = transformNs;
        rows[row + 3] = phases ? swapNs : active - begin;
        rows[row + 4] = end - there;
        rows[row + 6] = recordedSince(recorded, set.targets.length);
        if (loader != null) {
            rows[row + FIXED] = there - active;
        }
        begin = System.nanoTime();
        deactivate(set.patterns);
        rows[row + 5] = System.nanoTime() - begin;
    }

    /** Loads the classes of the set, makes an object of each, and returns when that was done. */
    private long load(ClassSet set) throws ReflectiveOperationException {
        for (int i = 0; i < set.names.length; i++) {
            set.targets[i] = loader.first(set.names[i]);
        }
        return System.nanoTime();
    }

    /** Records that came since there were so many; untimed. After a wait in vain it waits for none. */
    private long recordedSince(long before, int wanted) {
        long begin = System.nanoTime();
        long n = Probes.counted("recorded") - before;
        while (before >= 0 && n < wanted && waits) {
            waits = System.nanoTime() - begin < PATIENCE_NS;
            Thread.yield();
            n = Probes.counted("recorded") - before;
        }
        return n;
    }

    private void activate(String[] patterns) throws Exception {
        for (String pattern : patterns) {
            Swapper.Swap swap = swapper.activate(pattern);
            matchNs += swap.matchNs;
            transformNs += swap.transformNs;
            swapNs += swap.swapNs;
            check("activate", pattern, swap);
        }
    }

    private void deactivate(String[] patterns) throws Exception {
        for (String pattern : patterns) {
            check("deactivate", pattern, swapper.deactivate(pattern));
        }
    }

    static void check(String what, String pattern, Swapper.Swap swap) {
        if (!swap.failures.isEmpty()) {
            throw new IllegalStateException(what + " \"" + pattern + "\": " + String.join("; ", swap.failures));
        }
    }

    private static long call(Target[] targets) {
        long sum = 0;
        for (Target target : targets) {
            sum += target.monitoredMethod(0, 1);
        }
        return sum;
    }

    /** The calls of one run. */
    long calls() {
        long calls = 0;
        for (int i = 0; i * width < rows.length; i++) {
            calls += sets[i % sets.length].targets.length;
        }
        return calls;
    }

    /** The first change, in which everything is new, and the others. */
    List<Series> series() {
        return Arrays.asList(
                new Series("first", 0, columns, 1, Arrays.copyOf(rows, width)),
                new Series("turnaround", 0, columns, 1, Arrays.copyOfRange(rows, width, rows.length)));
    }
}
