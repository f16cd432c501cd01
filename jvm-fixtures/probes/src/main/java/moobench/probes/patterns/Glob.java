package moobench.probes.patterns;

import java.util.regex.Pattern;

/**
 * A name with wildcards, compiled. A {@code *} that begins a part of the name stands for any letters and dots, any other
 * {@code *} for letters alone, {@code ..} for any packages.
 */
final class Glob {
    private static final String LETTER = "\\p{javaJavaIdentifierPart}";
    private static final String LETTERS_AND_DOTS = "[" + LETTER + ".]*";
    private static final String PACKAGES = "(?:" + LETTERS_AND_DOTS + "\\.)?";
    /** The wildcards that nearly all patterns consist of need not be compiled each time. */
    private static final Pattern ANYTHING = Pattern.compile(LETTERS_AND_DOTS);
    private static final Pattern ANY_SIMPLE = Pattern.compile(LETTER + "*");
    private static final Pattern BELOW = Pattern.compile("(?:\\." + LETTERS_AND_DOTS + ")?");
    /** One type without a package, which is what a lone * means as a parameter. */
    static final Glob SIMPLE_TYPE = new Glob("", Pattern.compile(LETTER + "+"));

    /** What the name begins with, up to the first wildcard. */
    private final String literal;
    /** What follows; null if nothing does. */
    private final Pattern rest;

    private Glob(String literal, Pattern rest) {
        this.literal = literal;
        this.rest = rest;
    }

    /** The name of a class, with {@code below} also of all classes below it: those whose names go on with a dot. */
    static Glob ofClass(String name, boolean below) {
        Glob glob = qualified(name, "");
        if (!below) {
            return glob;
        }
        return new Glob(glob.literal, glob.rest == null ? BELOW : Pattern.compile(glob.rest.pattern() + BELOW.pattern()));
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
        if (name.equals("<init>")) {
            return new Glob(name, null);
        }
        StringBuilder regex = new StringBuilder();
        int literal = identifier(name, LETTER + "*", regex);
        return literal == name.length() ? new Glob(name, null) : new Glob(name.substring(0, literal), compile(regex));
    }

    private static Glob qualified(String name, String suffix) {
        if (name.isEmpty() || name.endsWith(".") || name.contains("...") || name.startsWith(".") && !name.startsWith("..")) {
            throw new IllegalArgumentException("\"" + name + suffix + "\" is not a name");
        }
        StringBuilder literal = new StringBuilder();
        StringBuilder regex = new StringBuilder();
        boolean wild = name.startsWith("..");
        regex.append(wild ? PACKAGES : "");
        String[] parts = (wild ? name.substring(2) : name).split("\\.");
        for (int i = 0; i < parts.length; i++) {
            StringBuilder part = new StringBuilder(parts[i].isEmpty() ? PACKAGES : "");
            int letters = parts[i].isEmpty() ? 0 : identifier(parts[i], LETTERS_AND_DOTS, part);
            String dot = parts[i].isEmpty() || i == parts.length - 1 ? "" : ".";
            String leading = parts[i].substring(0, letters);
            if (!wild && part.length() == 0) {
                literal.append(leading).append(dot);
            } else {
                literal.append(wild ? "" : leading);
                regex.append(wild ? Pattern.quote(leading) : "").append(part).append(dot.replace(".", "\\."));
                wild = true;
            }
        }
        if (!wild) {
            return new Glob(literal + suffix, null);
        }
        regex.append(suffix.isEmpty() ? "" : Pattern.quote(suffix));
        return new Glob(literal.toString(), compile(regex));
    }

    /** Appends what follows the leading letters of an identifier, and returns how many they are. */
    private static int identifier(String name, String leading, StringBuilder regex) {
        int letters = -1;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = i == 0 ? Character.isJavaIdentifierStart(c) : Character.isJavaIdentifierPart(c);
            if (!letter && c != '*') {
                throw new IllegalArgumentException("\"" + name + "\" is not a name");
            }
            if (!letter) {
                letters = letters < 0 ? i : letters;
                regex.append(i == 0 ? leading : LETTER + "*");
            } else if (letters >= 0) {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a name is missing");
        }
        return letters < 0 ? name.length() : letters;
    }

    private static Pattern compile(StringBuilder regex) {
        String text = regex.toString();
        return text.equals(ANYTHING.pattern()) ? ANYTHING : text.equals(ANY_SIMPLE.pattern()) ? ANY_SIMPLE : Pattern.compile(text);
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
        return name.startsWith(literal) && rest.matcher(name).region(literal.length(), name.length()).matches();
    }
}
