package moobench.hotswap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The method that code is put into: its places, its frames, and what its handlers reach. What may throw where is in the table
 * of the fixtures' README.
 *
 * <p>Frames are not computed anew, which would need the class hierarchy and so load classes. Variables of ours lie above all
 * of the method's own, and those that are alive where it branches are added to the frames that there are.
 */
final class Body {
    private static final String THROWABLE = "java/lang/Throwable";

    /** Internal name of its class. */
    final String type;
    final MethodNode method;
    private final int version;
    /** Whether the first variable is the object to the end; code that wasn't written in Java may use it for something else. */
    final boolean keepsSelf;
    /** Local variables from here on are free. */
    private int free;

    /** A method of a class, in a class file of this version. */
    Body(String type, MethodNode method, int version) {
        this.type = type;
        this.method = method;
        this.version = version;
        keepsSelf = keepsSelf(method);
        free = method.maxLocals;
    }

    private static boolean keepsSelf(MethodNode method) {
        boolean kept = !is(method, Opcodes.ACC_STATIC);
        for (AbstractInsnNode i = method.instructions.getFirst(); kept && i != null; i = i.getNext()) {
            kept = !(i instanceof VarInsnNode) || ((VarInsnNode) i).var != 0 || i.getOpcode() < Opcodes.ISTORE;
        }
        return kept;
    }

    static boolean is(MethodNode method, int flag) {
        return (method.access & flag) != 0;
    }

    /** Whether a method is synchronized; of static initializers the flag says nothing. */
    static boolean isLocked(MethodNode method) {
        return is(method, Opcodes.ACC_SYNCHRONIZED) && !method.name.equals("<clinit>");
    }

    /** Whether what a synchronized method locks can be had by code: before Java 5 there is no constant for a class. */
    boolean canNameLock() {
        return version >= Opcodes.V1_5 || !is(method, Opcodes.ACC_STATIC);
    }

    /** Makes so many variables ours, and returns the first. */
    int variables(int slots) {
        free += slots;
        return free - slots;
    }

    void before(AbstractInsnNode place, Code code) {
        method.instructions.insertBefore(place, code.list());
    }

    void behind(AbstractInsnNode place, Code code) {
        method.instructions.insert(place, code.list());
    }

    void first(Code code) {
        method.instructions.insert(code.list());
    }

    private void last(Code code) {
        method.instructions.add(code.list());
    }

