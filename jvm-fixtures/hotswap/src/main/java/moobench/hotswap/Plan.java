package moobench.hotswap;

import moobench.probes.patterns.Signature;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/** What a probe is told of a program, and so what is written into the methods of its classes. */
abstract class Plan {
    /** Internal name of the class that is called. */
    final String probe;

    Plan(String probe) {
        this.probe = probe;
    }

    /** Whether the probe is the one that logs events. */
    abstract boolean logsEvents();

    /** Whether what is written always changes a method's shape, which loaded classes must keep. */
    boolean onlyAtLoad() {
        return false;
    }

    /** Whether synchronized methods get the shape in which their way in is seen, while their class is loaded. */
    boolean unfolds() {
        return false;
    }

    /** Whether there may be anything to tell of a class. */
    boolean concerns(ClassReader reader) {
        return true;
    }

    /** Whether there may be anything to tell of a method. */
    boolean mayHold(MethodNode method) {
        return hasCode(method) && !method.name.equals("<clinit>");
    }

    static boolean hasCode(MethodNode method) {
        return !Body.is(method, Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE);
    }

    /** Takes note of a method that may hold nothing. */
    void leaves(MethodNode method, Signature signature) {}

    /** Writes into a method, and returns the number by which it is told of; -1 where there is nothing to tell. */
    abstract int write(Body body, Signature signature, Supertypes types);
}
