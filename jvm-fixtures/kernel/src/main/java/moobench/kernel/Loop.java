package moobench.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The timed loop: each thread calls the target, and stamps the clock before and after every call, or before and after every
 * batch of calls where a single one is shorter than a tick. Between them, it times a reference. Calls are made as fast as they
 * can be, or at a rate.
 */
public final class Loop {
    /** Where results go, so that the compiler can't leave the work out. */
    public static volatile long sink;

    private final Target target;
    private final long methodTimeNs;
    private final int depth;
    private final int batch;
    private final long[][] samples; // per thread
    private final Reference[] references; // per thread
    private final Compilations[] compilations; // per thread
    private final Pace[] paces; // per thread; null: as fast as they can
    private CountDownLatch asked = new CountDownLatch(0); // of the last run, for its samples

    /** A loop of calls by each of the threads, as fast as they can. */
    public Loop(Target target, long methodTimeNs, int depth, long calls, int threads, int batch) {
        this(target, methodTimeNs, depth, calls, threads, batch, 0);
    }

    /**
     * A loop of calls by each of the threads, so many per second of all together, or as fast as they can where that is 0;
     * everything it needs is allocated and touched here.
     */
    Loop(Target target, long methodTimeNs, int depth, long calls, int threads, int batch, long rate) {
        if (calls % batch != 0) {
            throw new IllegalArgumentException("calls must be a multiple of batch, but " + calls + " is none of " + batch);
        }
        if (batch > 1 && rate > 0) {
            throw new IllegalArgumentException("calls at a rate are apart, and have no batches: say batch = 1, not " + batch);
        }
        this.target = target;
        this.methodTimeNs = methodTimeNs;
        this.depth = depth;
        this.batch = batch;
        this.samples = new long[threads][];
        this.references = new Reference[threads];
        this.compilations = new Compilations[threads];
        this.paces = rate > 0 ? new Pace[threads] : null;
        for (int i = 0; i < threads; i++) {
            samples[i] = new long[Math.toIntExact(calls / batch)];
            Arrays.fill(samples[i], -1); // a page is touched now, not in the loop
            references[i] = new Reference(samples[i].length);
            compilations[i] = new Compilations(references[i].times().length);
            if (paces != null) {
                paces[i] = new Pace(rate, i, threads);
            }
        }
        Reference.heat();
    }

    /** The class whose method is timed. */
    public Class<?> target() {
        return target.getClass();
    }

    /** Calls the target unmeasured, in the very loop that will be timed, but as fast as it can. */
    public long prime(long calls) {
        Pace pace = paces == null ? null : new Pace(0, 0, 1);
        long[] scratch = new long[1000];
        long made = 0;
        while (made < calls) {
            long left = calls - made;
            int n = (int) Math.min(scratch.length, (left + batch - 1) / batch);
            Reference reference = new Reference(n);
            time(n == scratch.length ? scratch : new long[n], reference, new Compilations(reference.times().length), pace);
            made += (long) n * batch;
        }
        return made;
    }

    /** Runs the threads to the end of their calls; a thread that fails fails the run. They live on until their samples are asked for. */
    public Run run() throws InterruptedException {
        asked = new CountDownLatch(1);
        Together all = Together.run(samples.length, i -> time(i, samples[i]), asked);
        long referenceNs = 0;
        long lateNs = paces == null ? -1 : 0;
        for (int i = 0; i < samples.length; i++) {
            referenceNs += references[i].cpuNs();
            lateNs += paces == null ? 0 : paces[i].lateNs();
        }
        long calls = (long) samples.length * samples[0].length * batch;
        return new Run(all.beginNs, all.endNs, all.threadsNs, calls, all.allocBytes, all.cpuNs, all.delayNs, referenceNs, lateNs);
    }

    /**
     * What the last run recorded of each thread: the time of each batch, those of the reference, and where the JVM tells of
     * them, those of its compilers.
     */
    public List<Series> series() {
        asked.countDown();
        List<Series> all = new ArrayList<>();
        for (int i = 0; i < samples.length; i++) {
            all.add(new Series("duration", i, "t:ns:duration", batch, samples[i]));
            all.add(new Series("reference", i, "t:ns:duration", 1, references[i].times()));
            long[] compiled = compilations[i].times();
            if (compiled.length > 0) {
                all.add(new Series("compiling", i, "t:ns:duration", 1, compiled));
            }
        }
        return all;
    }

    /** Short pieces of this loop, in place of a run. */
    Turns turns() {
        return new Turns(this, references, batch);
    }

    /** Windows in which the same threads call at rates, in place of a run. */
    Paced paced() {
        return new Paced(target, methodTimeNs, depth, samples.length);
    }

    /** Has a thread call the target as often as there is room, with the reference between. */
    private void time(int thread, long[] into) {
        time(into, references[thread], compilations[thread], paces == null ? null : paces[thread]);
    }

    /** Calls the target as often as there is room, with the reference between; pace is null: as fast as it can. */
    void time(long[] into, Reference reference, Compilations compiled, Pace pace) {
        reference.begin();
        compiled.begin();
        if (pace != null) {
            pace.begin();
            sink = timePaced(target, methodTimeNs, depth, pace, into, reference, compiled);
            return;
        }
        sink = batch == 1
                ? timeEach(target, methodTimeNs, depth, into, reference, compiled)
                : timeBatches(target, methodTimeNs, depth, batch, into, reference, compiled);
    }

    private static long timeEach(
            Target target, long methodTimeNs, int depth, long[] into, Reference reference, Compilations compiled) {
        long sum = 0;
        for (int i = 0; i < into.length;) {
            compiled.take();
            reference.take();
            for (int end = Math.min(into.length, i + reference.step()); i < end; i++) {
                long begin = System.nanoTime();
                sum += target.monitoredMethod(methodTimeNs, depth);
                into[i] = System.nanoTime() - begin;
            }
        }
        return sum;
    }

    private static long timeBatches(
            Target target, long methodTimeNs, int depth, int batch, long[] into, Reference reference, Compilations compiled) {
        long sum = 0;
        for (int i = 0; i < into.length;) {
            compiled.take();
            reference.take();
            for (int end = Math.min(into.length, i + reference.step()); i < end; i++) {
                long begin = System.nanoTime();
                for (int j = 0; j < batch; j++) {
                    sum += target.monitoredMethod(methodTimeNs, depth);
                }
                into[i] = System.nanoTime() - begin;
            }
        }
        return sum;
    }

    private static long timePaced(
            Target target, long methodTimeNs, int depth, Pace pace, long[] into, Reference reference, Compilations compiled) {
        long sum = 0;
        for (int i = 0; i < into.length;) {
            compiled.take();
            reference.take();
            for (int end = Math.min(into.length, i + reference.step()); i < end; i++) {
                pace.next(); // it has no end
                sum += target.monitoredMethod(methodTimeNs, depth);
                into[i] = System.nanoTime() - pace.nowNs();
            }
        }
        return sum;
    }
}
