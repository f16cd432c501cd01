package moobench.probes.patterns;

import java.util.ArrayList;
import java.util.List;

/**
 * A name with wildcards, compiled. A {@code *} that begins a part of the name stands for any letters and dots, any other
 * {@code *} for letters alone, {@code ..} for any packages. A letter is whatever a name of a JVM may have: all but the dot
 * and the bracket that begins an array's.
 *
 * <p>Matching takes time in proportion to the pattern's length times the name's, whatever both are: patterns come from
 * outside, and names are those of somebody else's classes. So there is no going back: each piece of the pattern turns the
 * places of the name that the pieces before it can end at into those that it can end at itself.
 */
final class Glob {
    /** One type without a package, which is what a lone * means as a parameter. */
    static final Glob SIMPLE_TYPE = new Glob("", new Piece[] {new Piece(Kind.SOME_LETTERS, "")});

    /** What a piece of a pattern stands for. */
    private enum Kind { TEXT, LETTERS, SOME_LETTERS, LETTERS_AND_DOTS, PACKAGES, BELOW }

    /** What the name begins with, up to the first wildcard. */
    private final String literal;
    /** What follows; null if nothing does. */
    private final Piece[] rest;

    private Glob(String literal, Piece[] rest) {
        this.literal = literal;
        this.rest = rest;
    }

    /** The name of a class, with {@code below} also of all classes below it: those whose names go on with a dot. */
    static Glob ofClass(String name, boolean below) {
        Glob glob = qualified(name, "");
        if (!below) {
            return glob;
        }
        Pieces pieces = new Pieces();
        for (Piece piece : glob.rest == null ? new Piece[0] : glob.rest) {
            pieces.add(piece);
        }
        return new Glob(glob.literal, pieces.wild(Kind.BELOW).toArray());
    }

    /** A type, also an array's. */
    static Glob ofType(String name) {
        int end = name.length();
        while (name.startsWith("[]", end - 2)) {
            end -= 2;
        }
        return qualified(name.substring(0, end), name.substring(end));
    }

    /** A method's name, in which no wildcard stands for dots. */
    static Glob ofMethod(String name) {
        Pieces pieces = new Pieces();
        String literal = identifier(name, Kind.LETTERS, pieces);
        return new Glob(literal, pieces.isEmpty() ? null : pieces.toArray());
    }

    private static Glob qualified(String name, String suffix) {
        if (name.isEmpty() || name.endsWith(".") || name.contains("...") || name.startsWith(".") && !name.startsWith("..")) {
            throw new IllegalArgumentException(Names.notName(name + suffix));
        }
        StringBuilder literal = new StringBuilder();
        Pieces pieces = new Pieces();
        boolean wild = name.startsWith("..");
        if (wild) {
            pieces.wild(Kind.PACKAGES);
        }
        String[] parts = (wild ? name.substring(2) : name).split("\\.");
        for (int i = 0; i < parts.length; i++) {
            Pieces part = new Pieces();
            String leading = "";
            if (parts[i].isEmpty()) {
                part.wild(Kind.PACKAGES);
            } else {
                leading = identifier(parts[i], Kind.LETTERS_AND_DOTS, part);
            }
            String dot = parts[i].isEmpty() || i == parts.length - 1 ? "" : ".";
            if (!wild && part.isEmpty()) {
                literal.append(leading).append(dot);
            } else if (wild) {
                pieces.text(leading).addAll(part).text(dot);
            } else {
                literal.append(leading);
                pieces.addAll(part).text(dot);
                wild = true;
            }
        }
        return wild ? new Glob(literal.toString(), pieces.text(suffix).toArray()) : new Glob(literal + suffix, null);
    }

    /** Adds what follows the leading letters of an identifier, and returns these. */
    private static String identifier(String written, Kind leading, Pieces pieces) {
        if (written.isEmpty()) {
            throw new IllegalArgumentException("a name is missing");
        }
        String name = Names.read(written);
        int letters = name.indexOf(Names.WILD);
        for (int i = Math.max(0, letters); letters >= 0 && i < name.length(); i++) {
            if (name.charAt(i) == Names.WILD) {
                pieces.wild(i == 0 ? leading : Kind.LETTERS);
            } else {
                pieces.text(String.valueOf(name.charAt(i)));
            }
        }
        return letters < 0 ? name : name.substring(0, letters);
    }

