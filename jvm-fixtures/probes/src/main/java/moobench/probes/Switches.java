package moobench.probes;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** A switch for each monitored method, for probes that stay in while they are off. Off unless set; read once per call. */
public final class Switches {
    private static volatile AtomicIntegerArray on = new AtomicIntegerArray(1024);

    private Switches() {}

    /** Whether the probe of the method with this number is switched on. */
    public static boolean isOn(int method) {
        AtomicIntegerArray all = on;
        return method < all.length() && all.get(method) != 0;
    }

    /** Switches the probe of the method with this number on or off; calls that are under way end as they began. */
    public static synchronized void set(int method, boolean value) {
        AtomicIntegerArray all = on;
        if (method >= all.length()) {
            AtomicIntegerArray more = new AtomicIntegerArray(Math.max(2 * all.length(), method + 1));
            for (int i = 0; i < all.length(); i++) {
                more.set(i, all.get(i));
            }
            on = more;
            all = more;
        }
        all.set(method, value ? 1 : 0);
    }
}
