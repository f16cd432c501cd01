package moobench.bridge.kieker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import kieker.monitoring.core.controller.IProbeController;
import kieker.monitoring.core.controller.MonitoringController;
import moobench.kernel.Swapper;

/**
 * Switches Kieker's probes by Kieker's own adaptive monitoring, which has to be enabled. Of its list, too, the newest pattern
 * that matches decides; but what none matches is monitored, and a pattern that is on the list already stays there, so that
 * the list grows by one with each change.
 *
 * <p>Nobody knows who will ask the list: a change tells of no classes and no methods.
 */
public final class AdaptiveSwapper implements Swapper {
    private static final String REFUSED =
            "Kieker refused the pattern: it is none, or adaptive monitoring is not enabled (-Dkieker.monitoring.adaptiveMonitoring.enabled=true)";

    private final IProbeController controller = MonitoringController.getInstance();

    /** For {@code -Dmoobench.swapper}; it starts Kieker. */
    public AdaptiveSwapper() {}

    @Override
    public Swap activate(String pattern) {
        String unsigned = unsigned(pattern);
        long begin = System.nanoTime();
        boolean done = controller.activateProbe(unsigned);
        return since(begin, unsigned, done);
    }

    @Override
    public Swap deactivate(String pattern) {
        String unsigned = unsigned(pattern);
        long begin = System.nanoTime();
        boolean done = controller.deactivateProbe(unsigned);
        return since(begin, unsigned, done);
    }

    @Override
    public Swap remove(String pattern) {
        String unsigned = unsigned(pattern);
        List<String> rest = patterns();
        rest.removeIf(signed -> unsigned(signed.substring(1)).equals(unsigned));
        return replace(rest);
    }

    @Override
    public Swap replace(List<String> patterns) {
        long begin = System.nanoTime();
        controller.setProbePatternList(patterns);
        // Of patterns that are none it says so in its log alone.
        return since(begin, String.join("; ", patterns), controller.getProbePatternList().size() == patterns.size());
    }

    @Override
    public List<String> patterns() {
        return new ArrayList<>(controller.getProbePatternList());
    }

    /** A pattern that may have a plus, without it. */
    private static String unsigned(String text) {
        String trimmed = text.trim();
        if (trimmed.startsWith("-")) {
            throw new IllegalArgumentException("pattern \"" + text + "\": the request says whether it includes; leave the - away");
        }
        return trimmed.startsWith("+") ? trimmed.substring(1).trim() : trimmed;
    }

    private static Swap since(long begin, String patterns, boolean done) {
        long took = System.nanoTime() - begin;
        return new Swap(0, 0, 0, 0, took, took, done ? Collections.emptyList() : Collections.singletonList("\"" + patterns + "\": " + REFUSED));
    }
}
