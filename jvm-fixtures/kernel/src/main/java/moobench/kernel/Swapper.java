package moobench.kernel;

import java.util.ArrayList;
import java.util.List;

/**
 * Changes which methods are monitored while the program runs; an agent registers one with
 * {@link Probes#swapper(Swapper)}.
 *
 * <p>It keeps a list of signed patterns, of which the newest that matches a method decides. Methods that none matches are
 * not monitored.
 */
public interface Swapper {
    /** Makes {@code + pattern} the newest of the list, in place of the same pattern with whatever sign. */
    Swap activate(String pattern) throws Exception;

    /** Makes {@code - pattern} the newest of the list, in place of the same pattern with whatever sign. */
    Swap deactivate(String pattern) throws Exception;

    /** Does what can be done before the pattern is activated, such as writing class files; called while nothing is timed. */
    default void prepare(String pattern) throws Exception {}

    /** Takes the pattern off the list, whatever its sign. */
    default Swap remove(String pattern) throws Exception {
        throw new IllegalStateException("what swaps probes in this JVM keeps no list of patterns");
    }

    /** Puts another list in place of this one; its patterns have signs, the oldest comes first. */
    default Swap replace(List<String> patterns) throws Exception {
        throw new IllegalStateException("what swaps probes in this JVM keeps no list of patterns");
    }

    /** The list, with signs, the oldest first. */
    default List<String> patterns() {
        return new ArrayList<>();
    }

    /** Signatures of the methods that are monitored now. */
    default List<String> instrumented() {
        return new ArrayList<>();
    }

    /** The class file as it is with the probe in the methods that the signed pattern includes; null if that is none. */
    default byte[] inject(byte[] classFile, String pattern) {
        throw new IllegalStateException("what swaps probes in this JVM doesn't say what it makes of a class");
    }

    /** Whether {@link #dump} writes anything. */
    default boolean dumps() {
        return false;
    }

    /** Writes out what has been recorded until now, while recording goes on; the bytes written, -1 where nothing is kept to be written. */
    default long dump() throws Exception {
        return -1;
    }

    /** What a change did. The parts are measured end to end: their sum is {@link #tookNs}, but for some stamps. */
    final class Swap {
        /** A change since then, in ns of System.nanoTime(), for which no class was looked for, written or exchanged. */
        public static Swap since(long beginNs, int methods, List<String> failures) {
            long took = System.nanoTime() - beginNs;
            return new Swap(0, methods, 0, 0, took, took, failures);
        }

        /** Classes that were exchanged in the JVM; 0 when the world was not stopped. */
        public final int classes;
        /** Methods that are monitored now and were not, or the other way round; switched ones too. */
        public final int methods;
        /** Finding what has to change; writing new class files; having the JVM exchange them, without the writing. */
        public final long matchNs;
        public final long transformNs;
        public final long swapNs;
        /** From the call to its return. */
        public final long tookNs;
        /** Classes that could not be changed and stay as they were: {@code class a.B: reason}. */
        public final List<String> failures;

        public Swap(int classes, int methods, long matchNs, long transformNs, long swapNs, long tookNs, List<String> failures) {
            this.classes = classes;
            this.methods = methods;
            this.matchNs = matchNs;
            this.transformNs = transformNs;
            this.swapNs = swapNs;
            this.tookNs = tookNs;
            this.failures = failures;
        }
    }
}
