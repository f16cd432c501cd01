package moobench.hotswap;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** A piece of code for a method: the few instructions that probes are made of, one after the other. It is put into one place. */
final class Code {
    static final Type OBJECT = Type.getObjectType("java/lang/Object");
    static final Type LONG = Type.LONG_TYPE;
    static final Type INT = Type.INT_TYPE;

    private final InsnList list = new InsnList();

    /** The instructions, to be put into a method. */
    InsnList list() {
        return list;
    }

    boolean isEmpty() {
        return list.size() == 0;
    }

    private Code and(AbstractInsnNode next) {
        list.add(next);
        return this;
    }

    Code then(Code next) {
        list.add(next.list);
        return this;
    }

    Code at(LabelNode label) {
        return and(label);
    }

    /** Something without arguments. */
    Code does(int opcode) {
        return and(new InsnNode(opcode));
    }

    Code load(Type type, int variable) {
        return and(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), variable));
    }

    Code store(Type type, int variable) {
        return and(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), variable));
    }

    Code number(int value) {
        return and(new LdcInsnNode(value));
    }

    /** The object of the class with this internal name. */
    Code type(String name) {
        return and(new LdcInsnNode(Type.getObjectType(name)));
    }

    /** A call of a static method. */
    Code call(String owner, String name, String descriptor) {
        return and(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false));
    }

    /** Keeps the time in a variable. */
    Code now(int variable) {
        return call("java/lang/System", "nanoTime", "()J").store(LONG, variable);
    }
}
