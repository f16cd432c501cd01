package moobench.hotswap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moobench.probes.Probe;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
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
    private static final String PROBE = "moobench/probes/Probe";

    private final boolean guarded;

    /** An injector of the probe; a guarded one tests whether it is switched on. */
    Injector(boolean guarded) {
        this.guarded = guarded;
    }

    /** The class with the probe in every method that the rules include, or null if there is none. */
    byte[] inject(byte[] classFile, Rules rules) {
        ClassNode node = new ClassNode();
        ClassReader reader = new ClassReader(classFile);
        reader.accept(node, ClassReader.EXPAND_FRAMES);
        String className = node.name.replace('/', '.');
        int injected = 0;
        for (MethodNode method : node.methods) {
            boolean body = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0 && !method.name.equals("<clinit>");
            if (body && rules.include(Method.of(className, method))) {
                boolean frames = (node.version & 0xFFFF) >= Opcodes.V1_6;
                inject(method, Probe.method(Method.of(className, method).toString()), frames);
                injected++;
            }
        }
        if (injected == 0) {
            return null;
        }
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private void inject(MethodNode method, int id, boolean frames) {
        int token = method.maxLocals;
        AbstractInsnNode before = method.name.equals("<init>") ? afterSuper(method) : null;
        extendFrames(before == null ? method.instructions.getFirst() : before, token);

        LabelNode from = new LabelNode();
        LabelNode handler = new LabelNode();
        InsnList enter = new InsnList();
        enter.add(new MethodInsnNode(Opcodes.INVOKESTATIC, PROBE, guarded ? "enterIfActive" : "enter", "()J", false));
        enter.add(new VarInsnNode(Opcodes.LSTORE, token));
        enter.add(from);
        if (before == null) {
            method.instructions.insert(enter);
        } else {
            method.instructions.insert(before, enter);
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
    private static void protect(MethodNode method, LabelNode from, LabelNode handler, int token, int id) {
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

    private static InsnList exit(int token, int id) {
        InsnList exit = new InsnList();
        exit.add(new VarInsnNode(Opcodes.LLOAD, token));
        exit.add(new LdcInsnNode(id));
        exit.add(new MethodInsnNode(Opcodes.INVOKESTATIC, PROBE, "exit", "(JI)V", false));
        return exit;
    }
}
