package moobench.hotswap;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.SerialVersionUIDAdder;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Gives a class that may be serializable the number that the JVM would have made of it, before its synchronized methods become
 * others: by that number a JVM without the agent knows what it reads.
 */
final class Numbered extends SerialVersionUIDAdder {
    private final ClassNode node;

    private Numbered(ClassNode node) {
        super(Opcodes.ASM9, null);
        this.node = node;
    }

    /** Adds the number where it would change; whether a superclass is serializable isn't known, and loading it would change the program. */
    static void number(ClassNode node) {
        boolean may = !node.superName.equals("java/lang/Object") || !node.interfaces.isEmpty();
        for (MethodNode each : node.methods) {
            if (may && (each.access & (Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_PRIVATE)) == Opcodes.ACC_SYNCHRONIZED) {
                node.accept(new Numbered(node));
                return;
            }
        }
    }

    @Override
    protected void addSVUID(long number) {
        int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;
        node.fields.add(new FieldNode(access, "serialVersionUID", "J", null, number));
    }
}
