package moobench.kernel;

/** Takes probes into running code and out again; an agent registers one with {@link Probes#swapper(Swapper)}. */
public interface Swapper {
    /** Puts the probe into every loaded method that the pattern matches, and into those loaded later. */
    Swap activate(String pattern) throws Exception;

    /** Takes the probe out of every method that the pattern matches. */
    Swap deactivate(String pattern) throws Exception;

    /** What a swap did. */
    final class Swap {
        /** Classes that were exchanged, and methods in them that the pattern matched. */
        public final int classes;
        public final int methods;
        /** From the call to its return, matching included. */
        public final long tookNs;

        public Swap(int classes, int methods, long tookNs) {
            this.classes = classes;
            this.methods = methods;
            this.tookNs = tookNs;
        }
    }
}
