package moobench.locks;

import java.util.concurrent.CountDownLatch;
import moobench.kernel.BusyWait;
import moobench.threads.Program;

/** Threads that want the same lock, again and again. The first one's executions are kept, with the time it waited. */
final class Contended implements Program {
    private final int threads;
    private final int runs;
    private final long workNs;
    private final long outsideNs;
    private final Times first;
    private final BusyWait wait = BusyWait.chosen();

    /** So many threads, each of which is busy so many times for workNs inside the lock, and then for outsideNs outside. */
    Contended(int threads, int runs, long workNs, long outsideNs, Times first) {
        this.threads = threads;
        this.runs = runs;
        this.workNs = workNs;
        this.outsideNs = outsideNs;
        this.first = first;
    }

    @Override
    public long run() throws InterruptedException {
        ContendedTest lock = new ContendedTest(wait, workNs);
        CountDownLatch ready = new CountDownLatch(threads);
        Thread[] started = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            boolean kept = t == 0;
            started[t] = new Thread(() -> take(lock, ready, kept), "contended-" + t);
            started[t].start();
        }
        for (Thread thread : started) {
            thread.join();
        }
        long executions = (long) threads * runs;
        Micro.expect("the number of executions", lock.executions(), executions);
        return executions;
    }

    /** What each thread does. All of them read the clock, so that the first one is no slower than the others. */
    private void take(ContendedTest lock, CountDownLatch ready, boolean kept) {
        ready.countDown();
        try {
            ready.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the threads of this program", e);
        }
        for (int i = 0; i < runs; i++) {
            long begin = System.nanoTime();
            lock.work();
            long duration = System.nanoTime() - begin;
            if (kept) {
                first.add(duration);
            }
            wait.spend(outsideNs);
        }
    }
}
