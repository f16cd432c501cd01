package moobench.locks;

/** M5: appending to a string, which copies all of it. At 64 Ki characters it starts again. */
final class StringTest implements Micro {
    private static final String PIECE = "sixteen letters ";
    /** A multiple of the piece's length. */
    private static final int MOST = 1 << 16;

    private String text = "";

    @Override
    public void execute(int i) {
        append();
    }

    synchronized void append() {
        text = text.length() == MOST ? PIECE : text + PIECE;
    }

    @Override
    public void check(int executions) {
        int pieces = MOST / PIECE.length();
        Micro.expect("the text's length", text.length(), PIECE.length() * ((executions - 1) % pieces + 1));
    }
}
