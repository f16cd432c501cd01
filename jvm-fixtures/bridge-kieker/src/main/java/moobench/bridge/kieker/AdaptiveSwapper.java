package moobench.bridge.kieker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import kieker.monitoring.core.controller.IProbeController;
import moobench.hotswap.KiekerProbe;
import moobench.kernel.Swapper;

/**
 * Switches Kieker's probes by Kieker's own adaptive monitoring, which has to be enabled. Of its list, too, the newest pattern
 * that matches decides; but a pattern that is on the list already stays there, so that the list grows by one with each change.
 * What none matches Kieker monitors, and a {@link Swapper} does not: the oldest pattern of Kieker's list, which is not among
 * {@link #patterns()}, keeps all out.
 *
 * <p>Nobody knows who will ask the list: a change tells of no classes and no methods, and none is known to be instrumented.
 */
public final class AdaptiveSwapper implements Swapper {
    private static final String REFUSED =
            "Kieker refused the pattern: it is none, or adaptive monitoring is not enabled (-Dkieker.monitoring.adaptiveMonitoring.enabled=true)";

    private static final String OLDEST = "- *";

    private final IProbeController controller = KiekerProbe.controller();

    /** For {@code -Dmoobench.swapper}; it starts Kieker, and keeps the list that Kieker begins with. */
    public AdaptiveSwapper() {
        controller.setProbePatternList(whole(controller.getProbePatternList()));
    }

    private static List<String> whole(List<String> patterns) {
        List<String> whole = new ArrayList<>();
        whole.add(OLDEST);
        whole.addAll(patterns);
        return whole;
    }

    @Override
    public Swap set(boolean on, String pattern) {
        String unsigned = unsigned(pattern);
        long begin = System.nanoTime();
        boolean done = on ? controller.activateProbe(unsigned) : controller.deactivateProbe(unsigned);
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
        controller.setProbePatternList(whole(patterns));
        // Of patterns that are none it says so in its log alone.
        return since(begin, String.join("; ", patterns), controller.getProbePatternList().size() == 1 + patterns.size());
    }

    @Override
    public List<String> patterns() {
        List<String> whole = controller.getProbePatternList(); // empty where adaptive monitoring is not enabled
        return new ArrayList<>(whole.subList(Math.min(1, whole.size()), whole.size()));
    }

    @Override
    public List<String> instrumented() {
        return new ArrayList<>();
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
        return Swap.since(begin, 0, done ? Collections.emptyList() : Collections.singletonList("\"" + patterns + "\": " + REFUSED));
    }
}
