package moobench.locks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** M14: sorting of random strings, which are made with the lock held. */
final class SortRandomListTest implements Micro {
    private static final int LETTERS = 3;
    private static final int MOST = 4;

    private final Random random = new Random(14);
    private List<String> list;

    @Override
    public void execute(int i) {
        generateAndSortRandomLists(size(i));
    }

    /** 1 to 4. */
    private static int size(int i) {
        return 1 + i % MOST;
    }

    synchronized void generateAndSortRandomLists(int size) {
        list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(generate());
        }
        Collections.sort(list);
    }

    private String generate() {
        char[] letters = new char[LETTERS];
        for (int i = 0; i < LETTERS; i++) {
            letters[i] = (char) ('a' + random.nextInt(26));
        }
        return new String(letters);
    }

    @Override
    public void check(int executions) {
        Lists.check(list, size(executions - 1));
    }
}
