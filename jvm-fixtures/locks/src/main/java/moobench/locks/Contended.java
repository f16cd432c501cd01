package moobench.locks;

import java.util.concurrent.CountDownLatch;
import moobench.kernel.BusyWait;
import moobench.threads.Program;

/**
 * Threads that want the same lock, again and again, or one of several. The first one's executions are kept, with the time it
 * waited.
 */
final class Contended implements Program {
    private final int threads;
    private final int locks;
    private final int runs;
    private final long workNs;
    private final long outsideNs;
    private final Times first;
    private final BusyWait wait = BusyWait.chosen();

    /**
     * So many threads, each of which is busy so many times for workNs inside the lock, and then for outsideNs outside. With as many
     * locks as threads each has its own.
     */
    Contended(int threads, int locks, int runs, long workNs, long outsideNs, Times first) {
        this.threads = threads;
        this.locks = locks;
        this.runs = runs;
        this.workNs = workNs;
        this.outsideNs = outsideNs;
        this.first = first;
    }

    @Override
    public long run() throws InterruptedException {
        ContendedTest[] all = new ContendedTest[locks];
        for (int i = 0; i < locks; i++) {
            all[i] = new ContendedTest(wait, workNs);
        }
        CountDownLatch ready = new CountDownLatch(threads);
        Thread[] started = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            boolean kept = t == 0;
            ContendedTest lock = all[t % locks];
            started[t] = new Thread(() -> take(lock, ready, kept), "contended-" + t);
            started[t].start();
        }
        for (Thread thread : started) {
            thread.join();
        }
        long executions = 0;
        for (ContendedTest each : all) {
            executions += each.executions();
        }
        Micro.expect("the number of executions", executions, (long) threads * runs);
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
