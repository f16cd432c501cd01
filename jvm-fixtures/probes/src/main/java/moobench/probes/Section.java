package moobench.probes;

import java.util.Arrays;

/** A piece of a method that is told of under a number of its own: what it is, and what stands in it. */
public final class Section {
    /** What it is; the order is that of the numbers in a file, from 1 on. */
    public enum Kind {
        METHOD, BLOCK, LOCK, WAIT, PLAIN
    }

    public final Kind kind;
    /** 0 where it isn't known. */
    public final int line;
    /** Instructions, branches, allocations, calls. */
    private final int[] numbers;
    /** The first call of the platform that waits for a device, makes a collection grow, reads one, sorts; empty where there is none. */
    private final String[] calls;

    /** A section of which nothing else is told. */
    public Section(Kind kind, int line) {
        this(kind, line, new int[4], new String[] {"", "", "", ""});
    }

    /** A section with so many instructions, branches, allocations and calls, and these calls of the platform. */
    public Section(Kind kind, int line, int[] numbers, String[] calls) {
        this.kind = kind;
        this.line = line;
        this.numbers = numbers;
        this.calls = calls;
    }

    /** All of it that is a number, in the order of a file. */
    public int[] numbers() {
        return new int[] {1 + kind.ordinal(), line, numbers[0], numbers[1], numbers[2], numbers[3]};
    }

    /** All of it that is text, each ended by a 0. */
    public String texts() {
        StringBuilder all = new StringBuilder();
        for (String call : calls) {
            all.append(call.replace('\0', '?')).append('\0');
        }
        return all.toString();
    }

    /** The same text for the same section. */
    @Override
    public String toString() {
        return kind + " " + line + " " + Arrays.toString(numbers) + " " + String.join(" ", calls);
    }
}
