package moobench.hotswap;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import moobench.probes.Methods;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
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
final class Locks {
    /** What explicit locks are, also those of the program's own. */
    private static final String LOCK = "java/util/concurrent/locks/Lock";

    private static final String STAMPED = "java/util/concurrent/locks/StampedLock";
    private static final String CONDITION = "java/util/concurrent/locks/Condition";
    private static final Set<String> NAMES = new HashSet<>(Arrays.asList(
            "lock", "lockInterruptibly", "tryLock", "unlock", "unlockRead", "unlockWrite", "await", "awaitNanos", "awaitUntil", "awaitUninterruptibly",
            "readLock", "writeLock", "tryReadLock", "tryWriteLock", "readLockInterruptibly", "writeLockInterruptibly"));

    /** Of what is told of a lock, and of what names it before: then the hash is at hand once it is locked. */
    private static final String EVENT = "(Ljava/lang/Object;I)V";

    private static final String REQUEST = "(Ljava/lang/Object;I)I";
    private static final String NAMED = "(Ljava/lang/Object;)I";
    private static final String ACQUIRED = "(II)V";

    private final String probe;
    private final String type;
    private final MethodNode method;
    private final String signature;
    private final boolean contention;
    private final boolean explicit;
    private final Supertypes types;
    /** The sections by the variables that keep their locks: their ends read them. */
    private final Map<Integer, Integer> sections = new HashMap<>();
    /** Local variables from here on are free. */
    private int free;
    private int first = -1;

    /** The code that is written into this method of a class: calls of the probe, as far as they are wanted. */
    Locks(String probe, Set<String> wanted, String type, MethodNode method, String signature, Supertypes types) {
        this.probe = probe;
        contention = wanted.contains("contention");
        explicit = wanted.contains("explicit");
        this.type = type;
        this.method = method;
        this.signature = signature;
        this.types = types;
        free = method.maxLocals;
    }

    /** Whether a call may be one of an explicit lock, by its name; what it is called on says whether it is. */
    static boolean mayBeOf(MethodInsnNode call) {
        return mayBeOf(call.getOpcode(), call.name);
    }

    /** The same; a call by super is in a method of a lock, whose callers are seen. */
    static boolean mayBeOf(int opcode, String name) {
        return (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE) && NAMES.contains(name);
    }

    /** Writes the events, and returns the number of the method's first section; -1 where it has none. */
    int inject(boolean frames) {
        AbstractInsnNode[] all = method.instructions.toArray();
        boolean locked = Injector.isLocked(method);
        int whole = locked ? section("method", 0, Section.of(all, 0, all.length)) : -1;
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
            method.access &= ~Opcodes.ACC_SYNCHRONIZED;
            wrap(whole, frames);
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
        int id = section("block", line, Section.of(all, from, to));
        sections.put(lock, id);
        return id;
    }

    /** Numbers a section of the program, which is named by its method, what it is, where, and what is in it. */
    private int section(String what, int line, String content) {
        int id = Methods.id(place(what, line) + content);
        first = first < 0 ? id : first;
        return id;
    }

    private String place(String what, int line) {
        return signature + "\t" + what + (line > 0 ? "=" + line : "");
    }

    /** The variable of a load or store; -1 where it is something else. */
    private static int variable(AbstractInsnNode i, int opcode) {
        return i != null && i.getOpcode() == opcode ? ((VarInsnNode) i).var : -1;
    }

    /** The entry of a block. The handler that gives the lock back reaches as far as the event behind it. */
    private void enter(AbstractInsnNode enter, int id) {
        int lock = free;
        free += 2;
        InsnList before = new InsnList();
        before.add(new VarInsnNode(Opcodes.ASTORE, lock));
        before.add(asked(lock, id));
        before.add(new VarInsnNode(Opcodes.ALOAD, lock));
        method.instructions.insertBefore(enter, before);
        InsnList after = new InsnList();
        after.add(protectedFrom(method, enter));
        after.add(acquired(lock, id));
        method.instructions.insert(enter, after);
    }

    /** A label to stand right behind the entry of a block: from there on the handler that gives the lock back is in reach. */
    static LabelNode protectedFrom(MethodNode method, AbstractInsnNode enter) {
        LabelNode start = new LabelNode();
        for (AbstractInsnNode i = enter.getNext(); i != null && i.getOpcode() < 0; i = i.getNext()) {
            for (TryCatchBlockNode each : method.tryCatchBlocks) {
                if (each.start == i) {
                    each.start = start;
                }
            }
        }
        return start;
    }

