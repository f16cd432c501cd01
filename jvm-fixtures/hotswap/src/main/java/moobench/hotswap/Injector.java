package moobench.hotswap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import moobench.probes.Methods;
import moobench.probes.events.Events;
import moobench.probes.patterns.Signature;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes the probe into the methods of a class file:
 * {@code long token = Probe.enter(); try { … } finally { Probe.exit(token, method); }}.
 *
 * <p>Frames are not computed anew, which would need the class hierarchy and so load classes; the token lies above all
 * locals of the method, and the frames that there are get it as one more local.
 */
final class Injector {
    /** The newest class files that can be read (Java 26). */
    private static final int NEWEST = Opcodes.V26;

    private final String probe;
    private final Enter enter;
    private final Set<String> wanted;

    /**
     * An injector of the probe in the class with this internal name.
     *
     * @param wanted what is logged of locks besides that they are got and given back: contention (when they are asked for),
     *     explicit (those of java.util.concurrent.locks), calls (of all methods), methods (as sections, though they hold no lock)
     */
    Injector(String probe, Enter enter, Set<String> wanted) {
        this.probe = probe;
        this.enter = enter;
        this.wanted = wanted;
    }

    /** Whether what it writes always changes a method's shape, which loaded classes must keep. */
    boolean onlyAtLoad() {
        return enter == Enter.LOCKS;
    }

    /** Whether the probe is the one that logs events. */
    boolean logsEvents() {
        return !enter.tokens;
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
        boolean all = wanted.contains("calls") || wanted.contains("methods");
        if (enter == Enter.LOCKS && !all && !LocksSeen.in(reader, wanted.contains("explicit"))) {
            return Injected.NOTHING;
        }
        Map<String, String> left = new LinkedHashMap<>();
        while (true) {
            Attempt attempt = new Attempt(reader, version, left.keySet(), shaped, types);
            try {
                return attempt.made(monitored, left);
            } catch (MethodTooLargeException e) {
                leave(left, e.getMethodName() + e.getDescriptor(), "with a probe it is larger than the 64 KiB that a method may have", e);
            } catch (RuntimeException e) {
                leave(left, attempt.under == null ? null : attempt.under.name + attempt.under.desc, e.toString(), e);
            }
        }
    }

    private static void leave(Map<String, String> left, String method, String why, RuntimeException e) {
        if (method == null || left.putIfAbsent(method, why) != null) {
            throw e;
        }
    }

    /** One reading of a class: what was begun in a method that failed is thrown away with it. */
    private final class Attempt {
        private final ClassReader reader;
        private final ClassNode node = new ClassNode();
        private final int version;
        private final Set<String> without;
        private final Set<String> shaped;
        private final Supertypes types;
        private final List<Signature> methods = new ArrayList<>();
        private final Map<Signature, Integer> in = new LinkedHashMap<>();
        /** The method that is being changed. */
        private MethodNode under;

        Attempt(ClassReader reader, int version, Set<String> without, Set<String> shaped, Supertypes types) {
            this.reader = reader;
            this.version = version;
            this.without = without;
            this.shaped = shaped;
            this.types = types;
            reader.accept(node, ClassReader.EXPAND_FRAMES);
        }

