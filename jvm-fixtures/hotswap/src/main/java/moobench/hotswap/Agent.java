package moobench.hotswap;

import java.lang.instrument.Instrumentation;
import moobench.kernel.Probes;

/**
 * The agent. With {@code -Dmoobench.probe.load="+ pattern"} it puts the probe into classes as they are loaded; without, it is
 * dormant until it is asked to swap.
 */
public final class Agent {
    private Agent() {}

    public static void premain(String args, Instrumentation instrumentation) {
        Rules rules = rules();
        boolean atLoad = rules != Rules.NONE;
        Transformer transformer = new Transformer(rules);
        if (atLoad) {
            instrumentation.addTransformer(transformer, true);
        }
        Probes.instrumentation(instrumentation);
        Probes.swapper(new Swaps(instrumentation, transformer, atLoad));
    }

    /** The same, attached to a running JVM. */
    public static void agentmain(String args, Instrumentation instrumentation) {
        premain(args, instrumentation);
    }

    private static Rules rules() {
        try {
            return Rules.parse(System.getProperty("moobench.probe.load", ""));
        } catch (IllegalArgumentException e) {
            System.err.println("moobench: error: -Dmoobench.probe.load: " + e.getMessage());
            System.exit(2);
            throw e;
        }
    }
}
