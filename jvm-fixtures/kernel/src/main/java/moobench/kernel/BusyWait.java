package moobench.kernel;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * How a target spends its method time, or what else it does where its recursion ends. A class of its own, so that the
 * monitored method has the same body for every kind; only the chosen kind is loaded, so that the compiler can inline it.
 */
public abstract class BusyWait {
    private static volatile BusyWait chosen;

    /** For those below, and for a fixture that has its targets do its own work. */
    protected BusyWait() {}

    /**
     * Is busy for ns.
     *
     * @return a value that the compiler can't foresee
     */
    public abstract long spend(long ns);

    /**
     * Chooses the kind for targets that are made from now on: {@code wall} reads the clock until the time is over, and so
     * at least twice; {@code cpu} the same with the thread's CPU time; {@code lazy} is wall, but reads no clock if there
     * is nothing to wait for.
     */
    public static void choose(String kind) throws ReflectiveOperationException {
        String type;
        switch (kind) {
            case "wall": type = "Wall"; break;
            case "cpu": type = "Cpu"; break;
            case "lazy": type = "Lazy"; break;
            default: throw new IllegalArgumentException("busy_wait must be wall, cpu or lazy, not " + kind);
        }
        // By name: a reference here would make the verifier load every kind.
        chosen = (BusyWait) Class.forName("moobench.kernel.BusyWait$" + type).getDeclaredConstructor().newInstance();
    }

    /** Has targets that are made from now on do this. */
    public static void choose(BusyWait wait) {
        chosen = wait;
    }

    /** The chosen kind, lazy if none was. */
    public static BusyWait chosen() {
        try {
            if (chosen == null) {
                choose("lazy");
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return chosen;
    }

    static long untilWall(long ns) {
        long end = System.nanoTime() + ns;
        long now;
        do {
            now = System.nanoTime();
        } while (now - end < 0);
        return now;
    }

    static final class Wall extends BusyWait {
        @Override
        public long spend(long ns) {
            return untilWall(ns);
        }
    }

    static final class Lazy extends BusyWait {
        /** Volatile, so that a call can't be moved out of a loop although it does nothing. */
        private volatile long nothing;

        @Override
        public long spend(long ns) {
            return ns == 0 ? nothing : untilWall(ns);
        }
    }

    static final class Cpu extends BusyWait {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

        Cpu() {
            if (!threads.isCurrentThreadCpuTimeSupported()) {
                throw new IllegalStateException("busy_wait=cpu: this JVM doesn't know a thread's CPU time");
            }
        }

        @Override
        public long spend(long ns) {
            long end = threads.getCurrentThreadCpuTime() + ns;
            long now;
            do {
                now = threads.getCurrentThreadCpuTime();
            } while (now < end);
            return now;
        }
    }
}
