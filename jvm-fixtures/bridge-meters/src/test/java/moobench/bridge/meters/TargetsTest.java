package moobench.bridge.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import moobench.kernel.Probes;
import moobench.kernel.Target;
import org.junit.jupiter.api.Test;

/** Each target's library counts what the target executed. What is sent to Zipkin is counted by who receives it. */
class TargetsTest {
    private static final int CALLS = 3;
    private static final int DEPTH = 4;

    private static void countsEachExecution(Target target) {
        for (int call = 0; call < CALLS; call++) {
            target.monitoredMethod(0, DEPTH);
        }
        assertEquals(CALLS * DEPTH, Probes.counted("recorded"), target.getClass().getName());
    }

    @Test
    void librariesCountEachExecution() {
        System.setProperty("moobench.dir", "target"); // the count is written when this JVM ends
        System.setProperty("moobench.brave.spans", "count");
        countsEachExecution(new MicrometerTimer());
        countsEachExecution(new MicrometerCounter());
        countsEachExecution(new DropwizardTimer());
        countsEachExecution(new DropwizardCounter());
        countsEachExecution(new BraveSpan());
    }

    @Test
    void refusesWhatIsNoChoice() {
        System.setProperty("moobench.micrometer.filter", "of");
        try {
            assertThrows(IllegalArgumentException.class, Settings::deniesMeters);
        } finally {
            System.clearProperty("moobench.micrometer.filter");
        }
    }
}
