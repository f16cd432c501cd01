package moobench.bridge.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An execution of the monitored method. All targets commit this one event; where nothing is said of it, a recording has it. */
@Name(Execution.NAME)
@Label("Execution")
@Category("moobench")
@StackTrace(false)
public final class Execution extends Event {
    static final String NAME = "moobench.Execution";

    /** The depth that the execution was called with. */
    @Label("Id")
    public long id;
}
