package moobench.bridge.jfr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import moobench.kernel.Dumping;
import moobench.kernel.Probes;
import moobench.kernel.Switch;

/**
 * Starts a recording where a pattern is activated, and stops it where one is deactivated, whatever the pattern says. The
 * recordings are {@code recording-1.jfr} and so on in the invocation's folder; one that runs when the JVM exits is written,
 * too. Flight Recorder is not touched before the first. System properties say what is done:
 *
 * <ul>
 * <li>{@code moobench.jfr.by}: who starts and stops it, {@code api} (the program itself), {@code mxbean} or {@code jcmd}.
 * <li>{@code moobench.jfr.settings}: what is recorded besides our own event, {@code none}, {@code default}, {@code profile}, or
 * the path of a file of settings.
 * <li>{@code moobench.jfr.event}: of our own event, {@code on}; {@code disabled}, once the recording runs; {@code threshold},
 * none that is shorter than 1 s; {@code stack}, with stack traces.
 * <li>{@code moobench.jfr.dump}: a dump is asked for, {@code direct}; or an event tells of a {@code breach}, and who listens for
 * it makes the dump.
 * </ul>
 *
 * <p>The first value is the default. Nobody counts the events: a change tells of one method and no classes.
 */
public final class Recorder implements Switch, Dumping {
    private static final String STOPPED = "the recording was stopped by something else before it was ended here";

    private Settings settings; // null until the first recording
    private Door door;
    private int recordings;
    private Path file; // of the recording that runs; null: none
    private BreachListener listener; // null: none

    /** For {@code -Dmoobench.swapper}. */
    public Recorder() {}

    @Override
    public Swap set(boolean on, String pattern) throws Exception {
        return on ? start() : stop();
    }

    private Swap start() throws Exception {
        if (file != null) {
            throw new IllegalStateException("activate: a recording is running already, and there is one at a time");
        }
        long begin = System.nanoTime();
        if (door == null) {
            settings = new Settings();
            door = settings.door();
        }
        Path to = inFolder("recording-" + (recordings + 1) + ".jfr");
        door.start("moobench-" + (recordings + 1), to);
        recordings++;
        file = to;
        if (settings.dumpsOnBreach()) {
            listener = new BreachListener(() -> door.dump(dumpFile()));
        }
        return Swap.since(begin, 1, Collections.emptyList());
    }

    /** Stops the recording; where none runs, nothing is done. */
    private Swap stop() throws Exception {
        long begin = System.nanoTime();
        if (file == null) {
            return Swap.since(begin, 0, Collections.emptyList());
        }
        Path to = file;
        file = null;
        if (listener != null) {
            listener.close();
            listener = null;
        }
        try {
            return Swap.since(begin, 1, door.stop(to) ? Collections.emptyList() : Collections.singletonList(STOPPED));
        } catch (IOException e) {
            throw writing(to, e);
        }
    }

    /** Writes {@code dump.jfr}, in place of the one before. */
    @Override
    public long dump() throws Exception {
        if (file == null) {
            throw new IllegalStateException("dump: no recording is running");
        }
        Path to = dumpFile();
        try {
            if (listener == null) {
                door.dump(to);
            } else {
                listener.breach();
            }
        } catch (IOException e) {
            throw writing(to, e);
        }
        return Files.size(to);
    }

    /** Not named as a recording is: its events are in the recording, too. */
    private static Path dumpFile() {
        return inFolder("dump.jfr");
    }

    private static Path inFolder(String name) {
        return Probes.directory().resolve(name).toAbsolutePath();
    }

    private static IOException writing(Path file, IOException e) {
        return new IOException("writing the recording to " + file + ": " + e.getMessage(), e);
    }
}
