package moobench.hotswap;

import java.util.List;

/** The agent as JMX shows it: {@code moobench:type=Hotswap}. */
public interface SwapperMXBean {
    /** The list of patterns with their signs, the oldest first. */
    List<String> getPatterns();

    /** Signatures of the methods that are monitored now. */
    List<String> getInstrumented();

    /** What the last change did, through whichever door it came; null if there was none. */
    LastSwap getLastSwap();

    /** Makes {@code + pattern} the newest of the list. */
    LastSwap activate(String pattern) throws Exception;

    /** Makes {@code - pattern} the newest of the list. */
    LastSwap deactivate(String pattern) throws Exception;

    /** Takes the pattern off the list. */
    LastSwap remove(String pattern) throws Exception;

    /** Puts another list in place of this one; its patterns have signs, the oldest comes first. */
    LastSwap replace(List<String> patterns) throws Exception;
}
