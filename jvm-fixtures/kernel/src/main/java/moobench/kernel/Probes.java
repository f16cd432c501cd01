package moobench.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** What the probe in this JVM tells the kernel about itself; the kernel knows no probe by name. */
public final class Probes {
    private static final Map<String, LongSupplier> COUNTS = new ConcurrentHashMap<>();
    private static final List<Runnable> PREPARATIONS = new CopyOnWriteArrayList<>();
    private static volatile Swapper swapper;

    private Probes() {}

    /** Says where a count is read: {@code entered}, {@code exited} or {@code recorded}. Read outside the loop only. */
    public static void count(String key, LongSupplier source) {
        COUNTS.put(key, source);
    }

    /** Adds what each measuring thread does before its counters are read, such as allocating its buffer. */
    public static void beforeLoop(Runnable preparation) {
        PREPARATIONS.add(preparation);
    }

    /** Says who swaps probes. */
    public static void swapper(Swapper s) {
        swapper = s;
    }

    /** The invocation's folder. */
    public static Path directory() {
        return Paths.get(System.getProperty("moobench.dir", "."));
    }

    /** Leaves the final number of records in the invocation's folder; called when everything is written. */
    public static void writeCount(long recorded) throws IOException {
        Path whole = directory().resolve("records.count");
        Path part = directory().resolve("records.count.part");
        Files.write(part, ("recorded=" + recorded + "\n").getBytes(StandardCharsets.US_ASCII));
        Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static void prepareThread() {
        for (Runnable preparation : PREPARATIONS) {
            preparation.run();
        }
    }

    static Swapper swapper() {
        if (swapper == null) {
            throw new IllegalStateException("no agent in this JVM can swap probes (start it with -javaagent:hotswap.jar)");
        }
        return swapper;
    }

    /** Adds the named counts that are known; all known ones without names. */
    static Message counts(Message answer, String... keys) {
        Map<String, LongSupplier> known = new TreeMap<>(COUNTS);
        if (keys.length > 0) {
            known.keySet().retainAll(java.util.Arrays.asList(keys));
        }
        known.forEach((key, source) -> answer.with(key, source.getAsLong()));
        return answer;
    }
}
