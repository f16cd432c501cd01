package moobench.sample;

import moobench.kernel.Target;

/** Throws at the bottom, through every level but the outermost. */
public final class Throwing implements Target {
    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        try {
            return inner(depth);
        } catch (IllegalStateException e) {
            return depth;
        }
    }

    private static long inner(int depth) {
        if (depth == 1) {
            throw new IllegalStateException("bottom");
        }
        return inner(depth - 1);
    }
}
