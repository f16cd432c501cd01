package moobench.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Short pieces of a loop, one whenever it is asked for: JVMs of two programs take turns on one CPU, so that both find it as
 * fast. Each thread of the loop lives on from turn to turn, and sleeps in between. No sample is kept; the reference is taken
 * at the same distances as in the loop.
 */
final class Turns {
    /** Batches that the times of a whole loop are summed up in. Go keeps it as well. */
    private static final int BATCHES = 1000;

    private final Loop loop;
    private final List<Worker> workers = new ArrayList<>();
    private final CyclicBarrier begin;
    private final CyclicBarrier end;
    private final int samples; // between two times
    private final int group; // times in a batch of the whole loop
    private final long unit; // calls of a thread in that
    private long groups; // of the next turn

    /** Turns of a loop, each thread of which has its reference here. */
    Turns(Loop loop, Reference[] references, int batch) {
        this.loop = loop;
        this.samples = references[0].step();
        this.group = Math.max(1, references[0].times().length / BATCHES);
        this.unit = (long) group * samples * batch;
        this.begin = new CyclicBarrier(references.length + 1);
        this.end = new CyclicBarrier(references.length + 1);
        for (Reference reference : references) {
            Worker worker = new Worker(workers.size(), reference);
            workers.add(worker);
            worker.start();
        }
    }

    /** Has each thread make so many calls, rounded up to whole batches of the reference, and says how long that took. */
    Message take(long calls) throws InterruptedException, BrokenBarrierException {
        groups = (calls + unit - 1) / unit;
        begin.await();
        end.await();
        long beginNs = workers.get(0).beginNs;
        long endNs = workers.get(0).endNs;
        long referenceNs = 0;
        for (Worker worker : workers) {
            if (worker.failure != null) {
                throw new IllegalStateException("thread " + worker.getName() + ": " + worker.failure, worker.failure);
            }
            beginNs = Math.min(beginNs, worker.beginNs);
            endNs = Math.max(endNs, worker.endNs);
            referenceNs += worker.referenceNs;
        }
        return new Message("turned").with("begin_ns", beginNs).with("end_ns", endNs)
                .with("calls", workers.size() * groups * unit)
                .with("reference_ns", referenceNs).with("references", workers.size() * groups * Math.max(1, group - 1));
    }

    /** The threads that make the calls. */
    List<? extends Thread> threads() {
        return workers;
    }

    private final class Worker extends Thread {
        private final Reference reference;
        private final Compilations compiled = new Compilations(1);
        private final long[] into = new long[samples];
        private long beginNs;
        private long endNs;
        private long referenceNs;
        private Throwable failure;

        Worker(int index, Reference reference) {
            super("moobench-" + index);
            setDaemon(true);
            this.reference = reference;
        }

        @Override
        public void run() {
            try {
                Probes.prepareThread();
            } catch (Throwable e) {
                failure = e;
            }
            try {
                while (true) {
                    begin.await();
                    turn();
                    end.await();
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                failure = e; // nobody asks any more
            }
        }

        private void turn() {
            referenceNs = 0;
            beginNs = System.nanoTime();
            try {
                for (long i = 0; i < groups; i++) {
                    referenceNs += batch();
                }
            } catch (Throwable e) {
                failure = e;
            }
            endNs = System.nanoTime();
        }

        /** One batch: the sum of its times without the longest of several, which is an interruption and no slow core. */
        private long batch() {
            long sum = 0;
            long longest = 0;
            for (int i = 0; i < group; i++) {
                loop.time(into, reference, compiled, null); // a rate would only make it sleep
                long ns = reference.times()[0];
                sum += ns;
                longest = Math.max(longest, ns);
            }
            return group > 1 ? sum - longest : sum;
        }
    }
}
