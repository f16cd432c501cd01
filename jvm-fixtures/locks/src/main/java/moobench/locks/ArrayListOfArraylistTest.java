package moobench.locks;

import java.util.ArrayList;
import java.util.List;

/**
 * M10: updating all values of a list of lists. They are objects: each update makes a new one, in another place of the heap
 * than its neighbours, and leaves garbage.
 */
final class ArrayListOfArraylistTest implements Micro {
    private static final int LISTS = 1000;
    private static final int ITEMS = 1000;

    private final List<List<Integer>> lists = new ArrayList<>();

    ArrayListOfArraylistTest() {
        for (int l = 0; l < LISTS; l++) {
            List<Integer> list = new ArrayList<>();
            for (int i = 0; i < ITEMS; i++) {
                list.add(l + i);
            }
            lists.add(list);
        }
    }

    @Override
    public void execute(int i) {
        increment();
    }

    synchronized void increment() {
        for (List<Integer> list : lists) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, list.get(i) + 1);
            }
        }
    }

    @Override
    public void check(int executions) {
        for (int l = 0; l < LISTS; l++) {
            Micro.expect("the first value of a list", lists.get(l).get(0), l + executions);
            Micro.expect("the last value of a list", lists.get(l).get(ITEMS - 1), l + ITEMS - 1 + executions);
        }
    }
}
