package moobench.hotswap;

import java.util.HashMap;
import java.util.Map;
import moobench.probes.Methods;
import moobench.probes.Section;
import moobench.probes.patterns.Signature;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes events into one method where it asks for a lock, has got it, and gives it back: in a synchronized method, in
 * synchronized blocks, and around calls of java.util.concurrent.locks where these are asked for.
 *
 * <p>A synchronized method becomes one that isn't, with a block around its body: only so is there a place before the lock is
 * asked for. Its shape changes by that, which the JVM allows while a class is loaded, and not later.
 *
 * <p>An event may fail, as any call may, where the stack is full. So none stands where the failure would keep a lock from being
 * given back: what follows a release is out of reach of the handler that releases once more.
 */
final class Sections {
    /** Of what is told of a lock, and of what names it before: then the hash is at hand once it is locked. */
    private static final String EVENT = "(Ljava/lang/Object;I)V";

    private static final String REQUEST = "(Ljava/lang/Object;I)I";
    private static final String NAMED = "(Ljava/lang/Object;)I";
    private static final String RELEASED = "(Ljava/lang/Object;JI)V";

    private final String probe;
    private final boolean contention;
    private final boolean explicit;
    private final Body body;
    private final String signature;
    private final Supertypes types;
    /** The sections by the variables that keep their locks: their ends read them. */
    private final Map<Integer, Integer> sections = new HashMap<>();
    private int first = -1;

    /** The sections of a method, for a probe that is told of what is wanted. */
    Sections(String probe, boolean contention, boolean explicit, Body body, Signature signature, Supertypes types) {
        this.probe = probe;
        this.contention = contention;
        this.explicit = explicit;
        this.body = body;
        this.signature = signature.toString();
        this.types = types;
    }

    /** Writes the events, and returns the number of the method's first section; -1 where it has none. */
    int write() {
        AbstractInsnNode[] all = body.method.instructions.toArray();
        boolean locked = Body.isLocked(body.method);
        int whole = locked ? section(Content.of(Section.Kind.METHOD, 0, all, 0, all.length)) : -1;
        int line = 0;
        for (int i = 0; i < all.length; i++) {
            int opcode = all[i].getOpcode();
            if (all[i] instanceof LineNumberNode) {
                line = ((LineNumberNode) all[i]).line;
            } else if (opcode == Opcodes.MONITORENTER) {
                enter(all[i], block(line, i, all));
            } else if (opcode == Opcodes.MONITOREXIT) {
                leave(all[i]);
            } else if (all[i] instanceof MethodInsnNode) {
                call((MethodInsnNode) all[i], line);
            }
        }
        if (locked) {
            wrap(whole);
        }
        return first;
    }

    /** Numbers a block, which reaches from its entry to the last exit that reads the variable of its lock. */
    private int block(int line, int from, AbstractInsnNode[] all) {
        int lock = variable(all[from].getPrevious(), Opcodes.ASTORE);
        int to = from;
        for (int i = from; i < all.length; i++) {
            if (all[i].getOpcode() == Opcodes.MONITOREXIT && variable(all[i].getPrevious(), Opcodes.ALOAD) == lock) {
                to = i;
            }
        }
        int id = section(Content.of(Section.Kind.BLOCK, line, all, from, to));
        sections.put(lock, id);
        return id;
    }

    /** Numbers a section of the program. */
    private int section(Section what) {
        int id = Methods.id(signature, what);
        first = first < 0 ? id : first;
        return id;
    }

    /** The variable of a load or store; -1 where it is something else. */
    private static int variable(AbstractInsnNode i, int opcode) {
        return i != null && i.getOpcode() == opcode ? ((VarInsnNode) i).var : -1;
    }

    /** A block around the body of a method that was synchronized, with the events. */
    private void wrap(int id) {
        int lock = body.variables(3); // with a time
        body.wrap(lock, asked(lock, id), acquired(lock, id), () -> new Code().now(lock + 1).then(Body.exit(lock)), () -> released(lock, id), event("thrown", lock, id));
    }

    /** The entry of a block. The handler that gives the lock back reaches as far as the event behind it. */
    private void enter(AbstractInsnNode enter, int id) {
        int lock = body.variables(2);
        body.before(enter, keep(lock).then(asked(lock, id)).load(Code.OBJECT, lock));
        body.behind(enter, new Code().at(body.startBehind(enter)).then(acquired(lock, id)));
    }

    /** The exit of a block. In a handler that reaches itself nothing is called before it: a failure would run it for ever. */
    private void leave(AbstractInsnNode exit) {
        Integer known = sections.get(variable(exit.getPrevious(), Opcodes.ALOAD));
        int id = known != null ? known : first < 0 ? Methods.id(signature) : first;
        boolean handler = body.isInHandler(exit);
        LabelNode end = body.endBehind(exit);
        int lock = body.variables(3);
        Code before = handler ? keep(lock) : keep(lock).now(lock + 1);
        body.before(exit, before.load(Code.OBJECT, lock));
        body.behind(exit, new Code().at(end).then(handler ? event("thrown", lock, id) : released(lock, id)));
    }

    private static Code keep(int lock) {
        return new Code().store(Code.OBJECT, lock);
    }

    /** Names a lock and keeps its hash in the variable behind it, before it is asked for. */
    private Code asked(int lock, int id) {
        Code asked = new Code().load(Code.OBJECT, lock);
        return (contention ? asked.number(id).call(probe, "request", REQUEST) : asked.call(probe, "lock", NAMED)).store(Code.INT, lock + 1);
    }

    private Code acquired(int lock, int id) {
        return got(lock, id, Acts.GETS);
    }

    private Code got(int lock, int id, Acts acts) {
        return new Code().load(Code.INT, lock + 1).number(id).call(probe, "acquired", acts.acquired);
    }

    private Code event(String name, int lock, int id) {
        return new Code().load(Code.OBJECT, lock).number(id).call(probe, name, EVENT);
    }

    /** The time is in the two variables behind the lock. */
    private Code released(int lock, int id) {
        return new Code().load(Code.OBJECT, lock).load(Code.LONG, lock + 1).number(id).call(probe, "released", RELEASED);
    }

    /** What a call of the platform does with locks: it waits and gives them back meanwhile, or is that of an explicit lock. */
    private void call(MethodInsnNode call, int line) {
        Acts acts = Acts.of(call, explicit, types);
        if (acts == Acts.NOT) {
            return;
        }
        int lock = body.variables(3);
        Type[] arguments = Type.getArgumentTypes(call.desc);
        int[] kept = new int[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            kept[i] = body.variables(arguments[i].getSize());
        }
        Code before = new Code();
        for (int i = arguments.length - 1; i >= 0; i--) { // the last one lies above
            before.store(arguments[i], kept[i]);
        }
        before.store(Code.OBJECT, lock);
        Code behind;
        if (acts == Acts.WAITS) {
            int id = Methods.id(signature, new Section(Section.Kind.WAIT, line));
            before.then(event("waits", lock, id));
            behind = event("awake", lock, id);
        } else {
            int id = section(new Section(Section.Kind.LOCK, 0));
            before.then(acts == Acts.GIVES ? new Code().now(lock + 1) : asked(lock, id));
            behind = acts == Acts.GIVES ? released(lock, id) : got(lock, id, acts);
        }
        before.load(Code.OBJECT, lock);
        for (int i = 0; i < arguments.length; i++) {
            before.load(arguments[i], kept[i]);
        }
        body.before(call, before);
        body.behind(call, behind);
    }
}
