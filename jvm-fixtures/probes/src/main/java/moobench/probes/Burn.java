package moobench.probes;

import moobench.kernel.BusyWait;
import moobench.kernel.Probes;
import moobench.kernel.Target;

/**
 * {@link Manual} with a known cost: inside its probe, each execution burns {@code -Dmoobench.burn.ns} by the clock. The
 * probe, the burn's loop and the readings of the clock are the same for every such time: the difference of two burns costs
 * exactly the difference of their times.
 *
 * <p>A burn ends with the first reading at which its time is over, and so a little late; what it was late by is a
 * {@link Debt}, which the thread's next ones pay back.
 */
public final class Burn implements Target {
    private static final int METHOD = Probe.method("public long moobench.probes.Burn.monitoredMethod(long, int)");
    /** Constant, so that the compiler makes the same code of every time. */
    private static final long BURN_NS = ProbeSettings.burnNs();
    private static final ThreadLocal<Debt> DEBT = ThreadLocal.withInitial(Debt::new);

    static {
        Probes.beforeLoop(DEBT::get); // allocated now, not in the loop
    }

    private final BusyWait wait = BusyWait.chosen();

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        long token = Probe.enterIfActive();
        try {
            burn();
            return depth > 1 ? monitoredMethod(methodTimeNs, depth - 1) : wait.spend(methodTimeNs);
        } finally {
            Probe.exit(token, METHOD);
        }
    }

    private static void burn() {
        Debt debt = DEBT.get();
        long wanted = debt.wanted(BURN_NS);
        long start = System.nanoTime();
        long burnt;
        do {
            burnt = System.nanoTime() - start;
        } while (burnt < wanted);
        debt.settle(BURN_NS, burnt);
    }
}
