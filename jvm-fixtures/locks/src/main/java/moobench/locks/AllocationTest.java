package moobench.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * M4: memory pressure on the heap. A call removes the oldest block of a list and allocates others, whose sizes differ. At
 * first the list grows; the garbage is collected in whatever call fills the heap.
 */
final class AllocationTest implements Micro {
    /** Blocks in the list once it has grown; of half a KiB on average. */
    private static final int MOST = 4096;
    private static final int MOST_BYTES = 1024;

    private final Random random = new Random(4);
    private final List<byte[]> blocks = new ArrayList<>();
    private long removedBytes;
    private long allocatedBytes;

    @Override
    public void execute(int i) {
        remove();
    }

    synchronized void remove() {
        allocate();
        if (blocks.size() <= MOST) {
            allocate();
        }
        removedBytes += blocks.remove(0).length;
    }

    private void allocate() {
        byte[] block = new byte[1 + random.nextInt(MOST_BYTES)];
        allocatedBytes += block.length;
        blocks.add(block);
    }

    @Override
    public void check(int executions) {
        Micro.expect("the number of blocks", blocks.size(), Math.min(executions, MOST));
        long bytes = 0; // no stream: what that loads would be most of a run
        for (byte[] each : blocks) {
            bytes += each.length;
        }
        Micro.expect("the bytes of all blocks", bytes, allocatedBytes - removedBytes);
    }
}
