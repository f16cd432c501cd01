package moobench.locks;

import java.util.ArrayList;
import java.util.List;

/** M2: a list that grows by one object at a time. Now and then its array is full, and is copied into a longer one. */
final class AppendToList implements Micro {
    private final List<Object> list = new ArrayList<>();

    @Override
    public void execute(int i) {
        append();
    }

    synchronized void append() {
        list.add(new Object());
    }

    @Override
    public void check(int executions) {
        Micro.expect("the list's size", list.size(), executions);
    }
}
