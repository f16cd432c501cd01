package moobench.hotswap;

import java.lang.reflect.Modifier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern over method signatures, in the grammar of Kieker's adaptive monitoring:
 * {@code [modifiers] type package.Class.method(parameters)}, or {@code *} for every method.
 *
 * <p>Modifiers are public, private, protected or package, and abstract, static, final, synchronized and native or
 * non_static and so on; what is not named is either. {@code new} as type means constructors, whose method is
 * {@code <init>}. {@code *} stands for any part of a name without dots, or for any one type; {@code ..} stands for any
 * packages in a name, and for any number of parameters.
 */
final class SignaturePattern {
    private static final Pattern GRAMMAR = Pattern.compile("((?:[a-z_]+\\s+)*?)([^\\s()]+)\\s+([^\\s()]+)\\.([^\\s().]+)\\s*\\(([^()]*)\\)");
    private static final Pattern NAME = Pattern.compile("(\\.\\.)?[\\w$*<>]+(\\.{1,2}[\\w$*<>]+)*(\\[])*");
    private static final int VISIBILITY = Modifier.PUBLIC | Modifier.PRIVATE | Modifier.PROTECTED;

    private final String text;
    private int required;
    private int forbidden;
    private Pattern returnType = Pattern.compile(".*");
    private Pattern className = returnType;
    private Pattern methodName = returnType;
    private Pattern parameters = returnType;

    private SignaturePattern(String text) {
        this.text = text;
    }

    /** Reads a pattern; a wrong one is refused with the place that is wrong. */
    static SignaturePattern parse(String text) {
        SignaturePattern pattern = new SignaturePattern(text.trim().replaceAll("\\s+", " "));
        if (!pattern.text.equals("*")) {
            pattern.read();
        }
        return pattern;
    }

    private void read() {
        Matcher m = GRAMMAR.matcher(text);
        if (!m.matches()) {
            throw wrong("want [modifiers] type package.Class.method(parameters)");
        }
        for (String modifier : m.group(1).trim().split(" ")) {
            addModifier(modifier);
        }
        returnType = type(m.group(2));
        className = name(m.group(3));
        methodName = name(m.group(4));
        StringBuilder all = new StringBuilder();
        for (String parameter : m.group(5).trim().isEmpty() ? new String[0] : m.group(5).split(",", -1)) {
            all.append(parameter.trim().equals("..") ? "(?:[^,]+,)*" : type(parameter.trim()).pattern() + ",");
        }
        parameters = Pattern.compile(all.toString());
    }

    private void addModifier(String modifier) {
        switch (modifier) {
            case "": break;
            case "public": required |= Modifier.PUBLIC; break;
            case "private": required |= Modifier.PRIVATE; break;
            case "protected": required |= Modifier.PROTECTED; break;
            case "package": forbidden |= VISIBILITY; break;
            default:
                boolean not = modifier.startsWith("non_");
                int bit = bit(not ? modifier.substring(4) : modifier);
                required |= not ? 0 : bit;
                forbidden |= not ? bit : 0;
        }
    }

    private int bit(String modifier) {
        switch (modifier) {
            case "abstract": return Modifier.ABSTRACT;
            case "static": return Modifier.STATIC;
            case "final": return Modifier.FINAL;
            case "synchronized": return Modifier.SYNCHRONIZED;
            case "native": return Modifier.NATIVE;
            default: throw wrong("unknown modifier " + modifier);
        }
    }

    private Pattern type(String type) {
        return type.equals("*") ? Pattern.compile("[^,]+") : name(type);
    }

    private Pattern name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw wrong("\"" + name + "\" is not a name");
        }
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (name.startsWith("..", i)) {
                regex.append(i == 0 ? "" : "\\.").append("(?:[^.]+\\.)*");
                i++;
            } else if (c == '*') {
                regex.append("[^.,]*");
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString());
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("pattern \"" + text + "\": " + what);
    }

    boolean matchesClass(String name) {
        return className.matcher(name).matches();
    }

    boolean matches(Method method) {
        return (method.modifiers & required) == required
                && (method.modifiers & forbidden) == 0
                && matchesReturn(method.returnType)
                && className.matcher(method.className).matches()
                && methodName.matcher(method.name).matches()
                && parameters.matcher(list(method)).matches();
    }

    /** Only {@code new} and {@code *} alone are about constructors, whatever a type's pattern would match. */
    private boolean matchesReturn(String type) {
        return text.equals("*") || returnType.matcher(type).matches() && type.equals("new") == returnType.pattern().equals(name("new").pattern());
    }

    private static String list(Method method) {
        StringBuilder all = new StringBuilder();
        for (String parameter : method.parameters) {
            all.append(parameter).append(',');
        }
        return all.toString();
    }

    @Override
    public String toString() {
        return text;
    }
}
