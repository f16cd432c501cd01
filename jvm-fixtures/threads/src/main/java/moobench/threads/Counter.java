package moobench.threads;

/** What the threads of {@link EvenOdd} take turns at. It guards nothing: who calls it holds its lock. */
@Monitored
public final class Counter {
    private int count;

    public Counter() {
        count = 0; // a constructor that does nothing would not be monitored in the paper
    }

    public int get() {
        return count;
    }

    public void set(int value) {
        count = value;
    }
}
