package moobench.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The timed loop: each thread calls the target, and stamps the clock before and after every call, or before and after every
 * batch of calls where a single one is shorter than a tick. Between them, it times a reference.
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
    private CountDownLatch asked = new CountDownLatch(0); // of the last run, for its samples

    /** A loop of calls by each of the threads; everything it needs is allocated and touched here. */
    public Loop(Target target, long methodTimeNs, int depth, long calls, int threads, int batch) {
        if (calls % batch != 0) {
            throw new IllegalArgumentException("calls must be a multiple of batch, but " + calls + " is none of " + batch);
        }
        this.target = target;
        this.methodTimeNs = methodTimeNs;
        this.depth = depth;
        this.batch = batch;
        this.samples = new long[threads][];
        this.references = new Reference[threads];
        this.compilations = new Compilations[threads];
        for (int i = 0; i < threads; i++) {
            samples[i] = new long[Math.toIntExact(calls / batch)];
            Arrays.fill(samples[i], -1); // a page is touched now, not in the loop
            references[i] = new Reference(samples[i].length);
            compilations[i] = new Compilations(references[i].times().length);
        }
        Reference.heat();
    }

    /** The class whose method is timed. */
    public Class<?> target() {
        return target.getClass();
    }

    /** Calls the target unmeasured, in the very loop that will be timed. */
    public long prime(long calls) {
        long[] scratch = new long[1000];
        long made = 0;
        while (made < calls) {
            long left = calls - made;
            int n = (int) Math.min(scratch.length, (left + batch - 1) / batch);
            Reference reference = new Reference(n);
            time(n == scratch.length ? scratch : new long[n], reference, new Compilations(reference.times().length));
            made += (long) n * batch;
        }
        return made;
    }

    /**
     * Runs the threads to the end of their calls; a thread that fails fails the run. They live on until their samples are asked
     * for: of a thread that has ended the kernel no longer says what it took.
     */
    public Run run() throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        CountDownLatch ready = new CountDownLatch(samples.length);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(samples.length);
        asked = new CountDownLatch(1);
        for (int i = 0; i < samples.length; i++) {
            Worker worker = new Worker(i, samples[i], references[i], compilations[i], ready, go, done, asked);
            workers.add(worker);
            worker.start();
        }
        ready.await();
        go.countDown();
        done.await();
        return sum(workers);
    }

    private Run sum(List<Worker> workers) {
        Worker first = workers.get(0);
        long beginNs = first.beginNs;
        long endNs = first.endNs;
        long allocBytes = 0;
        long cpuNs = 0;
        long delayNs = 0;
        long referenceNs = 0;
        long threadsNs = 0;
        for (Worker worker : workers) {
            if (worker.failure != null) {
                throw new IllegalStateException("thread " + worker.getName() + ": " + worker.failure, worker.failure);
            }
            beginNs = Math.min(beginNs, worker.beginNs);
            endNs = Math.max(endNs, worker.endNs);
            allocBytes = add(allocBytes, worker.allocBytes);
            cpuNs = add(cpuNs, worker.cpuNs);
            delayNs = add(delayNs, worker.delayNs);
            referenceNs += worker.reference.cpuNs();
            threadsNs += worker.endNs - worker.beginNs;
        }
        long calls = (long) samples.length * samples[0].length * batch;
        return new Run(beginNs, endNs, threadsNs, calls, allocBytes, cpuNs, delayNs, referenceNs);
    }

    private static long add(long sum, long part) {
        return sum < 0 || part < 0 ? -1 : sum + part;
    }

    /**
     * What the last run recorded of each thread: the time of each batch, those of the reference, and where the JVM tells of
     * them, those of its compilers. The threads end.
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

    /** Calls the target as often as there is room, with the reference between. */
    void time(long[] into, Reference reference, Compilations compiled) {
        reference.begin();
        compiled.begin();
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

    private final class Worker extends Thread {
        private final long[] into;
        private final Reference reference;
        private final Compilations compiled;
        private final CountDownLatch ready;
        private final CountDownLatch go;
        private final CountDownLatch done;
        private final CountDownLatch asked;
        private long beginNs;
        private long endNs;
        private long allocBytes;
        private long cpuNs;
        private long delayNs;
        private Throwable failure;

        Worker(
                int index, long[] into, Reference reference, Compilations compiled, CountDownLatch ready, CountDownLatch go,
                CountDownLatch done, CountDownLatch asked) {
            super("moobench-" + index);
            setDaemon(true);
            this.into = into;
            this.reference = reference;
            this.compiled = compiled;
            this.ready = ready;
            this.go = go;
            this.done = done;
            this.asked = asked;
        }

        @Override
        public void run() {
            measure();
            done.countDown();
            try {
                asked.await();
            } catch (InterruptedException e) {
                // it was about to end
            }
        }

        private void measure() {
            try (Meter meter = new Meter()) {
                Probes.prepareThread();
                ready.countDown();
                go.await();
                meter.begin();
                beginNs = System.nanoTime();
                time(into, reference, compiled);
                endNs = System.nanoTime();
                meter.end();
                allocBytes = meter.allocBytes();
                cpuNs = meter.cpuNs();
                delayNs = meter.delayNs();
            } catch (Throwable e) {
                failure = e;
                ready.countDown(); // once too often does no harm, never would wait for ever
            }
        }
    }
}
