package moobench.locks;

/** M1: a series of arithmetic operations, always the same ones. */
final class ArithmeticTest implements Micro {
    private static final int STEPS = 100;

    private long whole = 1;
    private double real = 1;

    @Override
    public void execute(int i) {
        calculate();
    }

    synchronized void calculate() {
        for (int i = 1; i <= STEPS; i++) {
            whole = whole * 31 + i;
            whole ^= whole >>> 7;
            real = Math.sqrt(real + whole % 1000 * 0.5 + 1000) / i;
        }
    }

    @Override
    public void check(int executions) {
        // What is 0 or below, or no number, would not have come out of these operations.
        Micro.expect("whether the real number is above 0 and below 100", real > 0 && real < 100 ? 1 : 0, 1);
    }
}
