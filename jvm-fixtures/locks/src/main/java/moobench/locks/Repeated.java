package moobench.locks;

import java.util.function.Supplier;
import moobench.threads.Program;

/** Executes a micro benchmark over and over, on one thread, and times each execution from outside of the lock. */
final class Repeated implements Program {
    private final Supplier<Micro> kind;
    private final int executions;
    private final Times usual;
    private final Times slow;
    /** A field, so that the compiler doesn't know it to be this thread's own, and leaves its locks in. */
    private Micro micro;

    /** A program of so many executions of a new instance; slow may be null where none of them is. */
    Repeated(Supplier<Micro> kind, int executions, Times usual, Times slow) {
        this.kind = kind;
        this.executions = executions;
        this.usual = usual;
        this.slow = slow;
    }

    @Override
    public long run() {
        micro = kind.get();
        for (int i = 0; i < executions; i++) {
            Times times = micro.isSlow(i) ? slow : usual;
            long begin = System.nanoTime();
            micro.execute(i);
            times.add(System.nanoTime() - begin);
        }
        micro.check(executions);
        return (long) executions * micro.entries();
    }
}
