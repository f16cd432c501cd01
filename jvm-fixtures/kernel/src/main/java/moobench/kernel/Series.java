package moobench.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * Samples of one thread, and how they are written: a text line, the rows as little-endian int64, and an end record, without
 * which a reader must not believe them.
 */
public final class Series {
    private static final int CHUNK_BYTES = 1 << 20;

    private final String name;
    private final int thread;
    private final String columns;
    private final int width;
    private final long batch;
    private final long[] values;
    private long sum; // of what was written

    /**
     * A series over values, row by row.
     *
     * @param columns as {@code name:unit:kind}, comma separated; kind is duration, instant, id or count
     * @param batch how many calls one row covers
     */
    public Series(String name, int thread, String columns, long batch, long[] values) {
        this.name = name;
        this.thread = thread;
        this.columns = columns;
        this.width = columns.split(",").length;
        this.batch = batch;
        this.values = values;
        if (values.length % width != 0) {
            throw new IllegalArgumentException(name + ": " + values.length + " values don't make rows of " + width);
        }
    }

    /** Name of the file in the invocation's folder. */
    public String file() {
        return name + "." + thread + ".i64";
    }

    private long rows() {
        return values.length / width;
    }

    /** The line that announces the file, once it is written: what lies there later must have the same checksum. */
    Message message() {
        return new Message("series").with("name", name).with("thread", thread).with("columns", columns)
                .with("count", rows()).with("batch", batch)
                .with("crc32", String.format(Locale.ROOT, "%08x", sum)).with("file", file());
    }

    /** Writes the file into dir, and returns its size in bytes. */
    public long write(Path dir) throws IOException {
        String header = "moobench-i64 1 series=" + name + " thread=" + thread + " columns=" + columns + " n=" + rows() + " batch=" + batch + "\n";
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        CRC32 crc = new CRC32();
        try (FileChannel out = FileChannel.open(dir.resolve(file()), StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            chunk.put(header.getBytes(StandardCharsets.US_ASCII));
            drain(chunk, crc, out);
            writeValues(chunk, crc, out);
            chunk.put("MOOEND01".getBytes(StandardCharsets.US_ASCII)).putLong(rows());
            drain(chunk, crc, out);
            sum = crc.getValue();
            return out.position();
        }
    }

    private void writeValues(ByteBuffer chunk, CRC32 crc, FileChannel out) throws IOException {
        LongBuffer longs = chunk.asLongBuffer();
        for (int from = 0; from < values.length; from += longs.capacity()) {
            int n = Math.min(longs.capacity(), values.length - from);
            longs.clear();
            longs.put(values, from, n);
            chunk.position(n * Long.BYTES);
            drain(chunk, crc, out);
        }
    }

    private static void drain(ByteBuffer chunk, CRC32 crc, FileChannel out) throws IOException {
        chunk.flip();
        crc.update(chunk);
        chunk.rewind();
        while (chunk.hasRemaining()) {
            out.write(chunk);
        }
        chunk.clear();
    }
}
