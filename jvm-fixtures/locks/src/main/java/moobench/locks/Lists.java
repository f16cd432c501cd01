package moobench.locks;

import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What the micro benchmarks that sort have in common. */
final class Lists {
    /** Sizes that are sorted in turn. */
    private static final int[] SIZES = {10, 1000, 100, 500, 50, 200};

    private Lists() {}

    /** The size of an execution's list. */
    static int size(int i) {
        return SIZES[i % SIZES.length];
    }

    /** Adds random integers to an empty list, and sorts it. */
    static void fillAndSort(List<Integer> list, int size, Random random) {
        for (int i = 0; i < size; i++) {
            list.add(random.nextInt());
        }
        Collections.sort(list);
    }

    /** Throws an error unless a list has this size and is sorted. */
    static <T extends Comparable<T>> void check(List<T> list, int size) {
        Micro.expect("the list's size", list.size(), size);
        T last = null;
        for (T item : list) {
            if (last != null && last.compareTo(item) > 0) {
                throw new IllegalStateException("the list is not sorted: " + item + " comes after " + last);
            }
            last = item;
        }
    }
}
