package moobench.hotswap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import moobench.probes.Probe;
import moobench.probes.patterns.Signature;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
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

    /** An injector of the probe in the class with this internal name. */
    Injector(String probe, Enter enter) {
        this.probe = probe;
        this.enter = enter;
    }

    /** The class with the probe in every method that is to have it. */
    Injected inject(byte[] classFile, Predicate<Signature> monitored) {
        int version = (classFile[6] & 0xFF) << 8 | classFile[7] & 0xFF;
        if (version > NEWEST) {
            throw new IllegalStateException("its class file is of version " + version + ", and up to " + NEWEST + " can be read");
        }
        ClassNode node = new ClassNode();
        ClassReader reader = new ClassReader(classFile);
        reader.accept(node, ClassReader.EXPAND_FRAMES);
        List<Signature> methods = new ArrayList<>();
        Map<Signature, Integer> in = new LinkedHashMap<>();
        for (MethodNode method : node.methods) {
            if ((method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0 && !method.name.equals("<clinit>")) {
                Signature signature = signature(node, method);
                methods.add(signature);
                if (monitored.test(signature)) {
                    int id = Probe.method(signature.toString());
                    inject(method, id, version >= Opcodes.V1_6);
                    in.put(signature, id);
                }
            }
        }
        return new Injected(in.isEmpty() ? null : written(reader, node), methods, in);
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
        return Signature.of(method.access, inInterface, type.getReturnType().getClassName(), node.name.replace('/', '.'), method.name, parameters, exceptions);
    }

    private void inject(MethodNode method, int id, boolean frames) {
        int token = method.maxLocals;
        AbstractInsnNode before = method.name.equals("<init>") ? afterSuper(method) : null;
        extendFrames(before == null ? method.instructions.getFirst() : before, token);

        LabelNode from = new LabelNode();
        LabelNode handler = new LabelNode();
        InsnList begin = new InsnList();
        if (enter == Enter.IF_ON) {
            begin.add(new LdcInsnNode(id));
        }
        begin.add(new MethodInsnNode(Opcodes.INVOKESTATIC, probe, enter.method, enter.descriptor, false));
        begin.add(new VarInsnNode(Opcodes.LSTORE, token));
        begin.add(from);
        if (before == null) {
            method.instructions.insert(begin);
        } else {
            method.instructions.insert(before, begin);
        }
        protect(method, from, handler, token, id);
        method.instructions.add(handler);
        if (frames) {
            method.instructions.add(handlerFrame(token));
        }
        method.instructions.add(exit(token, id));
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

    private static void extendFrames(AbstractInsnNode from, int token) {
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            if (i instanceof FrameNode) {
                FrameNode frame = (FrameNode) i;
                List<Object> local = new ArrayList<>(frame.local == null ? Arrays.asList() : frame.local);
                int slots = 0;
                for (Object type : local) {
                    slots += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
                }
                for (; slots < token; slots++) {
                    local.add(Opcodes.TOP);
                }
                local.add(Opcodes.LONG);
                frame.local = local;
            }
        }
    }

    private static FrameNode handlerFrame(int token) {
        Object[] local = new Object[token + 1];
        Arrays.fill(local, Opcodes.TOP);
        local[token] = Opcodes.LONG;
        return new FrameNode(Opcodes.F_NEW, local.length, local, 1, new Object[] {"java/lang/Throwable"});
    }

    /** Ends the record before each return, and leaves those ends out of the handler's reach: no exit is counted twice. */
    private void protect(MethodNode method, LabelNode from, LabelNode handler, int token, int id) {
        LabelNode start = from;
        boolean any = false;
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            boolean returns = i.getOpcode() >= Opcodes.IRETURN && i.getOpcode() <= Opcodes.RETURN;
            if (returns) {
                LabelNode end = new LabelNode();
                method.instructions.insertBefore(i, end);
                method.instructions.insertBefore(i, exit(token, id));
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

    private InsnList exit(int token, int id) {
        InsnList exit = new InsnList();
        exit.add(new VarInsnNode(Opcodes.LLOAD, token));
        exit.add(new LdcInsnNode(id));
        exit.add(new MethodInsnNode(Opcodes.INVOKESTATIC, probe, "exit", "(JI)V", false));
        return exit;
    }

    /** What the injected code calls first. */
    enum Enter {
        /** A record, always. */
        ALWAYS("enter", "()J"),
        /** If the probe as a whole is switched on. */
        IF_ACTIVE("enterIfActive", "()J"),
        /** If the method's own switch is on. */
        IF_ON("enterIfOn", "(I)J");

        final String method;
        final String descriptor;

        Enter(String method, String descriptor) {
            this.method = method;
            this.descriptor = descriptor;
        }
    }

    /** What came out. */
    static final class Injected {
        /** A class without probes that can't tell its methods. */
        static final Injected NOTHING = new Injected(null, null, Collections.emptyMap());

        /** The class file; null if no method has the probe. */
        final byte[] file;
        /** The methods that can hold a probe; null if not looked at. */
        final List<Signature> methods;
        /** Those that hold it now, with their numbers. */
        final Map<Signature, Integer> in;

        Injected(byte[] file, List<Signature> methods, Map<Signature, Integer> in) {
            this.file = file;
            this.methods = methods;
            this.in = in;
        }
    }
}
