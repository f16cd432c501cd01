package moobench.hotswap;

import java.util.Set;
import moobench.probes.Methods;
import moobench.probes.Section;
import moobench.probes.events.Events;
import moobench.probes.patterns.Signature;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/** The plan by which a probe is told when locks are asked for, got and given back; and of other methods what {@link Calls} tell. */
final class Locks extends Plan {
    private final Calls calls;
    private final Set<String> wanted;

    /**
     * Events of locks for the probe in the class with this internal name.
     *
     * @param wanted what is told of locks besides that they are got and given back: contention (when they are asked for),
     *     explicit (those of java.util.concurrent.locks), calls (of all methods), methods (as sections, though they hold no lock)
     */
    Locks(String probe, Set<String> wanted) {
        super(probe);
        this.calls = new Calls(probe, Calls.Enter.EVENT);
        this.wanted = wanted;
    }

    @Override
    boolean logsEvents() {
        return true;
    }

    @Override
    boolean onlyAtLoad() {
        return true;
    }

    @Override
    boolean concerns(ClassReader reader) {
        return wanted.contains("calls") || wanted.contains("methods") || LocksSeen.in(reader, wanted.contains("explicit"));
    }

    @Override
    boolean mayHold(MethodNode method) {
        return hasCode(method);
    }

    @Override
    void leaves(MethodNode method, Signature signature) {
        if (Body.is(method, Opcodes.ACC_NATIVE) && Body.isLocked(method)) {
            Events.note(signature + ": a native method has no code to instrument");
        }
    }

    @Override
    int write(Body body, Signature signature, Supertypes types) {
        boolean locked = Body.isLocked(body.method);
        if (locked && !body.canNameLock()) {
            Events.note(signature + ": code of before Java 5 can't name its class");
            return -1;
        }
        boolean starts = body.method.name.equals("<clinit>"); // a class, and is called by nobody
        boolean plain = !locked && !starts && wanted.contains("methods");
        Section content = plain ? Content.of(Section.Kind.PLAIN, 0, body.method.instructions.toArray(), 0, body.method.instructions.size()) : null; // as it was
        int section = new Sections(probe, wanted.contains("contention"), wanted.contains("explicit"), body, signature, types).write();
        if (locked || starts || !plain && !wanted.contains("calls")) {
            return section;
        }
        int id = Methods.id(signature.toString(), content);
        calls.write(body, id, types);
        return section >= 0 ? section : id;
    }
}
