package moobench.bridge.meters;

import brave.ScopedSpan;
import brave.Tracer;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method with one of Brave's spans per execution, each the parent of the next. */
public final class BraveSpan implements Target {
    private static final Tracer TRACER = Brave.start();

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        ScopedSpan span = TRACER.startScopedSpan("monitored-method");
        try {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            span.finish();
        }
    }
}
