package moobench.kernel;

/**
 * The monitored class. Implementations are final, have a public constructor without arguments, and exactly one of them is
 * loaded in a JVM: a second would change how the compiler treats the first.
 */
public interface Target {
    /**
     * Calls itself until depth is 1, then is busy for methodTimeNs.
     *
     * @return a value that depends on what was done, for the caller to consume
     */
    long monitoredMethod(long methodTimeNs, int depth);
}
