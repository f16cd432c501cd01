package moobench.hotswap;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** What a call does with a lock. */
enum Acts {
    NOT(null), WAITS(null), GIVES(null),
    /** It returns when it has the lock; says whether it has; returns a stamp, 0 if it hasn't. */
    GETS("(II)V"), TRIES("(ZII)Z"), STAMPS("(JII)J");

    /** What explicit locks are, also those of the program's own. */
    private static final String LOCK = "java/util/concurrent/locks/Lock";

    private static final String STAMPED = "java/util/concurrent/locks/StampedLock";
    private static final String CONDITION = "java/util/concurrent/locks/Condition";
    private static final Set<String> NAMES = new HashSet<>(Arrays.asList(
            "lock", "lockInterruptibly", "tryLock", "unlock", "unlockRead", "unlockWrite", "await", "awaitNanos", "awaitUntil", "awaitUninterruptibly",
            "readLock", "writeLock", "tryReadLock", "tryWriteLock", "readLockInterruptibly", "writeLockInterruptibly"));

    /** The descriptor of what is called once the lock is got. */
    final String acquired;

    Acts(String acquired) {
        this.acquired = acquired;
    }

    /**
     * Whether a call may be one of an explicit lock, by its name; what it is called on says whether it is. A call by super is in
     * a method of a lock, whose callers are seen.
     */
    static boolean mayBeOf(int opcode, String name) {
        return (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE) && NAMES.contains(name);
    }

    static Acts of(MethodInsnNode call, boolean explicit, Supertypes types) {
        if (Waits.onMonitor(call)) {
            return WAITS;
        }
        if (!explicit || !mayBeOf(call.getOpcode(), call.name)) {
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
