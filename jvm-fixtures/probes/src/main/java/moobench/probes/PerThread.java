package moobench.probes;

import java.util.ArrayList;
import java.util.List;

/**
 * What a probe keeps for each thread. What a thread had that has ended goes to the next new one: with a thread for each request
 * there would otherwise be as much as there were requests.
 */
public abstract class PerThread<T> {
    private final List<Own<T>> all = new ArrayList<>();
    private final ThreadLocal<T> mine = ThreadLocal.withInitial(this::add);

    /** Makes what a thread gets; number counts them from 0. */
    protected abstract T make(int number);

    /** What a thread does with what it just got, before it uses it; what had it before has ended. */
    protected void taken(T value) {}

    /** What the current thread has. */
    public final T mine() {
        return mine.get();
    }

    private synchronized T add() {
        for (Own<T> own : all) {
            if (!own.thread.isAlive()) { // and all that it did is seen from here
                own.thread = Thread.currentThread();
                taken(own.value);
                return own.value;
            }
        }
        T value = make(all.size());
        all.add(new Own<>(Thread.currentThread(), value));
        taken(value);
        return value;
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
