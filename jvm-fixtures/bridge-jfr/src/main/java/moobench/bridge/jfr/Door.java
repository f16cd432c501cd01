package moobench.bridge.jfr;

import java.io.IOException;
import java.nio.file.Path;

/** A way to have Flight Recorder start, dump and stop a recording. There is one recording at a time. */
interface Door {
    /** Starts a recording. The JVM writes it to the file if it exits, or if anybody else stops it. */
    void start(String name, Path file) throws IOException, InterruptedException;

    /** Writes to the file what has been recorded until now, while recording goes on. */
    void dump(Path file) throws IOException, InterruptedException;

    /** Stops the recording, writes it to the file and forgets it; false if something else had stopped it. */
    boolean stop(Path file) throws IOException, InterruptedException;
}
