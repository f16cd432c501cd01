package moobench.probes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Numbers the monitored methods; all probes share the numbers. */
public final class Methods {
    private static final Map<String, Integer> IDS = new HashMap<>();
    /** By number; written under the lock, and published anew with each method. */
    private static volatile String[] signatures = new String[64];

    private Methods() {}

    /** The number of the method with this signature, from 0; the same signature keeps its number. */
    public static synchronized int id(String signature) {
        Integer id = IDS.get(signature);
        if (id == null) {
            id = IDS.size();
            IDS.put(signature, id);
            String[] all = id < signatures.length ? signatures : Arrays.copyOf(signatures, 2 * id);
            all[id] = signature;
            signatures = all;
        }
        return id;
    }

    /** How many methods have a number. */
    public static synchronized int count() {
        return IDS.size();
    }

    /** The signature of the method with this number, which {@link #id} has given. */
    public static String signature(int id) {
        return signatures[id];
    }
}
