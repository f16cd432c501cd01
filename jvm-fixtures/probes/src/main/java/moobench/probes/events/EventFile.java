package moobench.probes.events;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import moobench.probes.Methods;
import moobench.probes.ProbeSettings;
import moobench.probes.Section;

/**
 * events-PID.bin: a text line, then blocks, little endian: kind, id and length in bytes (int32 each), and so many bytes. What
 * events name comes before them. A file without the block {@link #END} was cut off: it holds what was written until then.
 */
final class EventFile implements Ring.Names {
    /** The id is a method's number, and the bytes are its signature. */
    private static final int METHOD = 1;
    /** The id is a thread's number, and the bytes are its name. */
    private static final int THREAD = 2;
    /** The id is a ring's number, and the bytes are events, in the order in which they were added. */
    private static final int EVENTS = 3;
    /**
     * Events that were written, that were lost, and that had no room in the file; when the log began and when it ended, in ns;
     * what an event takes, in ps, 0 where that was not measured; what threads took to begin their logs, and to have their
     * classes instrumented, in ns (int64 each).
     */
    private static final int END = 4;
    /** The id is an object's hash, and the bytes are its class. Two objects may have one hash: the first one is named. */
    private static final int OBJECT = 5;
    /** Garbage was collected: the times of the looks before and after, and how long it took, in ns (int64 each). */
    private static final int COLLECTION = 6;
    /** The bytes say what of the program is not logged, and why. */
    private static final int NOTE = 7;
    /**
     * The id is a method's number, which was named: what section of it has that. Its kind, its line, instructions, branches,
     * allocations and calls (int32 each), and texts that are ended by a 0: the first call that waits for a device, makes a
     * collection grow, reads one, sorts.
     */
    private static final int SECTION = 9;
    /** All events from before this time (int64, ns) are above, but for those of a thread that was stopped while it added one. */
    private static final int TURN = 8;

    private static final int BUFFER_BYTES = 1 << 20;
    /** So many objects have names. */
    private static final int MOST_OBJECTS = 1 << 20;

    private final FileChannel out;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final long limitBytes;
    /** Names of threads that are not written yet; guarded by it. */
    private final Queue<String> names = new ArrayDeque<>();
    private final Map<Integer, String> objects = new ConcurrentHashMap<>();
    /** Hashes of those that are not written yet. */
    private final Queue<Integer> unwritten = new ConcurrentLinkedQueue<>();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();
    private final long beganNs = System.nanoTime();
    private int named; // guarded by names
    private int threads; // that are written
    private int methods;
    private long events;
    private long executions; // whose ends are among them
    private long unkept;
    private long bytes;
    private boolean full;
    private IOException failure;

    private EventFile(FileChannel out, long limitBytes) {
        this.out = out;
        this.limitBytes = limitBytes;
    }

    static EventFile create(Path path) throws IOException {
        FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        EventFile file = new EventFile(out, ProbeSettings.limit());
        file.buffer.put(("moobench-events 1 event=" + Ring.EVENT_BYTES + "\n").getBytes(StandardCharsets.US_ASCII));
        file.drain();
        return file;
    }

    /** Numbers a thread, and keeps its name until the next events are written. */
    @Override
    public int thread(String name) {
        synchronized (names) {
            names.add(name);
            return named++;
        }
    }

    /** Keeps an object's class until the next events are written; it takes no lock that the program knows. */
    @Override
    public void object(int hash, String type) {
        if (objects.size() < MOST_OBJECTS && objects.putIfAbsent(hash, type) == null) {
            unwritten.add(hash);
        }
    }

    void note(String text) {
        notes.add(text);
    }

    /** Writes events, two longs each. Nothing is thrown at the application: what has no room, or no disk, is counted. */
    void events(int ring, long[] longs, int n) {
        int fit = (int) Math.min(n, (limitBytes - bytes) / Ring.EVENT_BYTES);
        if (failure != null || full) {
            fit = 0;
        }
        full |= fit < n; // once something is missing nothing follows: it may be what names the thread
        unkept += own(longs, fit, n);
        if (fit == 0) {
            return;
        }
        try {
            names();
            head(EVENTS, ring, fit * Ring.EVENT_BYTES);
            for (int from = 0; from < 2 * fit; ) {
                if (buffer.remaining() < Ring.EVENT_BYTES) {
                    drain();
                }
                int longsNow = Math.min(2 * fit - from, buffer.remaining() / Long.BYTES);
                buffer.asLongBuffer().put(longs, from, longsNow);
                buffer.position(buffer.position() + longsNow * Long.BYTES);
                from += longsNow;
            }
            bytes += (long) fit * Ring.EVENT_BYTES;
            events += own(longs, 0, fit);
            executions += ends(longs, fit);
        } catch (IOException e) {
            failure = e;
            unkept += own(longs, 0, fit);
        }
    }

