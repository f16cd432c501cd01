package moobench.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/**
 * How long the JVM's compilers worked between two points of a loop. HotSpot counts that in the memory which it shares with
 * jstat: a point is a load from there, and no call of anything. A compilation counts when it ends. All methods but the
 * constructor belong to the thread that is measured.
 */
final class Compilations {
    private static final String COUNTER = "java.ci.totalTime";
    private static final String FREQUENCY = "sun.os.hrt.frequency";

    // The prologue and the entries of that memory, version 2 (JDK 8 and later), from the JDK's perfMemory.hpp.
    private static final int MAGIC = 0xcafec0c0; // big endian, whatever the rest is
    private static final int ORDER_AT = 4; // 1 is little endian
    private static final int FIRST_AT = 24;
    private static final int COUNT_AT = 28;
    private static final int NAME_AT = 4;
    private static final int DATA_AT = 16;
    private static final int HEADER = 20;

    private final ByteBuffer memory; // null: this JVM shares none
    private final int offset;
    private final double nsPerTick;
    private final long[] times;
    private int at;
    private long before;

    /** A record of so many points. */
    Compilations(int points) {
        ByteBuffer shared = open();
        int counter = shared == null ? -1 : find(shared, COUNTER);
        int frequency = shared == null ? -1 : find(shared, FREQUENCY);
        boolean counts = counter >= 0 && frequency >= 0 && shared.getLong(frequency) > 0;
        memory = counts ? shared : null;
        offset = counter;
        nsPerTick = counts ? 1e9 / shared.getLong(frequency) : 0;
        times = new long[counts ? points : 0];
        begin(); // and touches what is read in the loop
    }

    /** Begins a run, and forgets the one before. */
    void begin() {
        at = 0;
        if (memory != null) {
            before = memory.getLong(offset);
        }
    }

    /** Passes a point. */
    void take() {
        if (memory == null) {
            return;
        }
        long now = memory.getLong(offset);
        times[at++] = now - before;
        before = now;
    }

    /** How long compilers had worked at each point since the one before, in ns; empty where the JVM doesn't count it. */
    long[] times() {
        long[] ns = new long[times.length];
        for (int i = 0; i < ns.length; i++) {
            ns[i] = (long) (times[i] * nsPerTick);
        }
        return ns;
    }

    /** The memory, which is a file of this process's ID in a folder of its user; null where there is none. */
    private static ByteBuffer open() {
        try {
            String id = Files.readSymbolicLink(Paths.get("/proc/self")).getFileName().toString();
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(Paths.get("/tmp"), "hsperfdata_" + System.getProperty("user.name"))) {
                for (Path folder : folders) {
                    return map(folder.resolve(id));
                }
            }
        } catch (IOException | RuntimeException e) {
            // not Linux, or -XX:-UsePerfData: nothing is counted
        }
        return null;
    }

    private static ByteBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer shared = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            if (shared.getInt(0) != MAGIC) {
                return null;
            }
            return shared.order(shared.get(ORDER_AT) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        }
    }

    /** Where the value of a counter lies; -1 where it is missing. */
    private static int find(ByteBuffer shared, String name) {
        byte[] wanted = (name + "\0").getBytes(StandardCharsets.US_ASCII);
        int entry = shared.getInt(FIRST_AT);
        for (int left = shared.getInt(COUNT_AT); left > 0 && entry + HEADER <= shared.capacity(); left--) {
            int length = shared.getInt(entry);
            if (length < HEADER) {
                return -1;
            }
            if (holds(shared, entry + shared.getInt(entry + NAME_AT), wanted)) {
                return entry + shared.getInt(entry + DATA_AT);
            }
            entry += length;
        }
        return -1;
    }

    private static boolean holds(ByteBuffer shared, int from, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (from + i >= shared.capacity() || shared.get(from + i) != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
