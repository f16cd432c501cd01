package moobench.freemarker;

import java.io.Writer;

/** A writer that keeps of its text only a checksum; one thread's. */
final class Checksum extends Writer {
    private long value;

    void reset() {
        value = 0;
    }

    long value() {
        return value;
    }

    @Override
    public void write(int c) {
        value = 31 * value + (char) c;
    }

    @Override
    public void write(char[] text, int from, int length) {
        long sum = value;
        for (int i = from; i < from + length; i++) {
            sum = 31 * sum + text[i];
        }
        value = sum;
    }

    @Override
    public void write(String text, int from, int length) {
        long sum = value;
        for (int i = from; i < from + length; i++) {
            sum = 31 * sum + text.charAt(i);
        }
        value = sum;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
