package moobench.sample;

import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import moobench.kernel.Target;

/** Ends each recording of the JVM, whoever has started it: at depth 1 it stops them, at depth 2 it closes them. */
public final class Meddling implements Target {
    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (depth == 1) {
                recording.stop();
            } else {
                recording.close();
            }
        }
        return depth;
    }
}
