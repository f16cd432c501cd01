package moobench.hotswap;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A look at a class that takes a fraction of reading it whole: most have no lock, and the program waits while they are loaded. */
final class LocksSeen extends ClassVisitor {
    private final boolean explicit;
    private boolean seen;

    private LocksSeen(boolean explicit) {
        super(Opcodes.ASM9);
        this.explicit = explicit;
    }

    /** Whether a class has anything that {@link Sections} writes events at. */
    static boolean in(ClassReader reader, boolean explicit) {
        LocksSeen look = new LocksSeen(explicit);
        reader.accept(look, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return look.seen;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        seen |= (access & Opcodes.ACC_SYNCHRONIZED) != 0;
        return seen ? null : new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitInsn(int opcode) {
                seen |= opcode == Opcodes.MONITORENTER;
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                seen |= name.equals("wait") || explicit && Acts.mayBeOf(opcode, name);
            }
        };
    }
}
