package moobench.probes.events;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The garbage collections of this JVM, seen by looking now and then: by each look that finds more of them than the one before,
 * it is known between which times they were, and how long they took together.
 */
final class Collections {
    private final List<GarbageCollectorMXBean> collectors = new ArrayList<>();
    private long count;
    private long ms;
    private long lookedNs;

    Collections() {
        try {
            collectors.addAll(ManagementFactory.getGarbageCollectorMXBeans());
        } catch (LinkageError e) { // a JVM without the module: none is seen
            System.err.println("moobench: warning: garbage collections are not seen: " + e);
        }
        look();
    }

    /** Returns when the look before was, when this one is, and ns of the collections between them; null if there was none. */
    long[] look() {
        long counted = 0;
        long took = 0;
        for (GarbageCollectorMXBean each : collectors) {
            counted += Math.max(0, each.getCollectionCount());
            took += Math.max(0, each.getCollectionTime());
        }
        long now = System.nanoTime();
        long[] seen = counted == count ? null : new long[] {lookedNs, now, 1_000_000 * (took - ms)};
        count = counted;
        ms = took;
        lookedNs = now;
        return seen;
    }
}
