package moobench.hotswap;

import moobench.probes.Section;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * What code does while it has a lock, as far as it stands there itself: what it calls is not looked into. It hints at
 * why some executions may take longer than others.
 */
final class Content {
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

    private Content() {}

    /** The section between two places. */
    static Section of(Section.Kind kind, int line, AbstractInsnNode[] all, int from, int to) {
        Content c = new Content();
        for (int i = from; i < to; i++) {
            c.add(all[i]);
        }
        return new Section(kind, line, new int[] {c.size, c.branches, c.allocations, c.calls}, new String[] {c.io, c.grows, c.reads, c.sorts});
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
            reads = reads.isEmpty() ? "an array" : reads;
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
            io = io.isEmpty() ? name : io;
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
                grows = grows.isEmpty() ? name : grows;
                break;
            case "get":
            case "set":
            case "next":
            case "forEach":
                reads = reads.isEmpty() ? name : reads;
                break;
            case "sort":
            case "parallelSort":
                sorts = sorts.isEmpty() ? name : sorts;
                break;
            default:
        }
    }
}
