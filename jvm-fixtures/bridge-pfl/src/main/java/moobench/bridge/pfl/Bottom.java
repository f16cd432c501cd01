package moobench.bridge.pfl;

/** What {@link Thrown} throws: made beforehand, without a stack trace. Public, for clones in other packages. */
public final class Bottom extends RuntimeException {
    private static final long serialVersionUID = 1;

    public static final Bottom EVEN = new Bottom(0);
    public static final Bottom ODD = new Bottom(1);

    /** What the wait left. */
    public final long parity;

    private Bottom(long parity) {
        super("bottom", null, false, false);
        this.parity = parity;
    }
}
