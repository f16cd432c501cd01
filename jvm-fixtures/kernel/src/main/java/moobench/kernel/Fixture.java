package moobench.kernel;

import java.util.List;

/** A program that is driven: what {@link Kernel} asks it to do. Everything is called on one thread. */
public interface Fixture {
    /** The name in the greeting. */
    String name();

    /** Makes everything that the measured part will need, so that it need not allocate; called once. */
    void setup(Message request) throws Exception;

    /** Runs the work unmeasured, and returns how many calls it made; nothing is kept. */
    long prime(long calls) throws Exception;

    /** Runs the measured part to its end. */
    Run run() throws Exception;

    /** What the last run recorded. */
    List<Series> series();
}
