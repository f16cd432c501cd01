package moobench.server;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import moobench.kernel.Message;
import moobench.kernel.Probes;
import moobench.kernel.Series;
import moobench.kernel.SwapRequests;
import moobench.kernel.Switch;

/**
 * The probe switched on, off, on again, each time in a thread of its own, as in Flaig's server (2014, Listing 5.2). One
 * switches at a time; the others wait for their turn. Without a pattern, or without anyone who swaps probes, nothing is
 * switched.
 */
final class Toggles {
    private static final String COLUMNS = "asked:ns:instant,took:ns:duration,on:1:count,failed:1:count";
    private static final int WIDTH = 4;
    /** So many are recorded; of more, each is a failure. */
    static final int MOST = 1 << 16;

    private final String pattern;
    private final AtomicInteger asked = new AtomicInteger();
    // What follows is guarded by this.
    private final long[] rows = new long[MOST * WIDTH];
    private int done;
    private int failed;
    private String reason; // of the first failure
    private boolean on;

    /** Of this pattern; an empty one is none. */
    Toggles(String pattern) {
        this.pattern = pattern;
        Arrays.fill(rows, -1);
    }

    /** Takes the probe out, or switches it off, if somebody can by now; it isn't counted. */
    void beginOff() throws Exception {
        if (pattern.isEmpty() || !Probes.canSwap()) {
            return;
        }
        Switch swapper = Probes.swapper();
        String why = failures(swapper.deactivate(pattern));
        if (why != null) {
            throw new IllegalStateException("deactivate \"" + pattern + "\": " + why);
        }
        swapper.prepare(pattern);
    }

    /** Asks for the next one, and returns at once. */
    void toggle() {
        if (pattern.isEmpty() || !Probes.canSwap()) {
            return;
        }
        long askedNs = System.nanoTime();
        Thread thread = new Thread(() -> swap(askedNs), "moobench-toggle");
        thread.setDaemon(true);
        thread.start();
        asked.incrementAndGet();
    }

    private synchronized void swap(long askedNs) {
        on = !on;
        String why;
        try {
            why = done < MOST ? swap() : "more than " + MOST + " toggles";
        } catch (Throwable e) { // whatever it was, it is a toggle that failed
            why = SwapRequests.failed(e).get("message");
        }
        record(askedNs, System.nanoTime() - askedNs, why);
        notifyAll();
    }

    private String swap() throws Exception {
        Switch swapper = Probes.swapper();
        return failures(on ? swapper.activate(pattern) : swapper.deactivate(pattern));
    }

    private static String failures(Switch.Swap swap) {
        return swap.failures.isEmpty() ? null : String.join("; ", swap.failures);
    }

    private void record(long askedNs, long tookNs, String why) {
        if (done < MOST) {
            int row = done * WIDTH;
            rows[row] = askedNs;
            rows[row + 1] = tookNs;
            rows[row + 2] = on ? 1 : 0;
            rows[row + 3] = why == null ? 0 : 1;
        }
        done++;
        if (why != null) {
            failed++;
            reason = reason == null ? why : reason;
        }
    }

    private void awaitAll() {
        try {
            while (done < asked.get()) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while a probe was switched", e);
        }
    }

    /** Waits for those that were asked for, and adds how many they were, how many failed, and why the first did. */
    synchronized Message counts(Message answer) {
        awaitAll();
        answer.with("toggles", done).with("failed", failed);
        return reason == null ? answer : answer.with("reason", reason);
    }

    /** Waits for those that were asked for, and returns them, in the order in which they had their turn. */
    synchronized Series series() {
        awaitAll();
        return new Series("toggle", 0, COLUMNS, 1, Arrays.copyOf(rows, Math.min(done, MOST) * WIDTH));
    }
}
