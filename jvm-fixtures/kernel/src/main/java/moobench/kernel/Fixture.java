package moobench.kernel;

import java.util.Collections;
import java.util.List;

/** A program that is driven: what {@link Kernel} asks it to do. Everything is called on one thread. */
public interface Fixture {
    /** The name in the greeting. */
    String name();

    /** Makes everything that the measured part will need, so that it need not allocate; called once. */
    void setup(Setup setup) throws Exception;

    /** Runs the work unmeasured, and returns how many calls it made; nothing is kept. */
    long prime(long calls) throws Exception;

    /** Runs the measured part to its end. */
    Run run() throws Exception;

    /** What the last run recorded, or what was recorded until now where the fixture serves. */
    List<Series> series();

    /** Whether it works for others from setup to its end: there is nothing to measure, and a dump needs no run. */
    default boolean serves() {
        return false;
    }

    /** Adds to the answer to setup what the harness has to know, such as a port. */
    default void ready(Message answer) {}

    /** Answers a request that this fixture alone knows; null if it doesn't know it. */
    default Message answer(Message request) throws Exception {
        return null;
    }

    /** The classes that are measured, and those that measure and are the fixture's own; called after the setup. */
    default List<Class<?>> code() throws Exception {
        return Collections.singletonList(getClass());
    }

    /** Ends what goes on by itself; called before the JVM exits. */
    default void close() throws Exception {}
}
