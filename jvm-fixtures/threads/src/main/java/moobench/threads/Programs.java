package moobench.threads;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import moobench.kernel.BusyWait;
import moobench.kernel.Fixture;
import moobench.kernel.Probes;
import moobench.kernel.Run;
import moobench.kernel.Series;
import moobench.kernel.Setup;

/** A fixture that runs a program from beginning to end, as often as is asked for. */
public abstract class Programs implements Fixture {
    private Program program;
    private long[] rounds;

    /** For those that know programs. */
    protected Programs() {}

    /** Makes the program that is asked for, once the setup has been read to its end; it will be run so many times. */
    protected abstract Program program(Setup setup, int rounds);

    @Override
    public final void setup(Setup setup) throws Exception {
        int n = setup.count("rounds");
        BusyWait.choose(setup.busyWait());
        program = program(setup, n);
        rounds = new long[n];
    }

    /** Nothing is warmed up: the papers' programs are measured as they are started. */
    @Override
    public final long prime(long calls) {
        return 0;
    }

    @Override
    public Run run() throws Exception {
        Arrays.fill(rounds, -1);
        Probes.prepareThread();
        long calls = 0;
        long beginNs = System.nanoTime();
        for (int i = 0; i < rounds.length; i++) {
            long begin = System.nanoTime();
            calls += program.run();
            rounds[i] = System.nanoTime() - begin;
        }
        // What the program's own threads use and allocate is not this thread's, and is seen from outside.
        return new Run(beginNs, System.nanoTime(), calls, -1, -1, -1, 0);
    }

    @Override
    public List<Class<?>> code() {
        return program == null ? Collections.singletonList(getClass()) : Arrays.asList(getClass(), program.getClass());
    }

    @Override
    public List<Series> series() {
        return Collections.singletonList(new Series("round", 0, "t:ns:duration", 1, rounds));
    }
}