        Injected made(Predicate<Signature> monitored, Map<String, String> left) {
            List<String> named = new ArrayList<>();
            Map<MethodNode, Signature> chosen = new LinkedHashMap<>();
            for (MethodNode method : node.methods) {
                Signature signature = signature(node, method);
                if (!mayHold(method)) {
                    complainOfNative(method, signature);
                } else if (without.contains(method.name + method.desc)) {
                    named.add(signature + ": " + left.get(method.name + method.desc));
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
                boolean now = shaped == null && enter == Enter.EVENT_AND_WAITS && chosen.contains(method) && canNameClass(method);
                if (isLocked(method) && (now || shaped != null && shaped.contains(method.name + method.desc))) {
                    all.add(method);
                }
            }
            boolean locks = enter == Enter.LOCKS && chosen.stream().anyMatch(Injector::isLocked);
            if ((locks || !all.isEmpty()) && node.superName != null) {
                Numbered.number(node);
            }
            Set<String> names = new LinkedHashSet<>();
            for (MethodNode method : all) {
                under = method;
                Locks.unfold(node.name, method, frames());
                names.add(method.name + method.desc);
            }
            return names;
        }

        private boolean mayHold(MethodNode method) {
            boolean hasCode = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            return hasCode && (enter == Enter.LOCKS || !method.name.equals("<clinit>"));
        }

        private void complainOfNative(MethodNode method, Signature signature) {
            if (enter == Enter.LOCKS && (method.access & Opcodes.ACC_NATIVE) != 0 && isLocked(method)) {
                Events.note(signature + ": a native method has no code to instrument");
            }
        }

        /** Puts the probe into the method, and numbers what it is; nothing where there is nothing to see. */
        private void inject(MethodNode method, Signature signature) {
            under = method;
            int id = enter == Enter.LOCKS ? locks(method, signature) : calls(method, signature);
            if (id >= 0) {
                in.put(signature, id);
            }
        }

        private int calls(MethodNode method, Signature signature) {
            int id = Methods.id(signature.toString());
            Injector.this.inject(node, method, id, frames(), types);
            return id;
        }

        private int locks(MethodNode method, Signature signature) {
            boolean locked = isLocked(method);
            if (locked && !canNameClass(method)) {
                Events.note(signature + ": code of before Java 5 can't name its class");
                return -1;
            }
            boolean plain = !locked && wanted.contains("methods") && !method.name.equals("<clinit>");
            String content = plain ? "\tplain" + Section.of(method.instructions.toArray(), 0, method.instructions.size()) : ""; // as it was
            int section = new Locks(probe, wanted, node.name, method, signature.toString(), types).inject(frames());
            if (locked || !plain && !wanted.contains("calls") || method.name.equals("<clinit>")) {
                return section;
            }
            int id = Methods.id(signature + content);
            Injector.this.inject(node, method, id, frames(), types);
            return section >= 0 ? section : id;
        }

        private boolean frames() {
            return version >= Opcodes.V1_6;
        }

        private boolean canNameClass(MethodNode method) {
            return version >= Opcodes.V1_5 || (method.access & Opcodes.ACC_STATIC) == 0;
        }
    }

    /** Whether a method is synchronized; of static initializers the flag says nothing. */
    static boolean isLocked(MethodNode method) {
        return (method.access & Opcodes.ACC_SYNCHRONIZED) != 0 && !method.name.equals("<clinit>");
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

    private void inject(ClassNode node, MethodNode method, int id, boolean frames, Supertypes types) {
        Site site = new Site(node.name, method, id);
        AbstractInsnNode before = method.name.equals("<init>") ? afterSuper(method) : null;
        if (enter.tokens) {
            extendFrames(before == null ? method.instructions.getFirst() : before, site.token, Opcodes.LONG);
        }

        LabelNode from = new LabelNode();
        LabelNode handler = new LabelNode();
        InsnList begin = site.enter();
        begin.add(from);
        if (before == null) {
            method.instructions.insert(begin);
        } else {
            method.instructions.insert(before, begin);
        }
        if (enter == Enter.EVENT_AND_WAITS) {
            waits(site, from, types);
        }
        protect(method, from, handler, InsnList::new, () -> site.exit("exit"));
        method.instructions.add(handler);
        if (frames) {
            method.instructions.add(site.handlerFrame());
        }
        method.instructions.add(site.exit(enter.thrown));
        method.instructions.add(new InsnNode(Opcodes.ATHROW));
    }

    /** The call of another constructor in a constructor: before it there is no object to be in a method of. */
    private static AbstractInsnNode afterSuper(MethodNode method) {
        int made = 0;
        for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
            if (i.getOpcode() == Opcodes.NEW) {
                made++;
            } else if (i.getOpcode() == Opcodes.INVOKESPECIAL && ((MethodInsnNode) i).name.equals("<init>") && made-- == 0) {
                return i;
            }
        }
        throw new IllegalStateException(method.name + method.desc + " calls no other constructor");
    }

