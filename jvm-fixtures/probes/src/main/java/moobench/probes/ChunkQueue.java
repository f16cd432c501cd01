package moobench.probes;

/**
 * A bounded queue by a plain monitor: unlike those of java.util.concurrent it allocates nothing when a thread has to wait,
 * which would count as the probe's.
 */
final class ChunkQueue {
    private final Chunk[] ring;
    private int first;
    private int size;

    ChunkQueue(int capacity) {
        ring = new Chunk[capacity];
    }

    /** Adds a chunk; waits while the queue is full, whatever interrupts the thread: that is the application's business. */
    synchronized void put(Chunk chunk) {
        boolean interrupted = false;
        while (size == ring.length) {
            interrupted |= interruptedWait();
        }
        ring[(first + size++) % ring.length] = chunk;
        notifyAll();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes the oldest chunk; waits for one. */
    synchronized Chunk take() {
        while (size == 0) {
            interruptedWait();
        }
        Chunk chunk = ring[first];
        first = (first + 1) % ring.length;
        size--;
        notifyAll();
        return chunk;
    }

    private boolean interruptedWait() {
        try {
            wait();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
