package moobench.locks;

import java.util.Random;

/** M11: a fast way and a slow one, at random. */
final class RandomFastSlowTest implements Micro {
    private static final int FAST_STEPS = 1000;
    private static final int SLOW_STEPS = 13_000_000;

    private final boolean[] slow;
    private long value = 11;
    private long fastMade;
    private long slowMade;

    /** Twice as many executions as runs, in an order that is the same each time. */
    RandomFastSlowTest(int runs) {
        slow = new boolean[2 * runs];
        Random random = new Random(11);
        int left = slowRuns(runs);
        for (int i = 0; i < slow.length; i++) {
            slow[i] = random.nextInt(slow.length - i) < left;
            left -= slow[i] ? 1 : 0;
        }
    }

    /** How many of 2 * runs executions are slow: with 250 the paper's 249. */
    static int slowRuns(int runs) {
        return Math.max(1, runs - 1);
    }

    @Override
    public boolean isSlow(int i) {
        return slow[i];
    }

    @Override
    public void execute(int i) {
        if (slow[i]) {
            slowPath();
        } else {
            fastPath();
        }
    }

    synchronized void fastPath() {
        step(FAST_STEPS);
        fastMade++;
    }

    synchronized void slowPath() {
        step(SLOW_STEPS);
        slowMade++;
    }

    private void step(int n) {
        long x = value;
        for (int i = 0; i < n; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        value = x;
    }

    @Override
    public void check(int executions) {
        int should = slowRuns(executions / 2);
        Micro.expect("the number of slow executions", slowMade, should);
        Micro.expect("the number of fast executions", fastMade, executions - should);
    }
}
