package moobench.hotswap;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.locks.LockSupport;
import moobench.probes.Methods;
import moobench.probes.events.Events;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has the JVM tell when a thread is parked: that is how a thread waits in a queue, for a lock, a future or another of
 * java.util.concurrent, or of a program's own made of it. The call that led there may be an inherited one, a method reference or
 * the platform's own.
 */
final class Parking implements ClassFileTransformer {
    private static final String WHERE = "java/util/concurrent/locks/LockSupport";

    private final int place = Methods.id("static void java.util.concurrent.locks.LockSupport.park()");

    private Parking() {}

    /** From now on it is told. Where that can't be, the log says so: what waits there is taken for work. */
    static void tell(Instrumentation instrumentation) {
        if (Events.class.getClassLoader() != null) { // the platform doesn't see it
            complain("the probe is on the class path");
            return;
        }
        instrumentation.addTransformer(new Parking(), true);
        try {
            instrumentation.retransformClasses(LockSupport.class);
        } catch (Exception | LinkageError e) {
            complain(e.toString());
        }
    }

    private static void complain(String why) {
        Events.note("class java.util.concurrent.locks.LockSupport: " + why + ": what waits in java.util.concurrent is taken for work");
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (!WHERE.equals(name)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new Parks(writer), 0);
            return writer.toByteArray();
        } catch (RuntimeException e) { // thrown on, it would vanish
            complain(e.toString());
            return null;
        }
    }

    private final class Parks extends ClassVisitor {
        Parks(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean parks = (access & Opcodes.ACC_PUBLIC) != 0 && (name.equals("park") || name.equals("parkNanos") || name.equals("parkUntil"));
            return parks ? new Told(next) : next;
        }
    }

    /** It throws nothing, so that each return is the end of a wait. */
    private final class Told extends MethodVisitor {
        Told(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            tell("parks");
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                tell("unparks");
            }
            super.visitInsn(opcode);
        }

        private void tell(String what) {
            super.visitLdcInsn(place);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, Doors.EVENTS, what, "(I)V", false);
        }
    }
}
