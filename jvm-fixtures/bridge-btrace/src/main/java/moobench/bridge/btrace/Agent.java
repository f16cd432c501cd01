package moobench.bridge.btrace;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import moobench.kernel.Probes;

/**
 * Stands before BTrace's agent: lays the script where that looks for it, in the invocation's folder, and tells the kernel
 * what the script has counted.
 */
public final class Agent {
    /** One object, by which it is known whether the JVM counts these records or another probe's. */
    private static final LongSupplier RECORDED = Agent::recorded;

    private Agent() {}

    /** Comes with the JVM; without a script the JVM is of no use. */
    public static void premain(String args, Instrumentation instrumentation) {
        try (InputStream in = Agent.class.getResourceAsStream("Script.class")) {
            Files.copy(in, Probes.directory().resolve("Script.class"));
        } catch (IOException e) {
            System.err.println("moobench: error: laying out BTrace's script: " + e);
            System.exit(2);
        }
        Probes.count("recorded", RECORDED);
        Runtime.getRuntime().addShutdownHook(new Thread(Agent::finish, "moobench-btrace-finish"));
    }

    /** BTrace may have refused the script: then there is no count. */
    private static long recorded() {
        LongAdder count = (LongAdder) System.getProperties().get(Script.COUNT);
        return count == null ? 0 : count.sum();
    }

    private static void finish() {
        try {
            Probes.writeCount(RECORDED, recorded());
        } catch (IOException e) {
            System.err.println("moobench: error: writing the number of records: " + e);
        }
    }
}
