package moobench.probes;

import java.io.IOException;
import java.util.function.ToLongFunction;
import moobench.kernel.Probes;

/** The recorders of all threads. Their counts are exact once the threads have ended. */
final class Recorders extends PerThread<Recorder> {
    private final RecordFile file;
    /** Of the threads that were retired. */
    private long entered;
    private long exited;

    Recorders(RecordFile file) {
        this.file = file;
    }

    @Override
    protected Recorder make(int number) {
        return new Recorder(number, file);
    }

    @Override
    protected void retire(Recorder ended) {
        ended.finish();
        entered += ended.entered();
        exited += ended.exited();
    }

    private long sum(ToLongFunction<Recorder> count) {
        return present().stream().mapToLong(count).sum();
    }

    synchronized long entered() {
        return entered + sum(Recorder::entered);
    }

    synchronized long exited() {
        return exited + sum(Recorder::exited);
    }

    long recorded() {
        return exited();
    }

    /**
     * Writes what is left, and then the number of records that were kept or written. Without {@code -Dmoobench.dir} nothing
     * is: the working directory is the application's.
     */
    synchronized void finish() {
        try {
            long recorded = recorded();
            if (file != null) {
                present().forEach(Recorder::finish);
                recorded = file.close();
            }
            if (System.getProperty("moobench.dir") != null) {
                Probes.writeCount(recorded);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("moobench: error: finishing the probe's records: " + e);
        }
    }
}
