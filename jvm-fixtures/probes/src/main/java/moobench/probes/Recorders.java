package moobench.probes;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import moobench.kernel.Probes;

/** The recorders of all threads. Their counts are exact once the threads have ended. */
final class Recorders {
    private final RecordFile file;
    private final List<Recorder> all = new CopyOnWriteArrayList<>();
    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadLocal<Recorder> mine = ThreadLocal.withInitial(this::add);

    Recorders(RecordFile file) {
        this.file = file;
    }

    private Recorder add() {
        Recorder recorder = new Recorder(threads.getAndIncrement(), file);
        all.add(recorder);
        return recorder;
    }

    /** The current thread's recorder. */
    Recorder mine() {
        return mine.get();
    }

    private long sum(ToLongFunction<Recorder> count) {
        return all.stream().mapToLong(count).sum();
    }

    long entered() {
        return sum(Recorder::entered);
    }

    long exited() {
        return sum(Recorder::exited);
    }

    long recorded() {
        return exited();
    }

    /** Writes what is left, and then the number of records that were kept or written. */
    void finish() {
        try {
            long recorded = recorded();
            if (file != null) {
                all.forEach(Recorder::finish);
                recorded = file.close();
            }
            Probes.writeCount(recorded);
        } catch (IOException | InterruptedException e) {
            System.err.println("moobench: error: finishing the probe's records: " + e);
        }
    }
}
