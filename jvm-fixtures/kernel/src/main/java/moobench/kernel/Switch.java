package moobench.kernel;

import java.util.List;

/**
 * Has methods monitored, and no longer, while the program runs; the class of one is named by {@code -Dmoobench.swapper}. What
 * the pattern means is its own: one that keeps a list of patterns is a {@link Swapper}.
 */
public interface Switch {
    /** Has the methods monitored that the pattern stands for, or no longer. */
    Swap set(boolean on, String pattern) throws Exception;

    /** Has them monitored. */
    default Swap activate(String pattern) throws Exception {
        return set(true, pattern);
    }

    /** Has them monitored no longer. */
    default Swap deactivate(String pattern) throws Exception {
        return set(false, pattern);
    }

    /** Does what can be done before the pattern is activated, such as writing class files; called while nothing is timed. */
    default void prepare(String pattern) throws Exception {}

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
