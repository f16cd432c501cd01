package moobench.kernel;

import java.util.Arrays;

/**
 * A fixed piece of work between the calls, whose time shows how fast the CPU is just then: its clock, and what others do on the
 * same core. It touches no memory but its stack, and nothing of a variant is in it, so that it takes the same beside every
 * variant. All methods but the constructor belong to the thread that is measured.
 */
final class Reference {
    /** Version of the work: times of two versions are never compared. Go keeps it as well. */
    static final int VERSION = 1;

    /** How often it is timed in a loop, at least where there are as many samples, and less than twice as often. */
    private static final int TIMES = 4000;
    private static final int ROUNDS = 28;
    private static final int WARM_ROUNDS = 7; // what the call before left in the pipeline and the predictors ends here
    private static final int DEPTH = 10;

    /**
     * How often it is taken at least. C1 inlines call into itself, and tells of inlined calls in steps of 2^20 only
     * (Tier23InlineeNotifyFreqLog): until then, some 2,000 times, C2 doesn't compile it, and the work takes a sixth longer.
     */
    private static final int HEAT = 8000;
    private static final int HEAT_ROUND = 500; // times of which a median is taken
    private static final int HEAT_REST = 20; // rounds in a row that were no quicker than those before: compilers are through
    private static final double HEAT_GAIN = 0.005; // by which share a round is quicker
    private static final long HEAT_MOST_NS = 500_000_000;

    private final int step;
    private final long[] times;
    private int at;
    private long state = 1;

    /** A reference for a loop of so many samples. */
    Reference(int samples) {
        step = Math.max(1, samples / TIMES);
        times = new long[(samples + step - 1) / step];
        Arrays.fill(times, -1); // a page is touched now, not in the loop
    }

    /**
     * Takes it until compilers have finished with it and its time is at rest, and keeps nothing. Without, they would do so in
     * the loop, up to a fifth of it later, in some JVMs and not in others, and more often beside an agent than beside the
     * baseline: it would tell of a slower CPU. Its machine code belongs to the JVM: once is enough for all threads.
     */
    static void heat() {
        Reference round = new Reference(HEAT_ROUND);
        long end = System.nanoTime() + HEAT_MOST_NS;
        long least = Long.MAX_VALUE;
        int rest = 0;
        for (int taken = 0; taken < HEAT || rest < HEAT_REST; taken += HEAT_ROUND) {
            long median = round.median();
            rest = median < least * (1 - HEAT_GAIN) ? 0 : rest + 1;
            least = Math.min(least, median);
            if (System.nanoTime() > end) {
                return;
            }
        }
    }

    /** Takes it as often as there is room, and returns the median. */
    private long median() {
        begin();
        for (int i = 0; i < times.length; i++) {
            take();
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }

    /** Begins a run, and forgets the one before. */
    void begin() {
        at = 0;
    }

    /** How many samples lie between two times. */
    int step() {
        return step;
    }

    /** Does the work once, and keeps how long it took. */
    void take() {
        long warm = work(state, WARM_ROUNDS);
        long begin = System.nanoTime();
        state = work(warm, ROUNDS);
        times[at++] = System.nanoTime() - begin;
    }

    /** The times in ns, in order. */
    long[] times() {
        return times;
    }

    /** CPU time in ns that all of it took, without the interruptions. */
    long cpuNs() {
        long least = Long.MAX_VALUE;
        for (long time : times) {
            least = Math.min(least, time);
        }
        long sum = 0;
        for (long time : times) {
            sum += Math.min(time, 2 * least);
        }
        return sum * (ROUNDS + WARM_ROUNDS) / ROUNDS;
    }

    /**
     * What a measured loop does without a monitored method: it reads the clock, calls, and adds. Of single kinds of work, calls
     * followed this one best. It is longer than what compilers put into its caller (325 bytes of byte code), so that its
     * machine code is the same in every JVM of a version.
     */
    private static long work(long seed, int rounds) {
        long a = seed;
        long b = 2;
        long c = 3;
        long d = 4;
        long e = 5;
        long f = 6;
        for (int i = 0; i < rounds; i++) {
            a += call(DEPTH, System.nanoTime() & 1);
            b += call(DEPTH, System.nanoTime() & 1);
            a += b ^ 7;
            b += c ^ 9;
            c += d ^ 11;
            d += e ^ 13;
            e += f ^ 15;
            f += a ^ 17;
            a ^= a >>> 3;
            b ^= b >>> 5;
            c ^= c >>> 7;
            d ^= d >>> 9;
            a += c ^ 19;
            b += d ^ 21;
            c += e ^ 23;
            d += f ^ 25;
            e += a ^ 27;
            f += b ^ 29;
            a ^= a >>> 11;
            b ^= b >>> 13;
            c ^= c >>> 15;
            d ^= d >>> 17;
            a += d ^ 31;
            b += e ^ 33;
            c += f ^ 35;
            d += a ^ 37;
            e += b ^ 39;
            f += c ^ 41;
            a ^= a >>> 19;
            b ^= b >>> 21;
            c ^= c >>> 23;
            d ^= d >>> 25;
            a += e ^ 43;
            b += f ^ 45;
            c += a ^ 47;
            d += b ^ 49;
            e += c ^ 51;
            f += d ^ 53;
            a ^= a >>> 27;
            b ^= b >>> 29;
            c ^= c >>> 31;
            d ^= d >>> 33;
        }
        return a + b + c + d + e + f;
    }

    private static long call(int depth, long x) {
        return depth > 1 ? call(depth - 1, x + depth) : x;
    }
}
