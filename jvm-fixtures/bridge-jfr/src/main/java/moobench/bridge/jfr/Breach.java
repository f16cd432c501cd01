package moobench.bridge.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Something took longer than it was to take: whoever listens for it dumps the recording. */
@Name(Breach.NAME)
@Label("Breach")
@Category("moobench")
@StackTrace(false)
final class Breach extends Event {
    static final String NAME = "moobench.Breach";

    /** Number of the breach, so that a late answer to one is not taken for that to the next. */
    @Label("Id")
    long id;
}
