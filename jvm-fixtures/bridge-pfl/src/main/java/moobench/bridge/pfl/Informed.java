package moobench.bridge.pfl;

import moobench.kernel.BusyWait;
import moobench.kernel.Target;
import org.glassfish.pfl.tf.spi.TimingPointType;
import org.glassfish.pfl.tf.spi.annotation.InfoMethod;

/** The same as {@link Traced}, and each execution tells the monitor something. */
@Execution
public final class Informed implements Target {
    private final BusyWait wait = BusyWait.chosen();

    /** Has the chosen monitor registered. */
    public Informed() {
        Monitors.chosen(Informed.class);
    }

    @Override
    @Execution
    public long monitoredMethod(long methodTimeNs, int depth) {
        at(depth);
        return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
    }

    /** PFL fills it; nothing is timed by it, for which there would have to be a second one. */
    @InfoMethod(tpType = TimingPointType.NONE)
    private void at(int depth) {}
}
