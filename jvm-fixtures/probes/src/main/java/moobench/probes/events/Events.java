package moobench.probes.events;

import moobench.kernel.Probes;
import moobench.probes.Methods;

/**
 * The probe that logs events. {@link #enter} is called first in a monitored method, and one of {@link #exit} and
 * {@link #thrown} last. Where events go is set by {@code -Dmoobench.events.log}: {@code ring} (the default) writes them into a
 * file while the program runs, {@code file}, {@code stringbuilder} and {@code memarray} are the loggers of the paper
 * (Ferber 2016), which write text.
 *
 * <p>A thread logs into what is its own: no event waits for a lock, but the first one of a thread.
 */
public final class Events {
    private static final EventLogs LOGS = EventLogs.open();

    static {
        Probes.count("entered", LOGS::entered);
        Probes.count("exited", LOGS::exited);
        Probes.count("recorded", LOGS.recorded);
        Probes.beforeLoop(LOGS::mine);
        Runtime.getRuntime().addShutdownHook(new Thread(LOGS::finish, "moobench-events-finish"));
    }

    private Events() {}

    /** The number by which events name the method with this signature. */
    public static int method(String signature) {
        return Methods.id(signature);
    }

    /** A method begins; self is null where there is no object. */
    public static void enter(Object self, int method) {
        EventLog log = LOGS.mine();
        log.add(EventLog.ENTER, System.nanoTime(), self, method);
    }

    /** A method returns. */
    public static void exit(Object self, int method) {
        LOGS.mine().add(EventLog.EXIT, System.nanoTime(), self, method);
    }

    /** A method ends by an exception. */
    public static void thrown(Object self, int method) {
        LOGS.mine().add(EventLog.THROWN, System.nanoTime(), self, method);
    }

    /** A method begins to wait for other threads. */
    public static void waits(Object self, int method) {
        LOGS.mine().add(EventLog.WAIT, System.nanoTime(), self, method);
    }

    /** It goes on. */
    public static void awake(Object self, int method) {
        LOGS.mine().add(EventLog.AWAKE, System.nanoTime(), self, method);
    }
}
