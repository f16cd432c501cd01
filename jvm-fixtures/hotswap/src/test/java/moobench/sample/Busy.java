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
        return busy.sum + (round % 16 == 0 ? Bodies.all().length() : 0);
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
