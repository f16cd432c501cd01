package moobench.probes.patterns;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pattern over method signatures, in the grammar of Kieker's adaptive monitoring (2.0.2) and a little more:
 * {@code [@annotations] [modifiers] [type] package.Class.method(parameters) [throws types]}, or {@code *} for every method.
 *
 * <p>Modifiers, in this order: public, private, protected or package; abstract, default, static, final, synchronized and
 * native, or non_abstract and so on. What is not named is either. Constructors have the type {@code new} and the name
 * {@code <init>}, which no wildcard stands for. A {@code *} that begins a part of a name stands for any letters and dots,
 * further in for letters alone; {@code ..} stands for any packages. So {@code * a.b.*(..)} is every method of class a.b and
 * of every class in package a.b or below it. No wildcard stands for an array: {@code *} as a type is no {@code int[]}, which
 * {@code *[]} is. As a parameter, {@code *} is one type without a package; {@code (..)} is any list, and {@code ..} among
 * others any number of types that are no arrays. Without {@code throws}, only methods that declare no exception match;
 * {@code throws ..} is with any exceptions or none.
 *
 * <p>Kieker wants a type. Without one, a pattern is about methods of any type, arrays among them, with any exceptions, and
 * {@code a.b.*(..)} about constructors, too: it is every method of class a.b and below. Kieker knows no annotations.
 * {@code @a.Monitored *.*(..)} is every method that is annotated so, and every one of a class that is; with several, all of
 * them are wanted. Only what a JVM keeps at run time is seen.
 *
 * <p>A name may have whatever a JVM takes in one; {@link Names} says how it is written. Where Kieker is lax or wrong, this
 * differs on purpose: between two parameters there is a comma (to Kieker, {@code (*, *)} is also {@code (int)}); without
 * modifiers, default methods match too; after a comma of the throws clause there may be a space. Refused is what Kieker takes
 * but what can't be meant: an empty place after the last comma, a bracket without its partner, an array in a class name,
 * {@code throws} without a type, the same kind of modifier twice, and regular expressions for its measurements of the system,
 * which begin with %.
 */
public final class SignaturePattern {
    private static final List<String> MODIFIERS = Arrays.asList("abstract", "default", "static", "final", "synchronized", "native");
    private static final int[] BITS = {Modifier.ABSTRACT, Signature.DEFAULT, Modifier.STATIC, Modifier.FINAL, Modifier.SYNCHRONIZED, Modifier.NATIVE};
    private static final List<String> VISIBILITIES = Arrays.asList("package", "public", "private", "protected");
    private static final int[] VISIBILITY_BITS = {0, Modifier.PUBLIC, Modifier.PRIVATE, Modifier.PROTECTED};
    private static final int VISIBILITY = Modifier.PUBLIC | Modifier.PRIVATE | Modifier.PROTECTED;

    private final String text;
    /** Bits that a method must have, of those that are asked for. */
    private int wanted;
    private int asked;
    /** Null: any, also an array. */
    private Glob returnType;
    /** This and the following are null if the pattern is * alone. */
    private Glob className;
    /** Null also where the pattern is about constructors alone. */
    private Glob methodName;
    private Types parameters;
    private Types exceptions;
    private final List<Glob> annotations = new ArrayList<>();
    /** Whether constructors match, which no wildcard of a typed pattern stands for. */
    private boolean constructors;
    private String anchor = "";

    private SignaturePattern(String text) {
        this.text = text;
    }

    /** Reads a pattern; a wrong one is refused with what is wrong. */
    public static SignaturePattern parse(String text) {
        SignaturePattern pattern = new SignaturePattern(Names.canonical(text));
        if (!pattern.text.equals("*")) {
            try {
                pattern.read();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("pattern \"" + pattern.text + "\": " + e.getMessage(), e);
            }
        }
        return pattern;
    }

    /** Reads the pattern of a request that says itself whether it includes: it may have a plus. */
    public static SignaturePattern unsigned(String text) {
        String trimmed = text.trim();
        if (trimmed.startsWith("-")) {
            throw new IllegalArgumentException("pattern \"" + text + "\": the request says whether it includes; leave the - away");
        }
        return parse(trimmed.startsWith("+") ? trimmed.substring(1) : trimmed);
    }

