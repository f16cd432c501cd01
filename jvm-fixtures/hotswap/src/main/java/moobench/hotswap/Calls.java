package moobench.hotswap;

import moobench.probes.Methods;
import moobench.probes.patterns.Signature;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The plan by which a probe is told when methods are entered and left:
 * {@code long token = Probe.enter(); try { … } finally { Probe.exit(token, method); }}, or the same with events of their
 * objects in place of a token.
 */
final class Calls extends Plan {
    private final Enter enter;

    /** Calls of the probe in the class with this internal name. */
    Calls(String probe, Enter enter) {
        super(probe);
        this.enter = enter;
    }

    @Override
    boolean logsEvents() {
        return !enter.tokens;
    }

    @Override
    boolean unfolds() {
        return enter == Enter.EVENT_AND_WAITS;
    }

    @Override
    int write(Body body, Signature signature, Supertypes types) {
        int id = Methods.id(signature.toString());
        write(body, id, types);
        return id;
    }

    /** The same in a method that has a number. */
    void write(Body body, int id, Supertypes types) {
        int token = enter.tokens ? body.variables(2) : -1;
        AbstractInsnNode before = body.method.name.equals("<init>") ? afterSuper(body.method) : null;
        if (enter.tokens) {
            body.extendFrames(before == null ? body.method.instructions.getFirst() : before, token, Opcodes.LONG);
        }
        LabelNode from = new LabelNode();
        LabelNode handler = new LabelNode();
        Code begin = begin(body, id, token).at(from);
        if (before == null) {
            body.first(begin);
        } else {
            body.behind(before, begin);
        }
        if (enter == Enter.EVENT_AND_WAITS) {
            waits(body, id, from, types);
        }
        body.protect(from, handler, Code::new, () -> end(body, id, token, "exit"));
        Object[] readable = enter.tokens ? Body.only(token, Opcodes.LONG) : body.keepsSelf ? new Object[] {body.type} : new Object[0];
        body.handler(handler, Body.handlerFrame(readable), end(body, id, token, enter.thrown));
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

    private Code begin(Body body, int id, int token) {
        if (!enter.tokens) {
            return event(body, id, enter.method);
        }
        Code begin = enter == Enter.IF_ON ? new Code().number(id) : new Code();
        return begin.call(probe, enter.method, enter.descriptor).store(Code.LONG, token);
    }

    private Code end(Body body, int id, int token, String name) {
        return enter.tokens ? new Code().load(Code.LONG, token).number(id).call(probe, name, "(JI)V") : event(body, id, name);
    }

    private Code event(Body body, int id, String name) {
        Code self = body.keepsSelf ? new Code().load(Code.OBJECT, 0) : new Code().does(Opcodes.ACONST_NULL);
        return self.number(id).call(probe, name, enter.descriptor);
    }

    /** Puts events around calls of what threads wait in, and around the entries of monitors. */
    private void waits(Body body, int id, LabelNode from, Supertypes types) {
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            boolean enters = i.getOpcode() == Opcodes.MONITORENTER;
            if (enters || i instanceof MethodInsnNode && Waits.in((MethodInsnNode) i, types)) {
                Code awake = enters ? new Code().at(body.startBehind(i)) : new Code();
                body.before(i, event(body, id, "waits"));
                body.behind(i, awake.then(event(body, id, "awake")));
            }
        }
    }

    /** What the written code calls first. */
    enum Enter {
        /** A record, always. */
        ALWAYS("enter", "()J", "exit"),
        /** If the probe as a whole is switched on. */
        IF_ACTIVE("enterIfActive", "()J", "exit"),
        /** If the method's own switch is on. */
        IF_ON("enterIfOn", "(I)J", "exit"),
        /** An event of an object. */
        EVENT("enter", "(Ljava/lang/Object;I)V", "thrown"),
        /** The same, and events around what a thread may wait in. */
        EVENT_AND_WAITS("enter", "(Ljava/lang/Object;I)V", "thrown");

        final String method;
        final String descriptor;
        /** What is called when an exception leaves the method. */
        final String thrown;
        /** Whether the first call gives the last one a token. */
        final boolean tokens;

        Enter(String method, String descriptor, String thrown) {
            this.method = method;
            this.descriptor = descriptor;
            this.thrown = thrown;
            tokens = descriptor.endsWith("J");
        }
    }
}
