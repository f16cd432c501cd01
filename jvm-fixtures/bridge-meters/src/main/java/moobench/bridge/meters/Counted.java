package moobench.bridge.meters;

import java.io.IOException;
import java.util.function.LongSupplier;
import moobench.kernel.Probes;

/** Hands the library's own count over: to the kernel while the JVM runs, and in the end to the invocation's folder. */
final class Counted {
    private Counted() {}

    static void by(LongSupplier count) {
        Probes.count("recorded", count);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(count), "moobench-meters-finish"));
    }

    private static void write(LongSupplier count) {
        try {
            Probes.writeCount(count, count.getAsLong());
        } catch (IOException e) {
            System.err.println("moobench: error: writing the number of records: " + e);
        }
    }
}
