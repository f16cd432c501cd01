package moobench.locks;

import java.util.HashMap;
import java.util.Map;

/** M3: a map to which elements are added, and from which some are removed. As it grows, it rehashes what is in it. */
final class HashmapTest implements Micro {
    /** One in so many is removed by the next call. */
    private static final int REMOVED = 4;

    private final Map<Integer, Integer> map = new HashMap<>();

    @Override
    public void execute(int i) {
        append(i, 31 * i);
    }

    synchronized void append(int key, int value) {
        map.put(key, value);
        if (key % REMOVED == 1) {
            map.remove(key - 1);
        }
    }

    @Override
    public void check(int executions) {
        Micro.expect("the map's size", map.size(), executions - (executions + REMOVED - 2) / REMOVED);
        Micro.expect("the last value", map.get(executions - 1), 31 * (executions - 1));
    }
}
