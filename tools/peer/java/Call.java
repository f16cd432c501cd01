package moobench.peer;

import java.util.concurrent.TimeUnit;
import moobench.kernel.BusyWait;
import moobench.kernel.Calls;
import moobench.kernel.Probes;
import moobench.kernel.Target;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The call that the fixture times, in JMH's loop. Target, depth and busy wait come as properties and not as parameters of
 * JMH, which would be factors of the imported campaign.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Call {
    private final int depth = Integer.getInteger("moobench.peer.depth");
    private Target target;

    /** Loads the target and lets the probe allocate, as the fixture does before its loop. */
    @Setup
    public void load() throws ReflectiveOperationException {
        BusyWait.choose(System.getProperty("moobench.peer.wait"));
        target = Calls.load(System.getProperty("moobench.peer.target"));
        Probes.prepareThread();
    }

    /** One call, down to the depth and back. */
    @Benchmark
    public long call() {
        return target.monitoredMethod(0, depth);
    }
}
