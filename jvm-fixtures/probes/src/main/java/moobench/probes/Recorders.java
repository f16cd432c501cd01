package moobench.probes;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import moobench.kernel.Probes;

/** The recorders of all threads. Their counts are exact once the threads have ended. */
final class Recorders extends PerThread<Recorder> {
    /** One object, by which it is known whether the JVM counts these records or another probe's. */
    final LongSupplier recorded = this::exited;

    private final RecordFile file;

    Recorders(RecordFile file) {
        this.file = file;
    }

    @Override
    protected Recorder make(int number) {
        return new Recorder(number, file);
    }

    private long sum(ToLongFunction<Recorder> count) {
        return present().stream().mapToLong(count).sum();
    }

    synchronized long entered() {
        return sum(Recorder::entered);
    }

    synchronized long exited() {
        return sum(Recorder::exited);
    }

    /**
     * Writes what is left, and then the number of records that were kept or written.
     */
    synchronized void finish() {
        try {
            long all = exited();
            if (file != null) {
                present().forEach(Recorder::finish);
                all = file.close();
            }
            Probes.writeCount(recorded, all);
        } catch (IOException | InterruptedException e) {
            System.err.println("moobench: error: finishing the probe's records: " + e);
        }
    }
}