    /** The exit of a block, in its handler or elsewhere. */
    private void leave(AbstractInsnNode exit) {
        int variable = variable(exit.getPrevious(), Opcodes.ALOAD);
        Integer known = sections.get(variable);
        int id = known != null ? known : first < 0 ? Methods.id(signature) : first;
        boolean handler = isInHandler(exit);
        LabelNode end = new LabelNode();
        for (AbstractInsnNode i = exit.getNext(); i != null && i.getOpcode() < 0; i = i.getNext()) {
            for (TryCatchBlockNode each : method.tryCatchBlocks) {
                if (each.end == i) {
                    each.end = end;
                }
            }
        }
        give(exit, end, id, handler);
    }

    /** Writes the events of a release. In a handler that reaches itself nothing is called before it: a failure would run it for ever. */
    private void give(AbstractInsnNode exit, LabelNode end, int id, boolean handler) {
        int lock = free;
        free += 3;
        InsnList before = new InsnList();
        before.add(new VarInsnNode(Opcodes.ASTORE, lock));
        if (!handler) {
            before.add(now(lock + 1));
        }
        before.add(new VarInsnNode(Opcodes.ALOAD, lock));
        method.instructions.insertBefore(exit, before);
        InsnList after = new InsnList();
        after.add(end);
        after.add(handler ? event("thrown", lock, id) : released(lock, id));
        method.instructions.insert(exit, after);
    }

    private static InsnList now(int variable) {
        InsnList now = new InsnList();
        now.add(new MethodInsnNode(Opcodes.INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false));
        now.add(new VarInsnNode(Opcodes.LSTORE, variable));
        return now;
    }

    private boolean isInHandler(AbstractInsnNode i) {
        int at = method.instructions.indexOf(i);
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

    /** Names a lock and keeps its hash in the variable behind it, before it is asked for. */
    private InsnList asked(int lock, int id) {
        InsnList asked = new InsnList();
        asked.add(new VarInsnNode(Opcodes.ALOAD, lock));
        if (contention) {
            asked.add(call("request", REQUEST, id));
        } else {
            asked.add(invoke("lock", NAMED));
        }
        asked.add(new VarInsnNode(Opcodes.ISTORE, lock + 1));
        return asked;
    }

    private InsnList acquired(int lock, int id) {
        InsnList acquired = new InsnList();
        acquired.add(new VarInsnNode(Opcodes.ILOAD, lock + 1));
        acquired.add(call("acquired", ACQUIRED, id));
        return acquired;
    }

    private InsnList event(String name, int lock, int id) {
        InsnList event = new InsnList();
        event.add(new VarInsnNode(Opcodes.ALOAD, lock));
        event.add(call(name, EVENT, id));
        return event;
    }

    /** The time is in the two variables behind the lock. */
    private InsnList released(int lock, int id) {
        InsnList released = new InsnList();
        released.add(new VarInsnNode(Opcodes.ALOAD, lock));
        released.add(new VarInsnNode(Opcodes.LLOAD, lock + 1));
        released.add(call("released", "(Ljava/lang/Object;JI)V", id));
        return released;
    }

    private InsnList call(String name, String descriptor, int id) {
        InsnList call = new InsnList();
        call.add(new LdcInsnNode(id));
        call.add(invoke(name, descriptor));
        return call;
    }

    private MethodInsnNode invoke(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, probe, name, descriptor, false);
    }

    /** A block around the body of a method that was synchronized, with the events. */
    private void wrap(int id, boolean frames) {
        int lock = free;
        free += 3; // with a time
        Block block = new Block(type, method, lock);
        block.wrap(frames, asked(lock, id), acquired(lock, id), () -> exit(lock, true), () -> released(lock, id), event("thrown", lock, id));
    }

    /** Makes a block around the body of a synchronized method, and nothing else: so there is a place before the lock. */
    static void unfold(String type, MethodNode method, boolean frames) {
        int lock = method.maxLocals++;
        method.access &= ~Opcodes.ACC_SYNCHRONIZED;
        Block block = new Block(type, method, lock);
        block.wrap(frames, new InsnList(), new InsnList(), () -> exit(lock, false), InsnList::new, new InsnList());
    }

    /** The block around a body, with what stands in it. */
    private static final class Block {
        private final String type;
        private final MethodNode method;
        private final int lock;

        Block(String type, MethodNode method, int lock) {
            this.type = type;
            this.method = method;
            this.lock = lock;
        }

