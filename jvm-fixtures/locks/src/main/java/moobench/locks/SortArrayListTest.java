package moobench.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** M7: sorting of lists that are arrays of various sizes. */
final class SortArrayListTest implements Micro {
    private final Random random = new Random(7);
    private List<Integer> list;

    @Override
    public void execute(int i) {
        sort(Lists.size(i));
    }

    synchronized void sort(int size) {
        list = new ArrayList<>();
        Lists.fillAndSort(list, size, random);
    }

    @Override
    public void check(int executions) {
        Lists.check(list, Lists.size(executions - 1));
    }
}
