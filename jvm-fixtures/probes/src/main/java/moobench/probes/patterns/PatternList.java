package moobench.probes.patterns;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Patterns that include and exclude; the newest that matches a method decides. If none does, the method is not monitored
 * (with Kieker's manual probes it would be). Immutable.
 *
 * <p>The patterns are found by their anchors, in a table of which a change copies one row: what a change costs, and what a
 * question about a class, doesn't grow with the list, unless many patterns have the same anchor.
 */
public final class PatternList {
    /** The list without patterns. */
    public static final PatternList NONE = new PatternList(new Signed[256][0], 0, 0);

    private final Signed[][] table;
    private final int size;
    /** Of the pattern that was added last. */
    private final long newest;

    private PatternList(Signed[][] table, int size, long newest) {
        this.table = table;
        this.size = size;
        this.newest = newest;
    }

    /** Reads patterns with a semicolon between them, such as {@code "+ public * a..B.*(..); - * a..B.get*()"}. */
    public static PatternList parse(String text) {
        return of(Arrays.asList(text.split(";")));
    }

    /** Reads patterns, the oldest first, as the lines of a file: empty ones and those with # are none; without a sign they include. */
    public static PatternList of(List<String> lines) {
        PatternList all = NONE;
        for (String each : lines) {
            String line = each.trim();
            if (!line.isEmpty() && !line.startsWith("#")) {
                boolean signed = line.startsWith("+") || line.startsWith("-");
                all = all.with(!line.startsWith("-"), SignaturePattern.parse(signed ? line.substring(1) : line));
            }
        }
        return all;
    }

    /** This list with the pattern as its newest, in place of the same one: lists don't grow by toggling. Itself if it is that already. */
    public PatternList with(boolean include, SignaturePattern pattern) {
        Signed[] row = row(pattern.anchor());
        int at = find(row, pattern);
        if (at >= 0 && row[at].order == newest && row[at].include == include) {
            return this;
        }
        Signed[] longer = at >= 0 ? row.clone() : Arrays.copyOf(row, row.length + 1);
        if (at >= 0) { // the newest stay last
            System.arraycopy(row, at + 1, longer, at, row.length - at - 1);
        }
        longer[longer.length - 1] = new Signed(newest + 1, include, pattern);
        return replaced(pattern.anchor(), longer, at >= 0 ? size : size + 1, newest + 1);
    }

    /** This list without the pattern, whatever its sign; itself if it has no such pattern. */
    public PatternList without(SignaturePattern pattern) {
        Signed[] row = row(pattern.anchor());
        int at = find(row, pattern);
        if (at < 0) {
            return this;
        }
        Signed[] shorter = Arrays.copyOf(row, row.length - 1);
        System.arraycopy(row, at + 1, shorter, at, row.length - at - 1);
        return replaced(pattern.anchor(), shorter, size - 1, newest + 1);
    }

    private PatternList replaced(String anchor, Signed[] row, int newSize, long newNewest) {
        Signed[][] copy = table.clone();
        copy[index(anchor)] = row;
        return new PatternList(copy, newSize, newNewest);
    }

    private static int index(String anchor) {
        int hash = anchor.hashCode();
        return (hash ^ hash >>> 8 ^ hash >>> 16) & 255;
    }

    private Signed[] row(String anchor) {
        return table[index(anchor)];
    }

    private static int find(Signed[] row, SignaturePattern pattern) {
        for (int i = row.length - 1; i >= 0; i--) {
            if (row[i].pattern.toString().equals(pattern.toString())) {
                return i;
            }
        }
        return -1;
    }

    /** What the list says about the methods of one class. */
    public ClassPatterns forClass(String className) {
        List<Signed> found = new ArrayList<>(2);
        if (size > 0) {
            collect("", className, found);
            for (int dot = className.indexOf('.'); dot >= 0; dot = className.indexOf('.', dot + 1)) {
                collect(className.substring(0, dot), className, found);
            }
            collect(className, className, found);
        }
        found.sort((a, b) -> Long.compare(b.order, a.order));
        return new ClassPatterns(found);
    }

    private void collect(String anchor, String className, List<Signed> found) {
        for (Signed each : row(anchor)) {
            if (each.pattern.anchor().equals(anchor) && each.pattern.matchesClass(className)) {
                found.add(each);
            }
        }
    }

    /** Whether the method is monitored. */
    public boolean includes(Signature method) {
        return forClass(method.className).includes(method);
    }

    /** How many patterns there are. */
    public int size() {
        return size;
    }

    /** The patterns with their signs, the oldest first. */
    public List<String> patterns() {
        List<String> all = new ArrayList<>(size);
        for (Signed each : sorted()) {
            all.add((each.include ? "+ " : "- ") + each.pattern);
        }
        return all;
    }

    /** The patterns of both lists that one list has and the other has not, or in another place: no other class is affected. */
    public List<SignaturePattern> differences(PatternList other) {
        Signed[] mine = sorted();
        Signed[] its = other.sorted();
        int same = 0;
        while (same < Math.min(mine.length, its.length) && mine[same].include == its[same].include && mine[same].pattern.toString().equals(its[same].pattern.toString())) {
            same++;
        }
        List<SignaturePattern> all = new ArrayList<>();
        for (int i = same; i < Math.max(mine.length, its.length); i++) {
            if (i < mine.length) {
                all.add(mine[i].pattern);
            }
            if (i < its.length) {
                all.add(its[i].pattern);
            }
        }
        return all;
    }

    private Signed[] sorted() {
        List<Signed> all = new ArrayList<>(size);
        for (Signed[] row : table) {
            all.addAll(Arrays.asList(row));
        }
        all.sort((a, b) -> Long.compare(a.order, b.order));
        return all.toArray(new Signed[0]);
    }

    /** A pattern of the list; of two, the newer has the higher order. */
    static final class Signed {
        final long order;
        final boolean include;
        final SignaturePattern pattern;

        Signed(long order, boolean include, SignaturePattern pattern) {
            this.order = order;
            this.include = include;
            this.pattern = pattern;
        }
    }
}
