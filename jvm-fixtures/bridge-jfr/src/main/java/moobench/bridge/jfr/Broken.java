package moobench.bridge.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event that nobody can make: its constructor throws, as one does that computes a field from what isn't there. */
@Name("moobench.Broken")
@Label("Broken")
@Category("moobench")
@StackTrace(false)
public final class Broken extends Event {
    @Label("Id")
    public long id;

    public Broken() {
        throw new IllegalStateException("event moobench.Broken: its constructor throws");
    }
}
