package moobench.classes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moobench.kernel.Dumping;
import moobench.kernel.Loop;
import moobench.kernel.Probes;
import moobench.kernel.Series;
import moobench.kernel.Switch;
import moobench.kernel.Target;

/**
 * The timed changes: activate the probes of a set, call each of its classes, have written out what was recorded where that
 * can be done, deactivate them again.
 */
final class Changes {
    /** How long a record may take to where it is counted, such as a queue's other end. */
    private static final long PATIENCE_NS = 1_000_000_000;

    private final ClassSet[] sets;
    private final Switch swapper;
    private final CloneLoader loader; // null: the classes are loaded
    private final Bare bare;
    private final Watcher watcher;
    private final Dumping dumper; // null: nothing is written out
    private final List<String> columns = new ArrayList<>();
    // Where the columns stand in a row; -1 for one that isn't there.
    private final int total;
    private final int match;
    private final int transform;
    private final int swap;
    private final int firstCall;
    private final int undo;
    private final int recorded;
    private final int loaded;
    private final int bareSwap;
    private final int dump;
    private final int dumpBytes;
    private final int stall;
    private final int dumpStall;
    private final int undoStall;
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
    Changes(ClassSet[] sets, int samples, Switch swapper, CloneLoader loader, Bare bare, Watcher watcher) {
        this.sets = sets;
        this.swapper = swapper;
        this.loader = loader;
        this.bare = bare;
        this.watcher = watcher;
        this.dumper = swapper instanceof Dumping ? (Dumping) swapper : null;
        this.total = column(true, "total:ns:duration");
        this.match = column(true, "match:ns:duration");
        this.transform = column(true, "transform:ns:duration");
        this.swap = column(true, "swap:ns:duration");
        this.firstCall = column(true, "first_call:ns:duration");
        this.undo = column(true, "undo:ns:duration");
        this.recorded = column(true, "recorded:1:count");
        this.loaded = column(loader != null, "load:ns:duration");
        this.bareSwap = column(bare != null, "bare:ns:duration");
        this.dump = column(dumper != null, "dump:ns:duration");
        this.dumpBytes = column(dumper != null, "dump_bytes:By:count");
        this.stall = column(watcher != null, "stall:ns:duration");
        this.dumpStall = column(dumper != null && watcher != null, "dump_stall:ns:duration");
        this.undoStall = column(watcher != null, "undo_stall:ns:duration");
        this.width = columns.size();
        this.rows = new long[Math.multiplyExact(samples, width)];
        Arrays.fill(rows, -1);
    }

    /** Adds a column if it is wanted, and returns where it stands. */
    private int column(boolean wanted, String column) {
        if (!wanted) {
            return -1;
        }
        columns.add(column);
        return columns.size() - 1;
    }

    /** Sets a value of a row, which begins there, if the column is wanted. */
    private void put(int row, int column, long value) {
        if (column >= 0) {
            rows[row + column] = value;
        }
    }

    /** Makes all changes; one that fails ends the run. */
    void run() throws Exception {
        for (int i = 0; i * width < rows.length; i++) {
            int set = i % sets.length;
            boolean bareFirst = i % 2 == 1; // in turn, so that neither always finds what the other left
            if (bare != null && bareFirst) {
                put(i * width, bareSwap, bare.time(set));
            }
            change(sets[set], i * width);
            if (bare != null && !bareFirst) {
                put(i * width, bareSwap, bare.time(set));
            }
        }
    }

    private void change(ClassSet set, int row) throws Exception {
        long before = Probes.counted("recorded");
        watch();
        matchNs = 0;
        transformNs = 0;
        swapNs = 0;
        long begin = System.nanoTime();
        activate(set.patterns);
        long active = System.nanoTime();
        long there = loader == null ? active : load(set);
        Loop.sink = call(set.targets);
        long end = System.nanoTime();
        putStall(row, stall);
        boolean phases = matchNs + transformNs > 0;
        put(row, total, end - begin);
        put(row, match, matchNs);
        put(row, transform, transformNs);
        put(row, swap, phases ? swapNs : active - begin);
        put(row, loaded, there - active);
        put(row, firstCall, end - there);
        put(row, recorded, recordedSince(before, set.targets.length));
        if (dumper != null) {
            dump(row);
        }
        undo(set, row);
    }

    /** Has written out what was recorded until now. */
    private void dump(int row) throws Exception {
        watch();
        long begin = System.nanoTime();
        long bytes = dumper.dump();
        long end = System.nanoTime();
        putStall(row, dumpStall);
        put(row, dump, end - begin);
        put(row, dumpBytes, bytes);
    }

    private void undo(ClassSet set, int row) throws Exception {
        watch();
        long begin = System.nanoTime();
        deactivate(set.patterns);
        long end = System.nanoTime();
        putStall(row, undoStall);
        put(row, undo, end - begin);
    }

    /** From here on the watcher, if there is one, looks for the longest gap. */
    private void watch() {
        if (watcher != null) {
            watcher.reset();
        }
    }

    private void putStall(int row, int column) {
        if (watcher != null) {
            put(row, column, watcher.longestNs());
        }
    }

    /** Loads the classes of the set, makes an object of each, and returns when that was done. */
    private long load(ClassSet set) throws ReflectiveOperationException {
        for (int i = 0; i < set.names.length; i++) {
            set.targets[i] = loader.first(set.names[i]);
        }
        return System.nanoTime();
    }

    /** Records that came since there were so many, -1 if nobody counts them; untimed. After a wait in vain it waits for none. */
    private long recordedSince(long before, int wanted) {
        if (before < 0) {
            return -1;
        }
        long begin = System.nanoTime();
        long n = Probes.counted("recorded") - before;
        while (n < wanted && waits) {
            waits = System.nanoTime() - begin < PATIENCE_NS;
            Thread.yield();
            n = Probes.counted("recorded") - before;
        }
        return n;
    }

    private void activate(String[] patterns) throws Exception {
        for (String pattern : patterns) {
            Switch.Swap swap = swapper.activate(pattern);
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

    static void check(String what, String pattern, Switch.Swap swap) {
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
        String header = String.join(",", columns);
        return Arrays.asList(
                new Series("first", 0, header, 1, Arrays.copyOf(rows, width)),
                new Series("turnaround", 0, header, 1, Arrays.copyOfRange(rows, width, rows.length)));
    }
}
