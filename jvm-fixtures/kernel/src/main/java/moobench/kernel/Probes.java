package moobench.kernel;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static volatile Weaver swapper;
    private static volatile Instrumentation instrumentation;

    private Probes() {}

    /** Says where a count is read: {@code entered}, {@code exited} or {@code recorded}. Read outside the loop only. */
    public static void count(String key, LongSupplier source) {
        COUNTS.put(key, source);
    }

    /** What a count is now, -1 if nobody knows it. Not for timed code. */
    public static long counted(String key) {
        LongSupplier source = COUNTS.get(key);
        return source == null ? -1 : source.getAsLong();
    }

    /** Adds what each measuring thread does before its counters are read, such as allocating its buffer. */
    public static void beforeLoop(Runnable preparation) {
        PREPARATIONS.add(preparation);
    }

    /** Says which agent swaps probes. */
    public static void swapper(Weaver s) {
        swapper = s;
    }

    /** Hands over what an agent got from the JVM, for those who exchange classes by other means. */
    public static void instrumentation(Instrumentation i) {
        instrumentation = i;
    }

    /** What an agent got from the JVM; an error if there is no agent. */
    public static Instrumentation instrumentation() {
        if (instrumentation == null) {
            throw new IllegalStateException("no agent is in this JVM (start it with -javaagent:hotswap.jar)");
        }
        return instrumentation;
    }

    /** Whether the invocation has a folder: else the working directory is the application's. */
    public static boolean hasDirectory() {
        return Settings.hasDirectory();
    }

    /** The invocation's folder. */
    public static Path directory() {
        return Settings.directory();
    }

    /** Leaves the final number of records in the invocation's folder, if it has one; called when everything is written. */
    public static void writeCount(long recorded) throws IOException {
        if (!hasDirectory()) {
            return;
        }
        Path whole = directory().resolve("records.count");
        Path part = directory().resolve("records.count.part");
        Files.write(part, ("recorded=" + recorded + "\n").getBytes(StandardCharsets.US_ASCII));
        Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The same of a probe whose records are counted by this source: nothing, if another one's are that came later. */
    public static void writeCount(LongSupplier source, long recorded) throws IOException {
        if (COUNTS.get("recorded") == source) {
            writeCount(recorded);
        }
    }

    /** Does for the current thread what was asked for by {@link #beforeLoop}; a thread that measures calls it first. */
    public static void prepareThread() {
        for (Runnable preparation : PREPARATIONS) {
            preparation.run();
        }
    }

    /**
     * Who swaps probes: the class named by {@code -Dmoobench.swapper}, which has a public constructor without arguments, else
     * the agent that said so last.
     */
    public static Switch swapper() {
        return Chosen.SWAPPER != null ? Chosen.SWAPPER : agent();
    }

    /** The agent's own swapper, whoever was chosen; an error if there is none. */
    public static Weaver agent() {
        if (swapper == null) {
            throw new IllegalStateException("no agent in this JVM can swap probes (start it with -javaagent:hotswap.jar)");
        }
        return swapper;
    }

    /** Whether anyone in this JVM can swap probes. */
    public static boolean canSwap() {
        return Chosen.SWAPPER != null || hasAgent();
    }

    /** Whether an agent is in this JVM that can swap probes. */
    public static boolean hasAgent() {
        return swapper != null;
    }

    /** The swapper that was named; made when it is first asked for. */
    private static final class Chosen {
        static final Switch SWAPPER = choose(Settings.swapper());

        private static Switch choose(String name) {
            try {
                return name.isEmpty() ? null : (Switch) Class.forName(name).getConstructor().newInstance();
            } catch (ReflectiveOperationException | ClassCastException e) {
                throw new IllegalArgumentException("-Dmoobench.swapper=" + name + " names no Swapper on the class path: " + e, e);
            }
        }
    }

    /** Adds the named counts that are known; all known ones without names. */
    static Message counts(Message answer, String... keys) {
        TreeMap<String, LongSupplier> known = new TreeMap<>(COUNTS);
        if (keys.length > 0) {
            known.keySet().retainAll(java.util.Arrays.asList(keys));
        }
        Map<String, Long> read = new TreeMap<>();
        known.descendingMap().forEach((key, source) -> read.put(key, source.getAsLong())); // what was recorded had been entered
        read.forEach((key, count) -> answer.with(key, count));
        return answer;
    }
}