    private void read() {
        int open = text.indexOf('(');
        int close = text.indexOf(')');
        String[] words = open < 0 ? new String[0] : text.substring(0, open).trim().split(" ");
        int first = 0;
        while (first < words.length && words[first].startsWith("@")) {
            first++;
        }
        int named = first;
        while (named < words.length - 1 && isModifier(words[named])) {
            named++;
        }
        boolean typed = words.length - named >= 2;
        String name = named == words.length ? "" : words[words.length - 1];
        int dot = name.lastIndexOf('.');
        if (open < 0 || close < open || open != text.lastIndexOf('(') || close != text.lastIndexOf(')') || dot < 1) {
            throw new IllegalArgumentException("want [modifiers] [type] package.Class.method(parameters)");
        }
        for (String annotation : Arrays.copyOf(words, first)) {
            annotations.add(Glob.ofClass(annotation.substring(1), false));
        }
        String type = typed ? words[words.length - 2] : "*";
        readModifiers(Arrays.copyOfRange(words, first, typed ? Math.max(first, words.length - 2) : named));
        readName(name.substring(0, dot), name.substring(dot + 1), type.equals("new"));
        returnType = typed ? Glob.ofType(type) : null;
        parameters = Types.parse(text.substring(open + 1, close).trim());
        String clause = text.substring(close + 1).trim();
        exceptions = !typed && clause.isEmpty() ? Types.ANY : exceptions(clause);
        constructors |= !typed && name.endsWith(".*");
    }

    private static boolean isModifier(String word) {
        return VISIBILITIES.contains(word) || MODIFIERS.contains(word.startsWith("non_") ? word.substring(4) : word);
    }

    private void readName(String type, String method, boolean constructor) {
        if (constructor && !method.equals("<init>")) {
            throw new IllegalArgumentException("a constructor's name is <init>");
        }
        Glob exact = Glob.ofClass(type, false);
        String literal = exact.literal();
        anchor = exact.isLiteral() ? literal : literal.substring(0, Math.max(0, literal.lastIndexOf('.')));
        className = method.startsWith("*") ? Glob.ofClass(type, true) : exact;
        constructors = method.equals("<init>");
        methodName = constructors ? null : Glob.ofMethod(method);
    }

    private void readModifiers(String[] words) {
        int last = -2;
        for (int i = 0; i < words.length; i++) {
            int visibility = VISIBILITIES.indexOf(words[i]);
            boolean not = words[i].startsWith("non_");
            int modifier = MODIFIERS.indexOf(not ? words[i].substring(4) : words[i]);
            if (visibility < 0 && modifier < 0) {
                throw new IllegalArgumentException("unknown modifier " + words[i]);
            }
            if (modifier <= last) {
                throw new IllegalArgumentException("modifier " + words[i] + " in the wrong place; the order is visibility, " + String.join(", ", MODIFIERS));
            }
            last = modifier;
            asked |= visibility >= 0 ? VISIBILITY : BITS[modifier];
            wanted |= visibility >= 0 ? VISIBILITY_BITS[visibility] : not ? 0 : BITS[modifier];
        }
    }

    private static Types exceptions(String clause) {
        if (clause.isEmpty()) {
            return Types.NONE;
        }
        if (!clause.startsWith("throws ")) {
            throw new IllegalArgumentException("want \"throws\" and types after the parameters, not \"" + clause + "\"");
        }
        return Types.parse(clause.substring("throws ".length()).trim());
    }

    /**
     * The longest run of whole parts that the names of all matching classes begin with: the class itself if it is named without
     * wildcards, else a package; empty if there is none.
     */
    public String anchor() {
        return anchor;
    }

    /** Whether methods of the class of that name can match. */
    public boolean matchesClass(String name) {
        return className == null || className.matches(name);
    }

    /** Whether it takes a method's annotations to tell. */
    boolean asksAnnotations() {
        return !annotations.isEmpty();
    }

    /** Whether the pattern matches the method. */
    public boolean matches(Signature method) {
        return className == null || matchesMethod(method) && className.matches(method.className);
    }

    /** The same for a method whose class is known to match. */
    boolean matchesMethod(Signature method) {
        return className == null
                || (method.modifiers & asked) == wanted
                && (method.name.equals("<init>") ? constructors : methodName != null && methodName.matches(method.name))
                && annotations.stream().allMatch(a -> method.annotations.stream().anyMatch(a::matches))
                && (returnType == null || returnType.matches(method.returnType))
                && parameters.matches(method.parameters)
                && (exceptions != Types.NONE ? exceptions == Types.ANY || !method.exceptions.isEmpty() && exceptions.matches(method.exceptions) : method.exceptions.isEmpty());
    }

    /** The pattern, with single spaces. */
    @Override
    public String toString() {
        return text;
    }
}
