package moobench.hotswap;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** The methods of the platform in which a thread waits for others. What calls them by itself is not known to. */
final class Waits {
    /** Of java.util.concurrent: in queues, locks, conditions, latches, futures. */
    private static final Set<String> CONCURRENT = new HashSet<>(Arrays.asList(
            "put", "take", "transfer", "putFirst", "putLast", "takeFirst", "takeLast", "lock", "lockInterruptibly", "acquire", "acquireUninterruptibly",
            "await", "awaitNanos", "awaitUntil", "awaitUninterruptibly", "awaitAdvance", "arriveAndAwaitAdvance", "awaitTermination", "get", "join", "exchange", "invokeAll", "invokeAny"));
    /** There, if they take a time, without which they don't wait. */
    private static final Set<String> TIMED = new HashSet<>(Arrays.asList("poll", "pollFirst", "pollLast", "offer", "offerFirst", "offerLast", "tryLock", "tryAcquire", "tryTransfer"));
    /** Of these, get reads without waiting. */
    private static final Set<String> READ = new HashSet<>(Arrays.asList("Map", "List", "Set", "Deque"));

    private Waits() {}

    /** Whether a thread may wait in what is called. */
    static boolean in(MethodInsnNode call) {
        switch (call.owner) {
            case "java/lang/Thread":
                return call.name.equals("sleep") || call.name.equals("join");
            case "java/util/concurrent/locks/LockSupport":
                return call.name.startsWith("park");
            default:
                return onMonitor(call) || call.owner.startsWith("java/util/concurrent/") && !call.owner.startsWith("java/util/concurrent/atomic/") && concurrent(call);
        }
    }

    /** Whether it is a wait on a monitor, which is given back meanwhile; wait is final, and may be called by any type's name. */
    static boolean onMonitor(MethodInsnNode call) {
        return call.name.equals("wait") && (call.desc.equals("()V") || call.desc.equals("(J)V") || call.desc.equals("(JI)V"));
    }

    private static boolean concurrent(MethodInsnNode call) {
        for (String end : READ) {
            if (call.owner.endsWith(end)) {
                return call.owner.endsWith("BlockingDeque") && CONCURRENT.contains(call.name);
            }
        }
        return CONCURRENT.contains(call.name) || TIMED.contains(call.name) && call.desc.contains("Ljava/util/concurrent/TimeUnit;");
    }
}
