package moobench.bridge.kieker;

import java.util.concurrent.TimeUnit;
import kieker.common.configuration.Configuration;
import kieker.monitoring.timer.AbstractTimeSource;

/** Reads no clock: what Kieker costs without one. */
public final class ZeroTimer extends AbstractTimeSource {
    /** Called by Kieker, by name. */
    public ZeroTimer(Configuration configuration) {
        super(configuration);
    }

    @Override
    public long getTime() {
        return 0;
    }

    @Override
    public long getOffset() {
        return 0;
    }

    @Override
    public TimeUnit getTimeUnit() {
        return TimeUnit.NANOSECONDS;
    }

    @Override
    public String toString() {
        return "no clock";
    }
}
