package moobench.hotswap;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * What code does while it has a lock, as far as it stands there itself: what it calls is not looked into. It is part of the
 * section's name, and hints at why some executions may take longer than others.
 */
final class Section {
    /** Calls of these wait for a device or the network. */
    private static final String[] IO = {"java/io/", "java/net/", "java/nio/channels/", "java/nio/file/", "javax/net/"};

    private int size;
    private int branches;
    private int allocations;
    private int calls;
    private String io = "";
    private String grows = "";
    private String reads = "";
    private String sorts = "";

    private Section() {}

    /** What the instructions between two places do, as tabs and key=value. */
    static String of(AbstractInsnNode[] all, int from, int to) {
        Section s = new Section();
        for (int i = from; i < to; i++) {
            s.add(all[i]);
        }
        return "\tsize=" + s.size + "\tbranches=" + s.branches + "\tallocations=" + s.allocations + "\tcalls=" + s.calls
                + s.io + s.grows + s.reads + s.sorts;
    }

    private void add(AbstractInsnNode i) {
        int opcode = i.getOpcode();
        if (opcode < 0) {
            return;
        }
        size++;
        if (opcode >= Opcodes.IFEQ && opcode <= Opcodes.IF_ACMPNE || opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH || opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL) {
            branches++;
        } else if (opcode == Opcodes.NEW || opcode == Opcodes.NEWARRAY || opcode == Opcodes.ANEWARRAY || opcode == Opcodes.MULTIANEWARRAY) {
            allocations++;
        } else if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD || opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
            reads = reads.isEmpty() ? "\treads=an array" : reads;
        } else if (i instanceof MethodInsnNode || i instanceof InvokeDynamicInsnNode) {
            calls++;
            if (i instanceof MethodInsnNode) {
                call((MethodInsnNode) i);
            }
        }
    }

    private void call(MethodInsnNode call) {
        String name = call.owner.replace('/', '.') + "." + call.name;
        boolean thread = call.owner.equals("java/lang/Thread") && call.name.equals("sleep");
        for (String each : IO) {
            thread |= call.owner.startsWith(each) && !call.name.equals("<init>");
        }
        if (thread) {
            io = io.isEmpty() ? "\tio=" + name : io;
        } else if (call.owner.startsWith("java/util/") || call.owner.equals("java/lang/StringBuilder")) {
            collection(call.name, name);
        }
    }

    private void collection(String method, String name) {
        switch (method) {
            case "add":
            case "addAll":
            case "addFirst":
            case "addLast":
            case "append":
            case "offer":
            case "push":
            case "put":
            case "putAll":
            case "computeIfAbsent":
                grows = grows.isEmpty() ? "\tgrows=" + name : grows;
                break;
            case "get":
            case "set":
            case "next":
            case "forEach":
                reads = reads.isEmpty() ? "\treads=" + name : reads;
                break;
            case "sort":
            case "parallelSort":
                sorts = sorts.isEmpty() ? "\tsorts=" + name : sorts;
                break;
            default:
        }
    }
}
