package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CompilationsTest {
    private static long hot(long x) {
        for (int i = 0; i < 1000; i++) {
            x = x * 31 + (x >>> 7);
        }
        return x;
    }

    /** A loop that has just become hot is compiled, sooner or later. */
    @Test
    void whatCompilersDidStandsAtTheNextPoint() {
        Compilations compiled = new Compilations(2);
        assumeTrue(compiled.times().length > 0, "needs a JVM that shares its counters");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        long took = 0;
        while (took == 0 && System.nanoTime() < end) {
            compiled.begin();
            compiled.take();
            for (int i = 0; i < 1000; i++) {
                Loop.sink = hot(Loop.sink);
            }
            compiled.take();
            took = compiled.times()[1];
        }
        assertTrue(took > 0 && took < TimeUnit.SECONDS.toNanos(20), took + " ns");
    }
}