    /** Has the frames from here on know one more variable. */
    void extendFrames(AbstractInsnNode from, int variable, Object kind) {
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            if (i instanceof FrameNode) {
                FrameNode frame = (FrameNode) i;
                List<Object> local = new ArrayList<>(frame.local == null ? Arrays.asList() : frame.local);
                int slots = 0;
                for (Object each : local) {
                    slots += each == Opcodes.LONG || each == Opcodes.DOUBLE ? 2 : 1;
                }
                for (; slots < variable; slots++) {
                    local.add(Opcodes.TOP);
                }
                local.add(kind);
                frame.local = local;
            }
        }
    }

    /** A handler's frame in which these variables may be read: the first ones, each null where it may not. */
    static FrameNode handlerFrame(Object... kinds) {
        Object[] local = new Object[kinds.length];
        for (int i = 0; i < local.length; i++) {
            local[i] = kinds[i] == null ? Opcodes.TOP : kinds[i];
        }
        return new FrameNode(Opcodes.F_NEW, local.length, local, 1, new Object[] {THROWABLE});
    }

    /** As many kinds, of which the last is known. */
    static Object[] only(int variable, Object kind) {
        Object[] kinds = new Object[variable + 1];
        kinds[variable] = kind;
        return kinds;
    }

    /** Puts a handler behind the method's end, which does something and then throws on. */
    void handler(LabelNode handler, FrameNode frame, Code code) {
        last(new Code().at(handler));
        if (version >= Opcodes.V1_6) {
            method.instructions.add(frame);
        }
        last(code.does(Opcodes.ATHROW));
    }

    /**
     * Puts code before each return: some that the handler reaches, and some that no handler does, so that no exit is counted
     * twice, nor caught by the method itself.
     */
    void protect(LabelNode from, LabelNode handler, Supplier<Code> within, Supplier<Code> beyond) {
        LabelNode start = from;
        boolean any = false;
        for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
            boolean returns = i.getOpcode() >= Opcodes.IRETURN && i.getOpcode() <= Opcodes.RETURN;
            if (!returns) {
                any |= i.getOpcode() >= 0;
                continue;
            }
            LabelNode end = new LabelNode();
            LabelNode out = new LabelNode();
            Code last = within.get();
            any |= !last.isEmpty();
            before(i, last.at(end).then(beyond.get()).at(out));
            exclude(end, out);
            if (any) {
                method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
            }
            start = new LabelNode();
            method.instructions.insert(i, start);
            any = false;
        }
        if (any) {
            method.tryCatchBlocks.add(new TryCatchBlockNode(start, handler, handler, null));
        }
    }

    /** Takes code out of reach of the method's own handlers. */
    private void exclude(LabelNode from, LabelNode to) {
        int at = method.instructions.indexOf(from);
        List<TryCatchBlockNode> all = new ArrayList<>();
        for (TryCatchBlockNode each : method.tryCatchBlocks) {
            all.add(each);
            if (method.instructions.indexOf(each.start) > at || at > method.instructions.indexOf(each.end)) {
                continue;
            }
            if (isEmpty(each.start, from)) {
                each.start = to;
            } else {
                all.add(new TryCatchBlockNode(to, each.end, each.handler, each.type));
                each.end = from;
            }
        }
        method.tryCatchBlocks = all;
    }

    private static boolean isEmpty(LabelNode from, LabelNode to) {
        AbstractInsnNode i = from;
        while (i != to && i.getOpcode() < 0) {
            i = i.getNext();
        }
        return i == to;
    }

    /** A label to stand right behind the entry of a block: from there on the handler that gives the lock back is in reach. */
    LabelNode startBehind(AbstractInsnNode enter) {
        LabelNode start = new LabelNode();
        for (AbstractInsnNode i = enter.getNext(); i != null && i.getOpcode() < 0; i = i.getNext()) {
            for (TryCatchBlockNode each : method.tryCatchBlocks) {
                each.start = each.start == i ? start : each.start;
            }
        }
        return start;
    }

    /** A label to stand right behind the exit of a block: from there on its handler is out of reach. */
    LabelNode endBehind(AbstractInsnNode exit) {
        LabelNode end = new LabelNode();
        for (AbstractInsnNode i = exit.getNext(); i != null && i.getOpcode() < 0; i = i.getNext()) {
            for (TryCatchBlockNode each : method.tryCatchBlocks) {
                each.end = each.end == i ? end : each.end;
            }
        }
        return end;
    }

    /** Whether a place is in a handler that reaches itself, as those of blocks do. */
    boolean isInHandler(AbstractInsnNode place) {
        int at = method.instructions.indexOf(place);
        for (TryCatchBlockNode each : method.tryCatchBlocks) {
            int start = method.instructions.indexOf(each.start);
            int end = method.instructions.indexOf(each.end);
            int handler = method.instructions.indexOf(each.handler);
            if (start <= at && at < end && start <= handler && handler < end) {
                return true;
            }
        }
        return false;
    }

    /** Makes a block around the body of a synchronized method, and nothing else: so there is a place before the lock. */
    void unfold() {
        int lock = method.maxLocals++;
        wrap(lock, new Code(), new Code(), () -> exit(lock), Code::new, new Code());
    }

    static Code exit(int lock) {
        return new Code().load(Code.OBJECT, lock).does(Opcodes.MONITOREXIT);
    }

    /**
     * Makes a block around the body of a synchronized method, whose lock is kept in a variable.
     *
     * @param exit gives the lock back before a return; what is told of that comes behind
     * @param thrown comes behind the lock is given back in the handler
     */
    void wrap(int lock, Code asked, Code acquired, Supplier<Code> exit, Supplier<Code> released, Code thrown) {
        method.access &= ~Opcodes.ACC_SYNCHRONIZED;
        extendFrames(method.instructions.getFirst(), lock, "java/lang/Object");
        LabelNode from = new LabelNode();
        LabelNode handler = new LabelNode();
        Code begin = is(method, Opcodes.ACC_STATIC) ? new Code().type(type) : new Code().load(Code.OBJECT, 0);
        begin.store(Code.OBJECT, lock).then(asked).load(Code.OBJECT, lock).does(Opcodes.MONITORENTER).at(from).then(acquired);
        first(begin);
        protect(from, handler, exit, released);

        LabelNode end = new LabelNode();
        Object[] kinds = only(lock, "java/lang/Object");
        if (keepsSelf) { // a handler around this one may read it
            kinds[0] = type;
        }
        handler(handler, handlerFrame(kinds), exit(lock).at(end).then(thrown));
        method.tryCatchBlocks.add(new TryCatchBlockNode(handler, end, handler, null));
    }
}
