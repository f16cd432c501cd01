package moobench.probes;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What a probe keeps for each thread. That of a thread which has ended is put away when the next thread comes. */
public abstract class PerThread<T> {
    private final List<Own<T>> all = new ArrayList<>();
    private final ThreadLocal<T> mine = ThreadLocal.withInitial(this::add);
    private int made;

    /** Makes what a thread gets; number counts them from 0. */
    protected abstract T make(int number);

    /** Puts away what a thread had that has ended. */
    protected abstract void retire(T ended);

    /** What the current thread has. */
    public final T mine() {
        return mine.get();
    }

    private synchronized T add() {
        for (Iterator<Own<T>> i = all.iterator(); i.hasNext(); ) {
            Own<T> own = i.next();
            if (!own.thread.isAlive()) {
                i.remove();
                retire(own.value);
            }
        }
        T value = make(made++);
        all.add(new Own<>(Thread.currentThread(), value));
        return value;
    }

    /** What the threads have that were not retired; the caller holds this object's lock while it looks. */
    protected final List<T> present() {
        List<T> values = new ArrayList<>();
        for (Own<T> own : all) {
            values.add(own.value);
        }
        return values;
    }

    private static final class Own<T> {
        final Thread thread;
        final T value;

        Own(Thread thread, T value) {
            this.thread = thread;
            this.value = value;
        }
    }
}
