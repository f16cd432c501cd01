package moobench.locks;

import java.util.LinkedList;
import java.util.List;
import java.util.Random;

/** M6: sorting of linked lists of various sizes. */
final class SortLinkedListTest implements Micro {
    private final Random random = new Random(6);
    private List<Integer> list;

    @Override
    public void execute(int i) {
        sort(Lists.size(i));
    }

    synchronized void sort(int size) {
        list = new LinkedList<>();
        Lists.fillAndSort(list, size, random);
    }

    @Override
    public void check(int executions) {
        Lists.check(list, Lists.size(executions - 1));
    }
}
