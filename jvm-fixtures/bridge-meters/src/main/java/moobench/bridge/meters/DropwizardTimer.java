package moobench.bridge.meters;

import com.codahale.metrics.ExponentiallyDecayingReservoir;
import com.codahale.metrics.LockFreeExponentiallyDecayingReservoir;
import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Timer;
import moobench.kernel.BusyWait;
import moobench.kernel.Target;

/** The method, each execution of which a timer of Dropwizard's takes the time of. */
public final class DropwizardTimer implements Target {
    private static final Timer TIMER = Dropwizard.start().timer("monitored.method", () -> new Timer(reservoir()));

    private final BusyWait wait = BusyWait.chosen();

    private static Reservoir reservoir() {
        return Settings.isLockFree() ? LockFreeExponentiallyDecayingReservoir.builder().build() : new ExponentiallyDecayingReservoir();
    }

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        try (Timer.Context context = TIMER.time()) {
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        }
    }
}
