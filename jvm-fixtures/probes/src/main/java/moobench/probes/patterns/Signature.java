package moobench.probes.patterns;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A method as a pattern sees it: {@code public long a.B.run(long, int) throws c.D}. Types are named as in source, nested ones
 * with $; a constructor is {@code new a.B.<init>()}.
 */
public final class Signature {
    /** That a method is an interface's and has a body; no such bit is in class files. */
    static final int DEFAULT = 1 << 16;
    private static final int KNOWN = Modifier.PUBLIC | Modifier.PRIVATE | Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL | Modifier.SYNCHRONIZED | Modifier.NATIVE;

    final int modifiers;
    final String returnType;
    final String className;
    final String name;
    final List<String> parameters;
    final List<String> exceptions;
    /** Names of the annotations of the method and of its class that a JVM keeps; not part of the text. */
    final List<String> annotations;
    private String text; // made when it is first asked for

    private Signature(int modifiers, String returnType, String className, String name, List<String> parameters, List<String> exceptions, List<String> annotations) {
        this.modifiers = modifiers;
        this.returnType = returnType;
        this.className = className;
        this.name = name;
        this.parameters = parameters;
        this.exceptions = exceptions;
        this.annotations = annotations;
    }

    /**
     * A method by its parts.
     *
     * @param access its access flags
     * @param inInterface whether it is an interface's
     * @param returnType any for a constructor, whose name is {@code <init>}
     * @param annotations names of those of the method and of its class that are kept at run time
     */
    public static Signature of(int access, boolean inInterface, String returnType, String className, String name, List<String> parameters, List<String> exceptions, List<String> annotations) {
        boolean isDefault = inInterface && (access & (Modifier.ABSTRACT | Modifier.STATIC | Modifier.PRIVATE)) == 0;
        return new Signature(access & KNOWN | (isDefault ? DEFAULT : 0), name.equals("<init>") ? "new" : returnType, className, name, parameters, exceptions, annotations);
    }

    /**
     * A method or constructor that is loaded; classes that it names must be there.
     *
     * @param annotated whether its annotations are wanted: reading them takes longer than all the rest
     */
    public static Signature of(Executable method, boolean annotated) {
        Class<?> type = method.getDeclaringClass();
        boolean constructor = method instanceof Constructor;
        String result = constructor ? "new" : ((Method) method).getReturnType().getTypeName();
        List<String> annotations = new ArrayList<>();
        for (AnnotatedElement where : annotated ? Arrays.asList(type, method) : Collections.<AnnotatedElement>emptyList()) {
            for (Annotation each : where.getDeclaredAnnotations()) {
                annotations.add(each.annotationType().getName());
            }
        }
        return of(method.getModifiers(), type.isInterface(), result, type.getName(), constructor ? "<init>" : method.getName(), names(method.getParameterTypes()), names(method.getExceptionTypes()), annotations);
    }

    private static List<String> names(Class<?>[] types) {
        List<String> names = new ArrayList<>(types.length);
        for (Class<?> type : types) {
            names.add(type.getTypeName());
        }
        return names;
    }

    /** Reads a signature as {@link #toString} writes it; a wrong one is refused. */
    public static Signature parse(String text) {
        int open = text.indexOf('(');
        int close = text.indexOf(')', Math.max(open, 0));
        String[] words = open < 0 ? new String[0] : text.substring(0, open).trim().split("\\s+");
        String name = words.length == 0 ? "" : words[words.length - 1];
        int dot = name.lastIndexOf('.');
        String clause = close < 0 ? "" : text.substring(close + 1).trim();
        int modifiers = modifiers(words);
        boolean typed = words.length > 1 || name.endsWith(".<init>");
        if (close < 0 || dot < 1 || !typed || modifiers < 0 || !clause.isEmpty() && !clause.startsWith("throws ")) {
            throw new IllegalArgumentException("signature \"" + text + "\": want [modifiers] type package.Class.method(parameters) [throws types]");
        }
        String type = name.endsWith(".<init>") ? "new" : Names.plain(words[words.length - 2]);
        return new Signature(modifiers, type, Names.plain(name.substring(0, dot)), Names.plain(name.substring(dot + 1)), list(text.substring(open + 1, close)), list(clause.isEmpty() ? "" : clause.substring("throws ".length())), Collections.emptyList());
    }

    /** The bits of all words but the type and the name, or -1 if one is not a modifier. */
    private static int modifiers(String[] words) {
        int bits = 0;
        boolean constructor = words.length > 0 && words[words.length - 1].endsWith(".<init>");
        int end = constructor && (words.length < 2 || !words[words.length - 2].equals("new")) ? words.length - 1 : words.length - 2;
        for (int i = 0; i < end; i++) {
            int bit = words[i].equals("default") ? DEFAULT : words[i].equals("strictfp") ? Modifier.STRICT : bit(words[i]);
            if (bit == 0) {
                return -1;
            }
            bits |= bit;
        }
        return bits & ~Modifier.STRICT;
    }

    private static int bit(String word) {
        for (int bits = KNOWN; bits != 0; bits &= bits - 1) {
            if (Modifier.toString(Integer.lowestOneBit(bits)).equals(word)) {
                return Integer.lowestOneBit(bits);
            }
        }
        return 0;
    }

    private static List<String> list(String types) {
        if (types.trim().isEmpty()) {
            return Collections.emptyList();
        }
        List<String> list = new ArrayList<>();
        for (String type : types.split(",", -1)) {
            list.add(Names.plain(type.trim()));
        }
        return list;
    }

    private static String written(List<String> types) {
        StringBuilder all = new StringBuilder();
        for (String type : types) {
            all.append(all.length() == 0 ? "" : ", ").append(Names.written(type));
        }
        return all.toString();
    }

    /** The name of the method's class. */
    public String className() {
        return className;
    }

    /** The signature, without {@code default}, which records don't have. */
    @Override
    public String toString() {
        if (text == null) {
            String named = name.equals("<init>") || name.equals("<clinit>") ? name : Names.written(name);
            String words = Modifier.toString(modifiers & KNOWN) + " " + Names.written(returnType) + " " + Names.written(className) + "." + named;
            text = (words + "(" + written(parameters) + ")" + (exceptions.isEmpty() ? "" : " throws " + written(exceptions))).trim();
        }
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Signature && other.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
