package moobench.locks;

import java.util.ArrayList;
import java.util.List;

/** M13: a list of integers that grows by a hundred with each call. At a million it starts again. */
final class GrowingIntegerListTest implements Micro {
    private static final int ADDED = 100;
    private static final int MOST = 1_000_000;

    private List<Integer> list = new ArrayList<>();

    @Override
    public void execute(int i) {
        grow();
    }

    synchronized void grow() {
        if (list.size() == MOST) {
            list = new ArrayList<>();
        }
        for (int i = 0; i < ADDED; i++) {
            list.add(list.size());
        }
    }

    @Override
    public void check(int executions) {
        int size = ADDED * ((executions - 1) % (MOST / ADDED) + 1);
        Micro.expect("the list's size", list.size(), size);
        Micro.expect("the last integer", list.get(size - 1), size - 1);
    }
}
