package moobench.threads;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** What the threads of {@link ProducerConsumer} hand items over by. */
@Monitored
public final class Handover {
    private final BlockingQueue<Integer> queue;

    public Handover(int capacity) {
        queue = new ArrayBlockingQueue<>(capacity);
    }

    /** Puts an item in; waits while the queue is full. */
    public void enqueue(int item) throws InterruptedException {
        queue.put(item);
    }

    /** Takes an item out; waits while there is none. */
    public int gather() throws InterruptedException {
        return queue.take();
    }
}
