package moobench.probes.events;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import moobench.kernel.Probes;
import moobench.probes.PerThread;
import moobench.probes.ProbeSettings;

/** The logs of all threads, and what is common to them. Counts are exact once the threads have ended. */
abstract class EventLogs extends PerThread<EventLog> {
    /** One object, by which it is known whether the JVM counts these events or another probe's. */
    final LongSupplier recorded = this::recorded;

    /** The logs that {@code -Dmoobench.events.log} names. */
    static EventLogs open() {
        String log = ProbeSettings.log();
        try {
            switch (log) {
                case "ring":
                    return new RingLogs(EventFile.create(file("bin")), ProbeSettings.memory());
                case "file":
                case "stringbuilder":
                case "memarray":
                    return new TextLogs(log, ProbeSettings.characters());
                default:
                    throw new IllegalArgumentException("moobench.events.log must be ring, file, stringbuilder or memarray, not " + log);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("opening the file of events", e);
        }
    }

    /** A file of this JVM, in the invocation's folder: JVMs that it starts itself have their own. */
    static Path file(String end) throws IOException {
        if (!Probes.hasDirectory()) {
            throw new IllegalArgumentException("there is no folder for events, and the working directory is the application's (say -Dmoobench.dir)");
        }
        return Probes.directory().resolve("events-" + pid() + "." + end);
    }

    /** The process, by what the kernel says: the platform's bean would load a hundred classes first. */
    private static String pid() throws IOException {
        return Files.readSymbolicLink(java.nio.file.Paths.get("/proc/self")).toString();
    }

    /** Keeps that something of the program isn't logged, and why. */
    void note(String text) {
        System.err.println("moobench: warning: " + text);
    }

    /** Keeps that a thread took so long to have a class instrumented. */
    void wove(long ns) {}

    @Override
    protected final void taken(EventLog log) {
        Thread thread = Thread.currentThread();
        log.begin(thread.getName().isEmpty() ? "#" + thread.getId() : thread.getName()); // a virtual one has none of its own
    }

    private long sum(ToLongFunction<EventLog> count) {
        List<EventLog> all = present();
        return all.stream().mapToLong(count).sum();
    }

    final synchronized long entered() {
        return sum(EventLog::entered);
    }

    final synchronized long exited() {
        return sum(EventLog::exited);
    }

    private synchronized long events() {
        return sum(EventLog::events);
    }

    final synchronized long lost() {
        return sum(EventLog::lost);
    }

    final synchronized long recorded() {
        return sum(EventLog::recorded);
    }

    /** Writes what is left, and then how many executions were written; what threads add meanwhile may or may not be among them. */
    final void finish() {
        try {
            long written = close();
            Probes.writeCount(recorded, written);
            long lost = lost();
            if (lost > 0) {
                System.err.println("moobench: warning: " + lost + " of " + events() + " events were lost: there was no room for them");
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("moobench: error: finishing the events: " + e);
        }
    }

    /** Writes what is left, and returns how many executions' ends were written in all. */
    abstract long close() throws IOException, InterruptedException;
}
