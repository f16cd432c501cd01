package moobench.probes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a probe keeps for each thread. What a thread had that has ended goes to the next new one: with a thread for each request
 * there would otherwise be as much as there were requests.
 */
public abstract class PerThread<T> {
    private final List<Own<T>> all = new ArrayList<>();
    private final ThreadLocal<T> mine = new ThreadLocal<>();
    private final AtomicInteger made = new AtomicInteger();

    /** Makes what a thread gets; number counts them from 0. Several threads may be in it at once. */
    protected abstract T make(int number);

    /** What a thread does with what it just got, before it uses it; what had it before has ended. */
    protected void taken(T value) {}

    /** What the current thread has. */
    public final T mine() {
        T value = mine.get();
        return value != null ? value : begin();
    }

    /** The same, null where it has nothing yet. */
    public final T mineIfAny() {
        return mine.get();
    }

    private T begin() {
        T value = leftBehind();
        if (value == null) { // made outside of the lock: threads that begin together don't wait for each other
            value = make(made.getAndIncrement());
            add(value);
        }
        taken(value);
        mine.set(value);
        return value;
    }

    /** What a thread had that has ended; null where there is none. */
    private synchronized T leftBehind() {
        for (Own<T> own : all) {
            if (!own.thread.isAlive()) { // and all that it did is seen from here
                own.thread = Thread.currentThread();
                return own.value;
            }
        }
        return null;
    }

    private synchronized void add(T value) {
        all.add(new Own<>(Thread.currentThread(), value));
    }

    /** What the threads have, and those had that ended; the caller holds this object's lock while it looks. */
    protected final List<T> present() {
        List<T> values = new ArrayList<>();
        for (Own<T> own : all) {
            values.add(own.value);
        }
        return values;
    }

    private static final class Own<T> {
        Thread thread;
        final T value;

        Own(Thread thread, T value) {
            this.thread = thread;
            this.value = value;
        }
    }
}
