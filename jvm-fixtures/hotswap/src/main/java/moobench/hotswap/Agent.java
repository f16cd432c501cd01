package moobench.hotswap;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;

/**
 * The agent. With a list of patterns it puts the probe into classes as they are loaded; without, it is dormant until it is
 * asked to swap. There is one per JVM, however often it is attached.
 *
 * <p>Nothing here refers to the kernel or the probes: in a foreign JVM they are brought in first, where every class sees them.
 */
public final class Agent {
    private static final String KERNEL = "moobench.kernel.Probes";
    private static final String PROBE = "moobench.probes.Probe";
    private static final ClassLoader SYSTEM = ClassLoader.getSystemClassLoader();

    /** The one that is in this JVM. */
    private static Doors doors;

    private Agent() {}

    /** Comes with the JVM; what is wrong with its settings stops the JVM (status 2). */
    public static void premain(String args, Instrumentation instrumentation) {
        try {
            begin(args, instrumentation);
        } catch (IllegalArgumentException e) {
            System.err.println("moobench: error: hotswap agent: " + e.getMessage());
            System.exit(2);
        }
    }

    /** Attached to a running JVM, perhaps not for the first time; whatever is wrong fails the attach alone. */
    public static void agentmain(String args, Instrumentation instrumentation) {
        begin(args, instrumentation);
    }

    private static synchronized void begin(String args, Instrumentation instrumentation) {
        if (doors != null) {
            doors.again(Settings.of(args));
            return;
        }
        Settings settings = Settings.of(args, System.getProperties());
        bringClasses(settings, instrumentation);
        doors = Doors.open(settings, instrumentation);
        doors.serve(settings);
    }

    private static void bringClasses(Settings settings, Instrumentation instrumentation) {
        boolean kernel = isVisible(KERNEL);
        if (kernel && isVisible(PROBE)) {
            return;
        }
        if (settings.probes == null || !kernel && settings.kernel == null) {
            throw new IllegalArgumentException("this JVM doesn't have the probe on its class path: say where its jars are by kernel=… and probes=…");
        }
        JarFile probes = open("probes", settings.probes);
        if (kernel) { // a fixture without a probe: where its kernel is
            instrumentation.appendToSystemClassLoaderSearch(probes);
        } else {
            instrumentation.appendToBootstrapClassLoaderSearch(open("kernel", settings.kernel));
            instrumentation.appendToBootstrapClassLoaderSearch(probes);
        }
        if (!isVisible(KERNEL) || !isVisible(PROBE)) {
            throw new IllegalArgumentException("the probe is not in the jars that kernel and probes name");
        }
    }

    private static boolean isVisible(String name) {
        try {
            Class.forName(name, false, SYSTEM);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** The JVM reads it by its name; it stays open, as it must not be exchanged. */
    private static JarFile open(String name, String path) {
        try {
            return new JarFile(path);
        } catch (IOException e) {
            throw new IllegalArgumentException(name + "=" + path + " is not a jar: " + e.getMessage(), e);
        }
    }
}
