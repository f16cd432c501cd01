package moobench.bridge.pfl;

import java.util.Map;
import moobench.swappers.Transforming;

/**
 * Puts PFL's second stage into running classes that are at the first, and takes it out again. PFL enhances a class as a whole:
 * a pattern that includes one of its methods has all of its traced ones enhanced.
 */
public final class Retransforming extends Transforming {
    /** For {@code -Dmoobench.swapper}. */
    public Retransforming() {}

    @Override
    public byte[] inject(ClassLoader loader, String name, byte[] classFile, Map<String, String> methods) {
        return Stage2.enhance(classFile);
    }
}
