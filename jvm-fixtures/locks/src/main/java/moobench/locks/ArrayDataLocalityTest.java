package moobench.locks;

/** M9: updating all values of an array, in an order in which each step is to another line of the cache. */
final class ArrayDataLocalityTest implements Micro {
    private static final int LENGTH = 1 << 19;
    /** A step is 4 KiB. */
    private static final int STRIDE = 1 << 10;

    private final int[] values = new int[LENGTH];

    @Override
    public void execute(int i) {
        increment();
    }

    synchronized void increment() {
        for (int from = 0; from < STRIDE; from++) {
            for (int i = from; i < LENGTH; i += STRIDE) {
                values[i]++;
            }
        }
    }

    @Override
    public void check(int executions) {
        for (int i = 0; i < LENGTH; i += STRIDE - 1) {
            Micro.expect("a value", values[i], executions);
        }
    }
}
