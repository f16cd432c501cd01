package moobench.hotswap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import moobench.probes.patterns.Signature;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Has a plan write its probe into the methods of a class file. */
final class Injector {
    /** The newest class files that can be read (Java 26). */
    private static final int NEWEST = Opcodes.V26;

    private final Plan plan;

    Injector(Plan plan) {
        this.plan = plan;
    }

    Plan plan() {
        return plan;
    }

    /**
     * The class with the probe in every method that is to have it. A method that has no room for it, or whose code can't be
     * read, stays without and is named: the others of its class are seen.
     *
     * @param shaped the methods, by name and descriptor, that got another shape when the class was loaded, and have to keep it;
     *     null while it is loaded, as only then a shape may change
     * @param types what the classes extend that it calls
     */
    Injected inject(byte[] classFile, Predicate<Signature> monitored, Set<String> shaped, Supertypes types) {
        int version = (classFile[6] & 0xFF) << 8 | classFile[7] & 0xFF;
        if (version > NEWEST) {
            throw new IllegalStateException("its class file is of version " + version + ", and up to " + NEWEST + " can be read");
        }
        ClassReader reader = new ClassReader(classFile);
        if (!plan.concerns(reader)) {
            return Injected.NOTHING;
        }
        Map<String, String> left = new LinkedHashMap<>();
        while (true) {
            Attempt attempt = new Attempt(reader, version, left, shaped, types);
            try {
                return attempt.made(monitored);
            } catch (MethodTooLargeException e) {
                leave(left, e.getMethodName() + e.getDescriptor(), "with a probe it is larger than the 64 KiB that a method may have", e);
            } catch (RuntimeException e) {
                leave(left, attempt.under == null ? null : key(attempt.under), e.toString(), e);
            }
        }
    }

    private static void leave(Map<String, String> left, String method, String why, RuntimeException e) {
        if (method == null || left.putIfAbsent(method, why) != null) {
            throw e;
        }
    }

    private static String key(MethodNode method) {
        return method.name + method.desc;
    }

    /** One reading of a class: what was begun in a method that failed is thrown away with it. */
    private final class Attempt {
        private final ClassReader reader;
        private final ClassNode node = new ClassNode();
        private final int version;
        private final Map<String, String> left;
        private final Set<String> shaped;
        private final Supertypes types;
        private final List<Signature> methods = new ArrayList<>();
        private final Map<Signature, Integer> in = new LinkedHashMap<>();
        /** The method that is being changed. */
        private MethodNode under;

        Attempt(ClassReader reader, int version, Map<String, String> left, Set<String> shaped, Supertypes types) {
            this.reader = reader;
            this.version = version;
            this.left = left;
            this.shaped = shaped;
            this.types = types;
            reader.accept(node, ClassReader.EXPAND_FRAMES);
        }

        Injected made(Predicate<Signature> monitored) {
            List<String> named = new ArrayList<>();
            Map<MethodNode, Signature> chosen = new LinkedHashMap<>();
            for (MethodNode method : node.methods) {
                Signature signature = signature(node, method);
                if (!plan.mayHold(method)) {
                    plan.leaves(method, signature);
                } else if (left.containsKey(key(method))) {
                    named.add(signature + ": " + left.get(key(method)));
                } else {
                    methods.add(signature);
                    if (monitored.test(signature)) {
                        chosen.put(method, signature);
                    }
                }
            }
            Set<String> unfolded = unfold(chosen.keySet());
            chosen.forEach(this::inject);
            under = null;
            return new Injected(in.isEmpty() && unfolded.isEmpty() ? null : written(reader, node), methods, in, named, unfolded);
        }

        /** Gives synchronized methods the shape in which their way in is seen, and returns which; those that have it keep it. */
        private Set<String> unfold(Set<MethodNode> chosen) {
            Set<MethodNode> all = new LinkedHashSet<>();
            for (MethodNode method : node.methods) {
                boolean now = shaped == null ? plan.unfolds() && chosen.contains(method) : shaped.contains(key(method));
                if (now && Body.isLocked(method) && (shaped != null || body(method).canNameLock())) {
                    all.add(method);
                }
            }
            boolean reshapes = !all.isEmpty() || plan.onlyAtLoad() && chosen.stream().anyMatch(Body::isLocked);
            if (reshapes && node.superName != null) {
                Numbered.number(node);
            }
            Set<String> names = new LinkedHashSet<>();
            for (MethodNode method : all) {
                under = method;
                body(method).unfold();
                names.add(key(method));
            }
            return names;
        }

        /** Puts the probe into the method, and numbers what it is; nothing where there is nothing to see. */
        private void inject(MethodNode method, Signature signature) {
            under = method;
            int id = plan.write(body(method), signature, types);
            if (id >= 0) {
                in.put(signature, id);
            }
        }

        private Body body(MethodNode method) {
            return new Body(node.name, method, version);
        }
    }

    private static byte[] written(ClassReader reader, ClassNode node) {
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private static Signature signature(ClassNode node, MethodNode method) {
        Type type = Type.getMethodType(method.desc);
        List<String> parameters = new ArrayList<>();
        for (Type parameter : type.getArgumentTypes()) {
            parameters.add(parameter.getClassName());
        }
        List<String> exceptions = new ArrayList<>();
        for (String exception : method.exceptions) {
            exceptions.add(exception.replace('/', '.'));
        }
        boolean inInterface = (node.access & Opcodes.ACC_INTERFACE) != 0;
        return Signature.of(method.access, inInterface, type.getReturnType().getClassName(), node.name.replace('/', '.'), method.name, parameters, exceptions, annotations(node.visibleAnnotations, method.visibleAnnotations));
    }

    @SafeVarargs
    private static List<String> annotations(List<AnnotationNode>... lists) {
        List<String> names = new ArrayList<>();
        for (List<AnnotationNode> list : lists) {
            for (AnnotationNode each : list == null ? Collections.<AnnotationNode>emptyList() : list) {
                names.add(Type.getType(each.desc).getClassName());
            }
        }
        return names;
    }

    /** What came out. */
    static final class Injected {
        /** A class without probes that can't tell its methods. */
        static final Injected NOTHING = new Injected(null, null, Collections.emptyMap(), Collections.emptyList(), Collections.emptySet());

        /** The class file; null if no method has the probe, or another shape. */
        final byte[] file;
        /** The methods that can hold a probe; null if not looked at. */
        final List<Signature> methods;
        /** Those that hold it now, with their numbers. */
        final Map<Signature, Integer> in;
        /** Those that can't, each with the reason. */
        final List<String> left;
        /** Those, by name and descriptor, that have another shape from now on. */
        final Set<String> shaped;

        Injected(byte[] file, List<Signature> methods, Map<Signature, Integer> in, List<String> left, Set<String> shaped) {
            this.file = file;
            this.methods = methods;
            this.in = in;
            this.left = left;
            this.shaped = shaped;
        }
    }
}
