package moobench.threads;

import moobench.kernel.BusyWait;

/**
 * Two threads increment a counter in turn: one while it is even, the other one while it is odd. Who is done hands over by notify,
 * and waits. A thread ends when what it has made is above the threshold.
 *
 * <p>The one for odd numbers comes first, as in the paper's picture: it only looks, and waits. With a threshold of 100,000 a
 * run makes the paper's 800,022 entries, two for each call: one for the constructor, one for that look, four for each of
 * 100,002 turns (look, read, set, compare), and one for who reads the result. A thread that wakes without having been
 * notified, which Java allows and which happens once in ten million times, looks once more.
 */
final class EvenOdd implements Program {
    private final int threshold;
    private final long workNs;
    private final BusyWait wait = BusyWait.chosen();
    private final long[] looks = new long[2]; // of each thread, written as it ends

    /** A program that counts until the threshold is passed, and is busy for workNs in each turn; even and at least 2. */
    EvenOdd(int threshold, long workNs) {
        this.threshold = threshold;
        this.workNs = workNs;
    }

    @Override
    public long run() throws InterruptedException {
        Counter counter = new Counter();
        Thread odd = new Thread(() -> take(counter, 1), "odd");
        Thread even = new Thread(() -> take(counter, 0), "even");
        odd.start();
        while (odd.getState() != Thread.State.WAITING) { // it has looked
            Thread.yield();
        }
        even.start();
        odd.join();
        even.join();
        if (counter.get() != threshold + 2) {
            throw new IllegalStateException("the counter is " + counter.get() + ", and should be " + (threshold + 2));
        }
        return 2 + looks[0] + looks[1] + 3L * (threshold + 2); // the constructor and the result; each look; the rest of each turn
    }

    private void take(Counter counter, int remainder) {
        synchronized (counter) {
            long mine = 1;
            for (; !turn(counter, remainder); mine++) {
                counter.notify();
                try {
                    counter.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("nobody interrupts the threads of this program", e);
                }
            }
            counter.notify();
            looks[remainder] = mine;
        }
    }

    /** Increments the counter if it is this thread's turn, and says whether that was its last one. */
    private boolean turn(Counter counter, int remainder) {
        if (counter.get() % 2 != remainder) {
            return false;
        }
        wait.spend(workNs);
        counter.set(counter.get() + 1);
        return counter.get() > threshold;
    }
}
