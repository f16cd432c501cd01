package moobench.bridge.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** An event that Flight Recorder itself asks for, once each period. */
@Name(Sampled.NAME)
@Label("Sampled")
@Category("moobench")
@Period("10 ms")
@StackTrace(false)
public final class Sampled extends Event {
    static final String NAME = "moobench.Sampled";

    private static boolean asked;
    /** Written by Flight Recorder's one thread for such events. */
    private static long answers;

    /** How often it has been asked for. */
    @Label("Id")
    public long id;

    /** Has Flight Recorder ask each period; once for all targets of the JVM, which may be many clones. */
    public static synchronized void ask() {
        if (asked) {
            return;
        }
        FlightRecorder.addPeriodicEvent(Sampled.class, Sampled::answer);
        asked = true;
    }

    private static void answer() {
        Sampled event = new Sampled();
        event.id = ++answers;
        event.commit();
    }
}
