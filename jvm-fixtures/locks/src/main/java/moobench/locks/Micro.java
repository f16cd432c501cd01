package moobench.locks;

/** One of the paper's micro benchmarks; an instance is used for one round. */
interface Micro {
    /** Calls the measured method once. */
    void execute(int i);

    /** Whether this execution goes the slow way, which has a series of its own. */
    default boolean isSlow(int i) {
        return false;
    }

    /** How many synchronized methods and blocks one execution goes through. */
    default int entries() {
        return 1;
    }

    /** Throws an error unless everything is as so many executions should have left it. */
    void check(int executions);

    /** Throws an error unless a value is what it should be. What is not a constant: text that is put together would be loaded and made within the run. */
    static void expect(String what, long value, long should) {
        if (value != should) {
            throw new IllegalStateException(what + " is " + value + ", and should be " + should);
        }
    }
}
