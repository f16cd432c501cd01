package moobench.peer;

import moobench.application.MonitoredClass;
import moobench.kernel.Target;

/** A method without work, for the loops of all: what remains is the loop. */
public final class Nothing implements Target, MonitoredClass {
    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        return depth;
    }
}
