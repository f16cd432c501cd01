package moobench.sample;

/** Work for threads while probes come and go: recursion, exceptions, constructors, locks. */
public final class Busy extends Base {
    private long sum;

    private Busy(int round) {
        super("busy" + round);
    }

    private Busy(int round, boolean refuse) {
        this(round);
        if (refuse) {
            throw new IllegalArgumentException(name);
        }
    }

    /** Does each of them some times. */
    public static long round(int round) {
        Busy busy = new Busy(round);
        for (int i = 0; i < 20; i++) {
            busy.sum += busy.recurse(i) + ignored(busy, i) + busy.locked();
        }
        try {
            busy.sum += new Busy(round, round % 3 == 0).sum;
        } catch (IllegalArgumentException e) {
            busy.sum++;
        }
        return busy.sum + (round == 0 ? Bodies.all().length() : bodies(round));
    }

    /** Without lambdas: a class that is exchanged makes theirs anew, and the JVM keeps the old ones as long as the class. */
    private static long bodies(int round) {
        Bodies bodies = new Bodies();
        bodies.nothing();
        return bodies.branches(round % 5, round, "x" + round % 3) + bodies.handlers(round % 6).length() + (long) bodies.locals(1, 2, 3) + bodies.locked(round);
    }

    public long recurse(int depth) {
        return depth == 0 ? sum & 1 : recurse(depth - 1) + 1;
    }

    private static int ignored(Busy busy, int i) {
        try {
            return busy.thrower(i);
        } catch (java.io.IOException e) {
            return -1;
        }
    }

    private int thrower(int i) throws java.io.IOException {
        if (i % 5 == 0) {
            throw new java.io.IOException(name);
        }
        return i < 3 ? i : thrower(i - 1);
    }

    synchronized long locked() {
        return sum++;
    }
}