    boolean isLiteral() {
        return rest == null;
    }

    String literal() {
        return literal;
    }

    boolean matches(String name) {
        if (rest == null) {
            return name.equals(literal);
        }
        if (!name.startsWith(literal)) {
            return false;
        }
        boolean[] ends = new boolean[name.length() - literal.length() + 1];
        ends[0] = true;
        for (Piece piece : rest) {
            piece.advance(name, literal.length(), ends);
        }
        return ends[ends.length - 1];
    }

    /** Pieces that are being put together; texts that follow each other are one. */
    private static final class Pieces {
        private final List<Piece> all = new ArrayList<>();

        boolean isEmpty() {
            return all.isEmpty();
        }

        Pieces wild(Kind kind) {
            all.add(new Piece(kind, ""));
            return this;
        }

        Pieces text(String text) {
            if (!text.isEmpty()) {
                add(new Piece(Kind.TEXT, text));
            }
            return this;
        }

        Pieces add(Piece piece) {
            Piece last = all.isEmpty() ? piece : all.get(all.size() - 1);
            if (!all.isEmpty() && last.kind == Kind.TEXT && piece.kind == Kind.TEXT) {
                all.set(all.size() - 1, new Piece(Kind.TEXT, last.text + piece.text));
            } else {
                all.add(piece);
            }
            return this;
        }

        Pieces addAll(Pieces others) {
            others.all.forEach(this::add);
            return this;
        }

        Piece[] toArray() {
            return all.toArray(new Piece[0]);
        }
    }

    /** A text, or a wildcard. */
    private static final class Piece {
        private final Kind kind;
        private final String text;

        Piece(Kind kind, String text) {
            this.kind = kind;
            this.text = text;
        }

        /** Takes where in the name, from {@code from} on, the pieces before this one can end, and makes of it where this one can. */
        void advance(String name, int from, boolean[] ends) {
            switch (kind) {
                case TEXT: text(name, from, ends); break;
                case PACKAGES: packages(name, from, ends); break;
                case BELOW: below(name, from, ends); break;
                default: letters(name, from, ends); break;
            }
        }

        /** Backwards, because a place depends on one before it. */
        private void text(String name, int from, boolean[] ends) {
            for (int i = ends.length - 1; i >= 0; i--) {
                ends[i] = i >= text.length() && ends[i - text.length()] && name.startsWith(text, from + i - text.length());
            }
        }

        private void letters(String name, int from, boolean[] ends) {
            boolean begun = false; // one of these letters can end just before here
            boolean before = ends[0];
            if (kind == Kind.SOME_LETTERS) {
                ends[0] = false;
            }
            for (int i = 1; i < ends.length; i++) {
                begun = (before || begun) && isLetter(name, from + i - 1, kind == Kind.LETTERS_AND_DOTS);
                before = ends[i];
                ends[i] = begun || before && kind != Kind.SOME_LETTERS;
            }
        }

        /** Nothing, or letters and dots up to a dot. */
        private static void packages(String name, int from, boolean[] ends) {
            boolean begun = false;
            boolean before = ends[0];
            for (int i = 1; i < ends.length; i++) {
                begun = (before || begun) && isLetter(name, from + i - 1, true);
                before = ends[i];
                ends[i] = before || begun && name.charAt(from + i - 1) == '.';
            }
        }

        /** Nothing, or a dot and then letters and dots. */
        private static void below(String name, int from, boolean[] ends) {
            boolean begun = false;
            boolean before = ends[0];
            for (int i = 1; i < ends.length; i++) {
                begun = before && name.charAt(from + i - 1) == '.' || begun && isLetter(name, from + i - 1, true);
                before = ends[i];
                ends[i] = before || begun;
            }
        }

        private static boolean isLetter(String name, int i, boolean orDot) {
            char c = name.charAt(i);
            return c != '[' && (orDot || c != '.');
        }
    }
}
