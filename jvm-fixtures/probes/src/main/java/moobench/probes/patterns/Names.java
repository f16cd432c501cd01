package moobench.probes.patterns;

/**
 * How names are written in patterns and signatures. A JVM takes names that no Java compiler does: of Kotlin's value classes,
 * of tests with blanks, of Clojure and of obfuscators. What a pattern reads as its own, {@code * ( ) , < > @} and blanks,
 * stands for itself behind a backslash; any character may be written as a backslash, u and four digits, which is how these
 * are written here. No name has a dot, a semicolon, a slash or an opening bracket, written in whatever way.
 */
final class Names {
    /** Stands for a wildcard among the characters of a name: no name has one. */
    static final char WILD = '/';

    private static final String OURS = "(),<>[]\\*@;/";
    private static final String NEVER = ".;[/";

    private Names() {}

    /** Whether a character of a name has to be written by its number: a pattern would read it as its own, or it prints nothing. */
    private static boolean isWritten(String text, int i) {
        char c = text.charAt(i);
        if (Character.isSurrogate(c)) { // half of a pair says nothing without the other half
            boolean high = Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
            boolean low = Character.isLowSurrogate(c) && i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
            return !high && !low;
        }
        return c <= ' ' || Character.isISOControl(c) || OURS.indexOf(c) >= 0;
    }

    /** A name as a pattern writes it that means no other; its dots and the brackets of an array stay. */
    static String written(String name) {
        int end = name.length();
        while (name.startsWith("[]", end - 2)) {
            end -= 2;
        }
        for (int i = 0; i < end; i++) {
            if (isWritten(name, i)) {
                return letters(name.substring(0, end)) + name.substring(end);
            }
        }
        return name;
    }

    private static String letters(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            if (isWritten(name, i)) {
                text.append(String.format("\\u%04x", (int) name.charAt(i)));
            } else {
                text.append(name.charAt(i));
            }
        }
        return text.toString();
    }

    /** The one way to write a pattern: with single blanks, and what stands behind a backslash as in {@link #written}. */
    static String canonical(String pattern) {
        StringBuilder text = new StringBuilder();
        StringBuilder name = new StringBuilder(); // of characters behind backslashes, next to each other
        boolean blank = false;
        for (int i = 0; i < pattern.length(); ) {
            int length = escape(pattern, i);
            if (length == 0 && pattern.charAt(i) <= ' ') {
                blank = true;
                i++;
                continue;
            }
            if (length == 0 || blank) {
                text.append(behind(name));
                name.setLength(0);
            }
            text.append(blank && text.length() > 0 ? " " : "");
            blank = false;
            if (length == 0) {
                text.append(pattern.charAt(i++));
            } else {
                name.append(escaped(pattern, i, length));
                i += length;
            }
        }
        return text + behind(name);
    }

    /** A dot that is not part of a name stays behind its backslash, to be refused. */
    private static String behind(StringBuilder name) {
        return letters(name.toString()).replace(".", "\\.");
    }

    /** How many characters write one by a backslash here; 0 where there is none. */
    private static int escape(String text, int i) {
        if (text.charAt(i) != '\\' || i + 1 == text.length()) {
            return 0;
        }
        return isNumber(text, i) ? 6 : 2;
    }

    private static boolean isNumber(String text, int i) {
        if (text.charAt(i + 1) != 'u' || i + 6 > text.length()) {
            return false;
        }
        for (int at = i + 2; at < i + 6; at++) {
            if (text.charAt(at) > 'f' || Character.digit(text.charAt(at), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static char escaped(String text, int i, int length) {
        return length == 2 ? text.charAt(i + 1) : (char) Integer.parseInt(text.substring(i + 2, i + 6), 16);
    }

    /** The characters of a name that is written in a pattern, with {@link #WILD} for each wildcard. */
    static String read(String written) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < written.length(); ) {
            int length = escape(written, i);
            char c = length == 0 ? written.charAt(i) : escaped(written, i, length);
            if (length == 0 && c == '*') {
                name.append(WILD);
            } else if (NEVER.indexOf(c) >= 0 || length == 0 && isWritten(written, i)) {
                throw new IllegalArgumentException(notName(written) + hint(c));
            } else {
                name.append(c);
            }
            i += Math.max(1, length);
        }
        return name.toString();
    }

    /** The characters of a name, or of a type, that is written in a signature. */
    static String plain(String written) {
        if (written.indexOf('\\') < 0) {
            return written;
        }
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < written.length(); ) {
            int length = escape(written, i);
            name.append(length == 0 ? written.charAt(i) : escaped(written, i, length));
            i += Math.max(1, length);
        }
        return name.toString();
    }

    static String notName(String written) {
        return "\"" + written + "\" is not a name";
    }

    private static String hint(char c) {
        return NEVER.indexOf(c) >= 0 || c == '\\' || c == ']' || Character.isSurrogate(c) || c < ' ' ? "" : "; \\" + c + " stands for " + c;
    }
}
