package moobench.hotswap;

import java.util.List;
import moobench.kernel.Weaver;

/** The agent's swapper, as all doors use it: it remembers the last change, and tells who wants to know. */
final class Observed implements Weaver {
    private final Weaver swapper;
    private final Runnable beforeFirst;
    private volatile Runnable afterEach = () -> {};
    private volatile Swap last;

    /** beforeFirst is run before each change that may put a probe in; it does its work once. */
    Observed(Weaver swapper, Runnable beforeFirst) {
        this.swapper = swapper;
        this.beforeFirst = beforeFirst;
    }

    /** Says what is run after each change of the list. */
    void afterEach(Runnable then) {
        afterEach = then;
    }

    /** The last change; null if there was none. */
    Swap last() {
        return last;
    }

    @Override
    public Swap set(boolean on, String pattern) throws Exception {
        if (on) {
            beforeFirst.run();
        }
        return done(swapper.set(on, pattern));
    }

    @Override
    public void prepare(String pattern) throws Exception {
        beforeFirst.run();
        swapper.prepare(pattern);
    }

    @Override
    public Swap remove(String pattern) throws Exception {
        beforeFirst.run(); // the pattern may have kept a probe out
        return done(swapper.remove(pattern));
    }

    @Override
    public Swap replace(List<String> patterns) throws Exception {
        beforeFirst.run();
        return done(swapper.replace(patterns));
    }

    private Swap done(Swap swap) {
        last = swap;
        afterEach.run();
        return swap;
    }

    @Override
    public List<String> patterns() {
        return swapper.patterns();
    }

    @Override
    public List<String> instrumented() {
        return swapper.instrumented();
    }

    @Override
    public byte[] inject(byte[] classFile, String pattern) {
        return swapper.inject(classFile, pattern);
    }
}
