package moobench.probes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import moobench.kernel.Probes;

/**
 * probe.bin: a text line, then records of 32 bytes, little endian. Threads hand over full chunks, a background thread
 * writes them. The number of chunks is fixed, so a thread that is quicker than the disk waits: no record is dropped.
 */
final class RecordFile {
    static final int CHUNK_RECORDS = 1024;
    private static final int CHUNKS = 16;
    private static final Chunk END = new Chunk(0);

    private final FileChannel out;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(CHUNK_RECORDS * Recorder.LONGS * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    /** Full chunks: the queue that a producer may have to wait for. */
    private final ChunkQueue full = new ChunkQueue(CHUNKS);
    /** Written ones. One more than can be queued, for the one being written: there is always one to exchange. */
    private final ChunkQueue empty = new ChunkQueue(CHUNKS + 1);
    private final Thread writer = new Thread(this::write, "moobench-probe-writer");
    private long written; // records; only the writer's until it has ended
    private IOException failure;

    private RecordFile(FileChannel out) {
        this.out = out;
    }

    /** Opens probe.bin in the invocation's folder; without {@code -Dmoobench.dir} there is none, and null is returned. */
    static RecordFile open() {
        if (!Probes.hasDirectory()) {
            System.err.println("moobench: warning: there is no folder for probe.bin, so only the last records are kept, in memory (say -Dmoobench.dir)");
            return null;
        }
        try {
            FileChannel out = FileChannel.open(Probes.directory().resolve("probe.bin"), StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            RecordFile file = new RecordFile(out);
            file.bytes.put("moobench-records 1 size=32\n".getBytes(StandardCharsets.US_ASCII));
            file.drain();
            for (int i = 0; i < CHUNKS + 1; i++) {
                file.empty.put(new Chunk(CHUNK_RECORDS));
            }
            file.writer.setDaemon(true);
            file.writer.start();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("opening the probe's file", e);
        }
    }

    /** Takes a chunk of which used longs are filled, and gives an empty one; waits while too many are unwritten. */
    Chunk exchange(Chunk chunk, int used) {
        chunk.used = used;
        full.put(chunk);
        return empty.take();
    }

    private void write() {
        for (Chunk chunk = full.take(); chunk != END; chunk = full.take()) {
            write(chunk);
            empty.put(chunk);
        }
    }

    private void write(Chunk chunk) {
        if (failure != null) {
            return; // a full disk: take and count nothing, but let the application live
        }
        try {
            bytes.asLongBuffer().put(chunk.longs, 0, chunk.used);
            bytes.position(chunk.used * Long.BYTES);
            drain();
            written += chunk.used / Recorder.LONGS;
        } catch (IOException e) {
            failure = e;
        }
    }

    private void drain() throws IOException {
        bytes.flip();
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
        bytes.clear();
    }

    /** Waits until everything is written, and returns how many records are in the file. */
    long close() throws IOException, InterruptedException {
        full.put(END);
        writer.join();
        out.close();
        if (failure != null) {
            System.err.println("moobench: error: writing probe.bin: " + failure);
        }
        return written;
    }
}
