package moobench.kernel;

import java.nio.file.Path;
import java.nio.file.Paths;

/** What the kernel is told by system properties. Each is read when it is asked for: an agent that comes later may set it. */
final class Settings {
    private Settings() {}

    /** Where the harness listens, as host:port; empty where there is none. */
    static String control() {
        return System.getProperty("moobench.control", "");
    }

    /** The class that swaps probes; empty where it is the agent that does. */
    static String swapper() {
        return System.getProperty("moobench.swapper", "");
    }

    /** Whether the JVM has a folder of its own. Else the working directory is the application's. */
    static boolean hasDirectory() {
        return System.getProperty("moobench.dir") != null;
    }

    /** The folder; the working directory where there is none. */
    static Path directory() {
        return Paths.get(System.getProperty("moobench.dir", "."));
    }
}