        void wrap(boolean frames, InsnList asked, InsnList acquired, Supplier<InsnList> exit, Supplier<InsnList> released, InsnList thrown) {
            boolean self = Injector.keepsSelf(method);
            Injector.extendFrames(method.instructions.getFirst(), lock, "java/lang/Object");
            LabelNode from = new LabelNode();
            LabelNode handler = new LabelNode();
            InsnList begin = new InsnList();
            boolean ofClass = (method.access & Opcodes.ACC_STATIC) != 0;
            begin.add(ofClass ? new LdcInsnNode(Type.getObjectType(type)) : new VarInsnNode(Opcodes.ALOAD, 0));
            begin.add(new VarInsnNode(Opcodes.ASTORE, lock));
            begin.add(asked);
            begin.add(new VarInsnNode(Opcodes.ALOAD, lock));
            begin.add(new InsnNode(Opcodes.MONITORENTER));
            begin.add(from);
            begin.add(acquired);
            method.instructions.insert(begin);
            Injector.protect(method, from, handler, exit, released);

            LabelNode end = new LabelNode();
            method.instructions.add(handler);
            if (frames) {
                FrameNode frame = Injector.handlerFrame(lock, "java/lang/Object");
                if (self) { // a handler around this one may read it
                    frame.local.set(0, type);
                }
                method.instructions.add(frame);
            }
            method.instructions.add(exit(lock, false));
            method.instructions.add(end);
            method.instructions.add(thrown);
            method.instructions.add(new InsnNode(Opcodes.ATHROW));
            method.tryCatchBlocks.add(new TryCatchBlockNode(handler, end, handler, null));
        }
    }

    private static InsnList exit(int lock, boolean timed) {
        InsnList exit = timed ? now(lock + 1) : new InsnList();
        exit.add(new VarInsnNode(Opcodes.ALOAD, lock));
        exit.add(new InsnNode(Opcodes.MONITOREXIT));
        return exit;
    }

    /** What a call of the platform does with locks: it waits and gives them back meanwhile, or is that of an explicit lock. */
    private void call(MethodInsnNode call, int line) {
        Acts acts = Acts.of(call, explicit, types);
        if (acts == Acts.NOT) {
            return;
        }
        int lock = free;
        InsnList before = new InsnList();
        InsnList arguments = new InsnList();
        int next = lock + 3;
        for (Type argument : Type.getArgumentTypes(call.desc)) {
            before.insert(new VarInsnNode(argument.getOpcode(Opcodes.ISTORE), next)); // the last one lies above
            arguments.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), next));
            next += argument.getSize();
        }
        free = next;
        before.add(new VarInsnNode(Opcodes.ASTORE, lock));
        InsnList after = new InsnList();
        switch (acts) {
            case WAITS:
                int wait = Methods.id(place("wait", line));
                before.add(event("waits", lock, wait));
                after.add(event("awake", lock, wait));
                break;
            case GIVES:
                before.add(now(lock + 1));
                after.add(released(lock, section("lock", 0, "")));
                break;
            default:
                int id = section("lock", 0, "");
                before.add(asked(lock, id));
                after.add(new VarInsnNode(Opcodes.ILOAD, lock + 1));
                after.add(call("acquired", acts.descriptor, id));
        }
        before.add(new VarInsnNode(Opcodes.ALOAD, lock));
        before.add(arguments);
        method.instructions.insertBefore(call, before);
        method.instructions.insert(call, after);
    }

    /** What a call does with a lock. */
    private enum Acts {
        NOT(null), WAITS(null), GIVES(null),
        /** It returns when it has the lock; says whether it has; returns a stamp, 0 if it hasn't. */
        GETS(ACQUIRED), TRIES("(ZII)Z"), STAMPS("(JII)J");

        final String descriptor;

        Acts(String descriptor) {
            this.descriptor = descriptor;
        }

        static Acts of(MethodInsnNode call, boolean explicit, Supertypes types) {
            if (Waits.onMonitor(call)) {
                return WAITS;
            }
            if (!explicit || !mayBeOf(call)) {
                return NOT;
            }
            if (call.name.startsWith("await")) {
                return types.isA(call.owner, CONDITION) ? WAITS : NOT;
            }
            if (!types.isA(call.owner, LOCK) && !types.isA(call.owner, STAMPED)) {
                return NOT;
            }
            if (call.name.startsWith("unlock")) {
                return GIVES;
            }
            switch (call.name) {
                case "lock":
                case "lockInterruptibly":
                    return GETS;
                case "tryLock":
                    return TRIES;
                case "readLock":
                case "writeLock":
                case "tryReadLock":
                case "tryWriteLock":
                case "readLockInterruptibly":
                case "writeLockInterruptibly":
                    return call.desc.endsWith("J") ? STAMPS : NOT; // else it is the lock itself that is returned
                default:
                    return NOT;
            }
        }
    }
}
