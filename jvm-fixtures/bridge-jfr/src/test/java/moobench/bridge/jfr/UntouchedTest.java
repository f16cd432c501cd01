package moobench.bridge.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import jdk.jfr.FlightRecorder;
import moobench.kernel.Target;
import org.junit.jupiter.api.Test;

/** Targets and swapper in a JVM in which nobody records: no other test may start Flight Recorder in it. */
class UntouchedTest {
    @Test
    void flightRecorderIsNotInitialised() throws Exception {
        for (Target target : List.of(new Lasting(), new Instant(), new IfEnabled(), new IfDue(), new Bottom(), new Periodic())) {
            assertEquals(0, target.monitoredMethod(0, 10), target.toString());
            assertFalse(FlightRecorder.isInitialized(), target.toString());
        }
        Recorder recorder = new Recorder();
        assertEquals(0, recorder.deactivate("").methods);
        assertFalse(FlightRecorder.isInitialized());
    }
}
