package moobench.kernel;

/** A swapper that says what it makes of a class: an agent's, which registers it with {@link Probes#swapper(Weaver)}. */
public interface Weaver extends Swapper {
    /** The class file as it is with the probe in the methods that the signed pattern includes; null if that is none. */
    byte[] inject(byte[] classFile, String pattern);
}
