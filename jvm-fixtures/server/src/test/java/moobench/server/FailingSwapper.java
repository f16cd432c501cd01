package moobench.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import moobench.kernel.Switch;

/** Puts probes in every other time only, and can't take them out from the second time on. */
public final class FailingSwapper implements Switch {
    private int activated;
    private int deactivated;

    @Override
    public Swap set(boolean on, String pattern) {
        if (on) {
            return swap(++activated % 2 == 0 ? Collections.emptyList() : Collections.singletonList("class a.B: planted " + activated));
        }
        if (++deactivated > 2) {
            throw new IllegalStateException("planted exception");
        }
        return swap(new ArrayList<>());
    }

    private static Swap swap(List<String> failures) {
        return new Swap(0, 0, 0, 0, 0, 0, failures);
    }
}
