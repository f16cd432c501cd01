package moobench.probes;

import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers the monitored methods. */
final class Methods {
    private static final Map<String, Integer> IDS = new LinkedHashMap<>();

    private Methods() {}

    /** The number of the method with this signature, from 0; the same signature keeps its number. */
    static synchronized int id(String signature) {
        Integer id = IDS.get(signature);
        if (id == null) {
            id = IDS.size();
            IDS.put(signature, id);
        }
        return id;
    }
}
