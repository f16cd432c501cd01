package moobench.sample;

import java.util.function.LongUnaryOperator;

/** Method bodies of every shape that a probe must leave as they are. */
public final class Bodies extends Base {
    private static final long TABLE = 3;
    private final double scale;
    private int calls;

    public Bodies() {
        this(TABLE > 2 ? 1.5 : -1.5);
    }

    public Bodies(double scale) {
        super(scale > 0 ? new StringBuilder("plus").append(scale).toString() : "minus");
        this.scale = scale;
        if (Double.isNaN(scale)) {
            throw new IllegalArgumentException("scale");
        }
    }

    /** Runs them all, and returns what came out. */
    public static String all() {
        StringBuilder out = new StringBuilder();
        Bodies bodies = new Bodies();
        for (int i = -2; i < 6; i++) {
            out.append(bodies.branches(i, i * 2L, "x" + i)).append(' ').append(bodies.handlers(i)).append(' ').append(bodies.locals(i, i, i)).append(' ')
                    .append(fibonacci(Math.max(i, 0))).append(' ').append(bodies.lambdas(i)).append(' ').append(bodies.locked(i)).append('\n');
            bodies.nothing();
        }
        try {
            new Bodies(Double.parseDouble("NaN")); // as a constant, the JVM would keep a further one at each exchange: none equals it
        } catch (IllegalArgumentException e) {
            out.append(e.getMessage());
        }
        return out.append(bodies.calls).append(bodies.name).toString();
    }

    void nothing() {
        calls++;
    }

    long branches(int a, long b, String text) {
        if (a < 0) {
            return b;
        }
        switch (text) {
            case "x0": return 10;
            case "x1": a = 7; break;
            default: a++;
        }
        do {
            b += a % 2 == 0 ? a : -a;
        } while (a-- > 0 && b < 100);
        return b;
    }

    String handlers(int i) {
        String trace = "";
        try {
            trace += "t";
            if (i % 3 == 0) {
                throw new IllegalStateException("s");
            }
            return trace + (10 / i) + thrower(i);
        } catch (IllegalStateException | ArithmeticException e) {
            return trace + e.getClass().getSimpleName();
        } finally {
            trace += "f";
            calls += trace.length();
        }
    }

    private static int thrower(int i) {
        if (i == 5) {
            throw new IllegalStateException("five");
        }
        return i;
    }

    double locals(int a, double b, long c) {
        double sum = scale;
        for (long i = 0; i < 3; i++) {
            float f = (float) (b + i);
            Object o = i == 1 ? "text" : Integer.valueOf(a);
            sum += f * o.hashCode() + c;
        }
        int[] array = {a, (int) c};
        for (int x : array) {
            sum += x;
        }
        return sum;
    }

    static long fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    long lambdas(long i) {
        LongUnaryOperator twice = x -> x * 2 + calls;
        return twice.andThen(x -> x - TABLE).applyAsLong(i);
    }

    synchronized int locked(int i) {
        synchronized (this) {
            return i > 0 ? calls++ : i;
        }
    }
}