    /** How many events are methods' own, without those that say something about the others. */
    private static int own(long[] longs, int from, int to) {
        int own = 0;
        for (int i = from; i < to; i++) {
            own += longs[2 * i + 1] >>> 60 < Ring.MISSING ? 1 : 0;
        }
        return own;
    }

    private static int ends(long[] longs, int n) {
        int ends = 0;
        for (int i = 0; i < n; i++) {
            long kind = longs[2 * i + 1] >>> 60;
            ends += kind == EventLog.EXIT || kind == EventLog.THROWN ? 1 : 0;
        }
        return ends;
    }

    private void names() throws IOException {
        for (int count = Methods.count(); methods < count; methods++) {
            text(METHOD, methods, Methods.signature(methods));
            section(methods, Methods.section(methods));
        }
        for (String name = nextName(); name != null; name = nextName()) {
            text(THREAD, threads++, name);
        }
        for (Integer hash = unwritten.poll(); hash != null; hash = unwritten.poll()) {
            text(OBJECT, hash, objects.get(hash));
        }
        for (String note = notes.poll(); note != null; note = notes.poll()) {
            text(NOTE, 0, note);
        }
    }

    private String nextName() {
        synchronized (names) {
            return names.poll();
        }
    }

    private void text(int kind, int id, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, BUFFER_BYTES / 2);
        head(kind, id, length);
        if (buffer.remaining() < length) {
            drain();
        }
        buffer.put(utf8, 0, length);
    }

    private void section(int id, Section section) throws IOException {
        if (section == null) {
            return;
        }
        int[] numbers = section.numbers();
        byte[] texts = section.texts().getBytes(StandardCharsets.UTF_8);
        int length = numbers.length * Integer.BYTES + texts.length;
        head(SECTION, id, length);
        if (buffer.remaining() < length) {
            drain();
        }
        for (int number : numbers) {
            buffer.putInt(number);
        }
        buffer.put(texts);
    }

    private void head(int kind, int id, int length) throws IOException {
        if (buffer.remaining() < 3 * Integer.BYTES) {
            drain();
        }
        buffer.putInt(kind).putInt(id).putInt(length);
    }

    private void longs(int kind, long... values) throws IOException {
        head(kind, 0, values.length * Long.BYTES);
        if (buffer.remaining() < values.length * Long.BYTES) {
            drain();
        }
        for (long each : values) {
            buffer.putLong(each);
        }
    }

    /** Writes that garbage was collected. */
    void collection(long[] times) {
        say(COLLECTION, times);
    }

    /** Writes that all rings were emptied of what they had at this time, and has all that in the file. */
    void turn(long ns) {
        say(TURN, ns);
    }

    private void say(int kind, long... values) {
        if (failure != null) {
            return;
        }
        try {
            longs(kind, values);
            drain();
        } catch (IOException e) {
            failure = e;
        }
    }

    private void drain() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
        buffer.clear();
    }

    /** Writes the last block; nothing comes after it, and it comes after nothing that is cut off. */
    void end(long lost, long pricePs, long madeNs, long wovenNs) {
        if (failure != null) {
            return;
        }
        try {
            names();
            longs(END, events, lost, unkept, beganNs, System.nanoTime(), pricePs, madeNs, wovenNs);
            drain();
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Returns how many executions' ends were written; the writer has ended. */
    long close() throws IOException {
        out.close();
        if (failure != null) {
            System.err.println("moobench: error: writing events: " + failure);
        }
        if (unkept > 0) {
            String why = failure != null ? "" : ": the file may have " + limitBytes + " bytes (say -Dmoobench.events.limit)";
            System.err.println("moobench: warning: " + unkept + " events were not kept" + why);
        }
        return executions;
    }
}
