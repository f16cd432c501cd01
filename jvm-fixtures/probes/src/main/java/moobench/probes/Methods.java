package moobench.probes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Numbers the monitored methods; all probes share the numbers. */
public final class Methods {
    private static final Map<String, Integer> IDS = new HashMap<>();
    private static final Map<Integer, Section> SECTIONS = new HashMap<>();
    /** By number; written under the lock, and published anew with each method. */
    private static volatile String[] signatures = new String[64];

    private Methods() {}

    /** The number of the method with this signature, from 0; the same signature keeps its number. */
    public static int id(String signature) {
        return id(signature, null);
    }

    /** The same of a section of it; null is the method itself. */
    public static synchronized int id(String signature, Section section) {
        String key = section == null ? signature : signature + "\t" + section;
        Integer id = IDS.get(key);
        if (id == null) {
            id = IDS.size();
            IDS.put(key, id);
            if (section != null) {
                SECTIONS.put(id, section);
            }
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

    /** What of its method has this number; null is the method itself. */
    public static synchronized Section section(int id) {
        return SECTIONS.get(id);
    }

    /** The signature of the method with this number, or of the one that it is a section of, which {@link #id} has given. */
    public static String signature(int id) {
        return signatures[id];
    }
}
