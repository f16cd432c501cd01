package moobench.bridge.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.GlobalOpenTelemetry;
import moobench.kernel.Counts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CounterTest {
    @BeforeEach
    void nothingIsRegistered() {
        GlobalOpenTelemetry.resetForTest();
        System.clearProperty("moobench.otel.counting");
        System.setProperty("moobench.dir", "target");
    }

    /** The attributes are part of the result, so that no compiler leaves them out. */
    @Test
    void theApiAloneDoesNothing() {
        assertEquals(3, new Counter().monitoredMethod(0, 1));
        assertEquals(12, new Counter().monitoredMethod(0, 4));
    }

    @Test
    void whatCountsInTheSdksPlaceSeesEachCall() {
        System.setProperty("moobench.otel.counting", "true");
        assertEquals(15, new Counter().monitoredMethod(0, 5));
        assertEquals(5, Counts.of("recorded"));
    }

    @Test
    void besideAnSdkItIsRefused() {
        Counting.register();
        String why = assertThrows(IllegalStateException.class, Counter::new).getMessage();
        assertTrue(why.contains("an SDK is registered"), why);
    }
}
