package moobench.kernel;

/** A {@link Switch} of what keeps its records until it is asked for them. */
public interface Dumping {
    /** Writes out what has been recorded until now, while recording goes on; the bytes written. */
    long dump() throws Exception;
}
