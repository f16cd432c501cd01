package moobench.kernel;

import java.util.List;

/**
 * Changes which methods are monitored by a list of signed patterns, of which the newest that matches a method decides. Methods
 * that none matches are not monitored.
 */
public interface Swapper extends Switch {
    /** Makes {@code + pattern} or {@code - pattern} the newest of the list, in place of the same pattern with whatever sign. */
    @Override
    Swap set(boolean on, String pattern) throws Exception;

    /** Takes the pattern off the list, whatever its sign. */
    Swap remove(String pattern) throws Exception;

    /** Puts another list in place of this one; its patterns have signs, the oldest comes first. */
    Swap replace(List<String> patterns) throws Exception;

    /** The list, with signs, the oldest first. */
    List<String> patterns();

    /** Signatures of the methods that are monitored now, as far as they are known. */
    List<String> instrumented();
}
