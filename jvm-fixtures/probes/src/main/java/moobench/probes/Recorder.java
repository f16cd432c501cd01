package moobench.probes;

/**
 * The records and counts of one thread, and of those before it that have ended; only that thread writes here. A record is four longs: begin, end, method and depth
 * (low and high half), sequence. It allocates nothing per record.
 */
final class Recorder {
    static final int LONGS = 4;
    /** Records in memory per thread, 128 KiB: they stay in a core's own cache. */
    private static final int KEPT = 4096;

    private final RecordFile file; // null: keep the last records in memory
    private Chunk chunk;
    private final long sequenceBase;
    private long[] longs; // the chunk's
    private int at;
    private int depth;
    private long entered;
    private long exited;

    Recorder(int thread, RecordFile file) {
        this.file = file;
        this.sequenceBase = (long) thread << 40;
        this.chunk = file == null ? new Chunk(KEPT) : new Chunk(RecordFile.CHUNK_RECORDS);
        this.longs = chunk.longs;
    }

    void enter() {
        entered++;
        depth++;
    }

    void exit(long begin, long end, int method) {
        long[] into = longs;
        int i = at;
        depth--;
        into[i] = begin;
        into[i + 1] = end;
        into[i + 2] = method & 0xFFFFFFFFL | (long) depth << 32;
        into[i + 3] = sequenceBase + exited;
        exited++;
        at = i + LONGS;
        if (at == into.length) {
            turn();
        }
    }

    private void turn() {
        if (file != null) {
            chunk = file.exchange(chunk, at);
            longs = chunk.longs;
        }
        at = 0;
    }

    /** Hands over what is left; the thread has ended or is about to. */
    void finish() {
        if (file != null && at > 0) {
            file.exchange(chunk, at);
            at = 0;
        }
    }

    long entered() {
        return entered;
    }

    /** Also the number of records: each exit makes one. */
    long exited() {
        return exited;
    }
}
