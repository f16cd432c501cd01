package moobench.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads that begin to work together, and what they used. Sums are over the threads; -1 where the platform doesn't say. */
final class Together {
    /** What each of the threads does; its number begins at 0. */
    interface Work {
        void run(int thread) throws Exception;
    }

    /** System.nanoTime() before the first thread begins to work, and after the last one has. */
    final long beginNs;
    final long endNs;
    /** Wall time of each thread, bytes allocated, CPU time and time spent waiting for a CPU. */
    final long threadsNs;
    final long allocBytes;
    final long cpuNs;
    final long delayNs;

    private Together(List<Worker> workers) {
        long begin = workers.get(0).beginNs;
        long end = workers.get(0).endNs;
        long threads = 0;
        long alloc = 0;
        long cpu = 0;
        long delay = 0;
        for (Worker worker : workers) {
            if (worker.failure != null) {
                throw new IllegalStateException("thread " + worker.getName() + ": " + worker.failure, worker.failure);
            }
            begin = Math.min(begin, worker.beginNs);
            end = Math.max(end, worker.endNs);
            threads += worker.endNs - worker.beginNs;
            alloc = add(alloc, worker.allocBytes);
            cpu = add(cpu, worker.cpuNs);
            delay = add(delay, worker.delayNs);
        }
        beginNs = begin;
        endNs = end;
        threadsNs = threads;
        allocBytes = alloc;
        cpuNs = cpu;
        delayNs = delay;
    }

    private static long add(long sum, long part) {
        return sum < 0 || part < 0 ? -1 : sum + part;
    }

    /**
     * Has so many threads work to the end; one that fails fails all. They live on until the latch is open: of a thread that
     * has ended the kernel no longer says what it took.
     */
    static Together run(int threads, Work work, CountDownLatch asked) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        CountDownLatch ready = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Worker worker = new Worker(i, work, new CountDownLatch[] {ready, go, done, asked});
            workers.add(worker);
            worker.start();
        }
        ready.await();
        go.countDown();
        done.await();
        return new Together(workers);
    }

    private static final class Worker extends Thread {
        private final int index;
        private final Work work;
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

        Worker(int index, Work work, CountDownLatch[] steps) {
            super("moobench-" + index);
            setDaemon(true);
            this.index = index;
            this.work = work;
            ready = steps[0];
            go = steps[1];
            done = steps[2];
            asked = steps[3];
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
                work.run(index);
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
