package moobench.threads;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread puts items into a queue, with a pause after each; another one takes them out, with a pause before each. In the paper
 * there are three, and the pauses are 5 ms and 2 ms.
 */
final class ProducerConsumer implements Program {
    private static final int CAPACITY = 10;

    private final int items;
    private final long produceNs;
    private final long consumeNs;

    ProducerConsumer(int items, long produceNs, long consumeNs) {
        this.items = items;
        this.produceNs = produceNs;
        this.consumeNs = consumeNs;
    }

    @Override
    public long run() throws InterruptedException {
        Handover queue = new Handover(CAPACITY);
        Thread producer = new Thread(() -> each(i -> {
            queue.enqueue(i);
            pause(produceNs);
        }), "producer");
        Thread consumer = new Thread(() -> each(i -> {
            pause(consumeNs);
            int item = queue.gather();
            if (item != i) {
                throw new IllegalStateException("item " + item + " came in the place of item " + i);
            }
        }), "consumer");
        producer.start();
        consumer.start();
        producer.join();
        consumer.join();
        return 1 + 2L * items; // the constructor, and each item in and out
    }

    private interface Step {
        void take(int item) throws InterruptedException;
    }

    private void each(Step step) {
        try {
            for (int i = 0; i < items; i++) {
                step.take(i);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the threads of this program", e);
        }
    }

    private static void pause(long ns) throws InterruptedException {
        long end = System.nanoTime() + ns;
        for (long left = ns; left > 0; left = end - System.nanoTime()) {
            if (left > TimeUnit.MILLISECONDS.toNanos(1)) {
                TimeUnit.NANOSECONDS.sleep(left);
            } else {
                LockSupport.parkNanos(left);
            }
        }
    }
}
