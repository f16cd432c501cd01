package moobench.classes;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Makes class files that differ from a target's only by the name of the class, also where a text constant holds it: a
 * signature by which a clone asks whether it is monitored is its own.
 */
final class Clones {
    /** The targets of which the build makes {@link #BUILT} clones each. */
    static final List<String> TEMPLATES = Arrays.asList("moobench.classes.Plain", "moobench.probes.Manual", "moobench.probes.Listed");
    static final int BUILT = 10_000;
    private static final int PER_PACKAGE = 100;
    private static final String METHOD = "monitoredMethod";

    private final ClassNode template = new ClassNode();
    private final String target;
    private final int methods;
    private final String prefix;
    private final Pattern named;

    /** Clones of the target with so many methods: the further ones are method1, method2 and so on, copies of the first. */
    Clones(String target, int methods) throws IOException {
        this.target = target;
        this.methods = methods;
        this.prefix = "moobench.generated." + target.substring(target.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT) + ".";
        this.named = Pattern.compile("(?<![\\w$.])" + Pattern.quote(target) + "(?![\\w$])");
        try (InputStream file = Clones.class.getClassLoader().getResourceAsStream(target.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new IllegalArgumentException("target " + target + " is not on the class path");
            }
            new ClassReader(file).accept(template, 0);
        }
        addMethods();
    }

    private void addMethods() {
        MethodNode first = null;
        for (MethodNode method : template.methods) {
            first = method.name.equals(METHOD) && method.desc.equals("(JI)J") ? method : first;
        }
        if (first == null || (first.access & Opcodes.ACC_ABSTRACT) != 0) {
            throw new IllegalArgumentException("target " + target + " itself has no method long " + METHOD + "(long, int)");
        }
        for (int i = 1; i < methods; i++) {
            MethodNode copy = new MethodNode(first.access, "method" + i, first.desc, first.signature, first.exceptions.toArray(new String[0]));
            first.accept(copy);
            template.methods.add(copy);
        }
    }

    /** Whether the build has made the clone of this name. */
    boolean isBuilt(String name) {
        return methods == 1 && TEMPLATES.contains(target) && name.startsWith(prefix + "p")
                && Integer.parseInt(name.substring(name.lastIndexOf('C') + 1)) < BUILT;
    }

    /** Name of the clone of this number, a hundred to a package. */
    String name(int number) {
        return String.format(Locale.ROOT, "%sp%02d.C%05d", prefix, number / PER_PACKAGE, number);
    }

    /** Name of a clone in a package of its own set. */
    String name(int set, int number) {
        return set(set) + String.format(Locale.ROOT, ".C%05d", number);
    }

    /** Name of the package of a set. */
    String set(int number) {
        return String.format(Locale.ROOT, "%ss%03d", prefix, number);
    }

    /** Name of the clone whose calls are timed one by one. */
    String hot() {
        return prefix + "hot.C00000";
    }

    /** A pattern of all methods of the clone with this name, and of no other class. */
    String pattern(String name) {
        return methods == 1 ? "public long " + name + "." + METHOD + "(long, int)" : "* " + name + ".*(..)";
    }

    /** Whether a class of this name is a clone. */
    boolean isClone(String name) {
        return name.startsWith(prefix);
    }

    /** The class file of the clone with this name: always the same bytes. */
    byte[] make(String name) {
        String from = target.replace('.', '/');
        String to = name.replace('.', '/');
        ClassWriter writer = new ClassWriter(0);
        template.accept(new ClassRemapper(writer, new Remapper(Opcodes.ASM9) {
            @Override
            public String map(String internalName) {
                return internalName.equals(from) ? to : internalName;
            }

            @Override
            public Object mapValue(Object value) {
                return value instanceof String ? named.matcher((String) value).replaceAll(Matcher.quoteReplacement(name)) : super.mapValue(value);
            }
        }));
        return writer.toByteArray();
    }
}
