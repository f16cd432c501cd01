package moobench.probes.events;

import moobench.kernel.Probes;
import moobench.probes.Methods;
import moobench.probes.ProbeSettings;

/**
 * The probe that logs events. {@link #enter} is called first in a monitored method, and one of {@link #exit} and
 * {@link #thrown} last. Where events go is set by {@code -Dmoobench.events.log}: {@code ring} (the default) writes them into a
 * file while the program runs, {@code file}, {@code stringbuilder} and {@code memarray} are the loggers of the paper
 * (Ferber 2016), which write text.
 *
 * <p>Of locks it logs when one is asked for, got and given back: {@link #request}, {@link #acquired}, {@link #released}; and who
 * called, if {@code callers} is in {@code -Dmoobench.events.locks}.
 *
 * <p>A thread logs into what is its own: no event waits for a lock, but the first one of a thread.
 */
public final class Events {
    private static final String NAME = Events.class.getName();
    private static final boolean CALLERS = ProbeSettings.locks().contains("callers");
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

    /** Has it said that something of the program isn't logged, and why. */
    public static void note(String text) {
        LOGS.note(text);
    }

    /** A thread took so long to have a class instrumented: the time is the log's, not the program's. */
    public static void wove(long ns) {
        LOGS.wove(ns);
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

    /** A method ends by an exception, or a lock is given back because of one. */
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

    /** The thread is about to be parked, in whatever code; the monitored method that it is in, if it is in one, waits. */
    public static void parks(int place) {
        EventLog log = LOGS.mineIfAny();
        if (log != null && log.isOpen()) {
            log.add(EventLog.WAIT, System.nanoTime(), 0, place);
        }
    }

    /** It goes on. */
    public static void unparks(int place) {
        EventLog log = LOGS.mineIfAny();
        if (log != null && log.isOpen()) {
            log.add(EventLog.AWAKE, System.nanoTime(), 0, place);
        }
    }

    /**
     * A lock will be asked for; null, if the program is about to fail for that. Returns the hash that names it: once it is
     * locked, the JVM may have to look for that, which takes as long as the event.
     */
    public static int lock(Object lock) {
        if (lock == null) {
            return 0;
        }
        return LOGS.mine().name(lock);
    }

    /** The same, and that it is asked for is an event. */
    public static int request(Object lock, int section) {
        EventLog log = LOGS.mine();
        int hash = lock == null ? 0 : log.name(lock);
        log.add(EventLog.REQUEST, System.nanoTime(), hash, section);
        return hash;
    }

    /** A lock was got; hash is what one of those returned. */
    public static void acquired(int hash, int section) {
        long time = System.nanoTime();
        EventLog log = LOGS.mine();
        log.add(EventLog.ENTER, time, hash, section);
        if (CALLERS) {
            caller(log, hash);
        }
    }

    /** A lock was got, if the program was told so. */
    public static boolean acquired(boolean got, int hash, int section) {
        if (got) {
            acquired(hash, section);
        }
        return got;
    }

    /** A lock was got, unless its stamp is 0. */
    public static long acquired(long stamp, int hash, int section) {
        if (stamp != 0) {
            acquired(hash, section);
        }
        return stamp;
    }

    /** A lock was given back; the time is from just before. */
    public static void released(Object lock, long time, int section) {
        LOGS.mine().add(EventLog.EXIT, time, lock, section);
    }

    /** Logs the caller, and by its time how long it took to find it, which is the log's time and not the program's. */
    private static void caller(EventLog log, int hash) {
        StackTraceElement[] trace = new Throwable().getStackTrace();
        int section = 0; // where this class was called
        while (trace[section].getClassName().equals(NAME)) {
            section++;
        }
        if (section + 1 < trace.length) {
            int place = log.place(trace[section + 1]);
            log.add(EventLog.CALLER, System.nanoTime(), hash, place);
        }
    }
}