    /** Has the frames know one more variable. */
    static void extendFrames(AbstractInsnNode from, int variable, Object type) {
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            if (i instanceof FrameNode) {
                FrameNode frame = (FrameNode) i;
                List<Object> local = new ArrayList<>(frame.local == null ? Arrays.asList() : frame.local);
                int slots = 0;
                for (Object each : local) {
                    slots += each == Opcodes.LONG || each == Opcodes.DOUBLE ? 2 : 1;
                }
                for (; slots < variable; slots++) {
                    local.add(Opcodes.TOP);
                }
                local.add(type);
                frame.local = local;
            }
        }
    }

    /** Puts events around calls of what threads wait in, and around the entries of monitors. */
    private static void waits(Site site, LabelNode from, Supertypes types) {
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            boolean enters = i.getOpcode() == Opcodes.MONITORENTER;
            if (enters || i instanceof MethodInsnNode && Waits.in((MethodInsnNode) i, types)) {
                site.method.instructions.insertBefore(i, site.call("waits"));
                InsnList awake = site.call("awake");
                if (enters) {
                    awake.insert(Locks.protectedFrom(site.method, i));
                }
                AbstractInsnNode last = awake.getLast();
                site.method.instructions.insert(i, awake);
                i = last;
            }
        }
    }

    /**
     * Puts code before each return: some that the handler reaches, and some that it doesn't, so that no exit is counted twice,
     * nor caught by the method itself.
     */
    static void protect(MethodNode method, LabelNode from, LabelNode handler, Supplier<InsnList> within, Supplier<InsnList> behind) {
        LabelNode start = from;
        boolean any = false;
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            boolean returns = i.getOpcode() >= Opcodes.IRETURN && i.getOpcode() <= Opcodes.RETURN;
            if (returns) {
                LabelNode end = new LabelNode();
                LabelNode out = new LabelNode();
                InsnList last = within.get();
                any |= last.size() > 0;
                method.instructions.insertBefore(i, last);
                method.instructions.insertBefore(i, end);
                method.instructions.insertBefore(i, behind.get());
                method.instructions.insertBefore(i, out);
                exclude(method, end, out);
                if (any) {
                    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
                }
                start = new LabelNode();
                method.instructions.insert(i, start);
                any = false;
            } else {
                any |= i.getOpcode() >= 0;
            }
        }
        if (any) {
            method.tryCatchBlocks.add(new TryCatchBlockNode(start, handler, handler, null));
        }
    }

    /** Takes code out of reach of the method's own handlers. */
    private static void exclude(MethodNode method, LabelNode from, LabelNode to) {
        int at = method.instructions.indexOf(from);
        List<TryCatchBlockNode> all = new ArrayList<>();
        for (TryCatchBlockNode each : method.tryCatchBlocks) {
            all.add(each);
            if (method.instructions.indexOf(each.start) > at || at > method.instructions.indexOf(each.end)) {
                continue;
            }
            if (isEmpty(each.start, from)) {
                each.start = to;
            } else {
                all.add(new TryCatchBlockNode(to, each.end, each.handler, each.type));
                each.end = from;
            }
        }
        method.tryCatchBlocks = all;
    }

    private static boolean isEmpty(LabelNode from, LabelNode to) {
        AbstractInsnNode i = from;
        while (i != to && i.getOpcode() < 0) {
            i = i.getNext();
        }
        return i == to;
    }

    /** Whether the first variable is the object to the end; code that wasn't written in Java may use it for something else. */
    static boolean keepsSelf(MethodNode method) {
        boolean kept = (method.access & Opcodes.ACC_STATIC) == 0;
        for (AbstractInsnNode i = method.instructions.getFirst(); kept && i != null; i = i.getNext()) {
            kept = !(i instanceof VarInsnNode) || ((VarInsnNode) i).var != 0 || i.getOpcode() < Opcodes.ISTORE;
        }
        return kept;
    }

    /** A handler's frame in which one variable may be read. */
    static FrameNode handlerFrame(int variable, Object type) {
        Object[] local = new Object[variable + 1];
        Arrays.fill(local, Opcodes.TOP);
        local[variable] = type;
        return new FrameNode(Opcodes.F_NEW, local.length, local, 1, new Object[] {"java/lang/Throwable"});
    }

    /** The code that is written into one method. */
    private final class Site {
        final MethodNode method;
        private final String type;
        private final int id;
        /** The local variable that holds the token; above all others. */
        final int token;
        private final boolean self;

        Site(String type, MethodNode method, int id) {
            this.type = type;
            this.method = method;
            this.id = id;
            token = method.maxLocals;
            self = keepsSelf(method);
        }

        InsnList enter() {
            if (!enter.tokens) {
                return call(enter.method);
            }
            InsnList begin = new InsnList();
            if (enter == Enter.IF_ON) {
                begin.add(new LdcInsnNode(id));
            }
            begin.add(new MethodInsnNode(Opcodes.INVOKESTATIC, probe, enter.method, enter.descriptor, false));
            begin.add(new VarInsnNode(Opcodes.LSTORE, token));
            return begin;
        }

        InsnList exit(String name) {
            if (!enter.tokens) {
                return call(name);
            }
            InsnList exit = new InsnList();
            exit.add(new VarInsnNode(Opcodes.LLOAD, token));
            exit.add(new LdcInsnNode(id));
            exit.add(new MethodInsnNode(Opcodes.INVOKESTATIC, probe, name, "(JI)V", false));
            return exit;
        }

        /** An event. */
        InsnList call(String name) {
            InsnList call = new InsnList();
            call.add(self());
            call.add(new LdcInsnNode(id));
            call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, probe, name, enter.descriptor, false));
            return call;
        }

        private AbstractInsnNode self() {
            return self ? new VarInsnNode(Opcodes.ALOAD, 0) : new InsnNode(Opcodes.ACONST_NULL);
        }

        /** The variables that the handler of exceptions may read. */
        FrameNode handlerFrame() {
            if (enter.tokens) {
                return Injector.handlerFrame(token, Opcodes.LONG);
            }
            return self ? Injector.handlerFrame(0, type) : new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
        }
    }

    /** What the injected code calls first. */
    enum Enter {
        /** A record, always. */
        ALWAYS("enter", "()J", "exit"),
        /** If the probe as a whole is switched on. */
        IF_ACTIVE("enterIfActive", "()J", "exit"),
        /** If the method's own switch is on. */
        IF_ON("enterIfOn", "(I)J", "exit"),
        /** An event of an object. */
        EVENT("enter", "(Ljava/lang/Object;I)V", "thrown"),
        /** The same, and events around what a thread may wait in. */
        EVENT_AND_WAITS("enter", "(Ljava/lang/Object;I)V", "thrown"),
        /** Events where locks are asked for, got, and given back; the same as EVENT in other methods, where calls are wanted. */
        LOCKS("enter", "(Ljava/lang/Object;I)V", "thrown");

        final String method;
        final String descriptor;
        /** What is called when an exception leaves the method. */
        final String thrown;
        /** Whether the first call gives the last one a token. */
        final boolean tokens;

        Enter(String method, String descriptor, String thrown) {
            this.method = method;
            this.descriptor = descriptor;
            this.thrown = thrown;
            tokens = descriptor.endsWith("J");
        }
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
