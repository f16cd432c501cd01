package moobench.hotswap;

import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The calls in which a thread waits by the platform's own means. What waits by being parked, and so all of
 * java.util.concurrent, is seen where it is parked ({@link Parking}), whoever called it by whatever name.
 */
final class Waits {
    private Waits() {}

    /** Whether a thread waits in what is called; who calls it may know it by the name of a class of the program. */
    static boolean in(MethodInsnNode call, Supertypes types) {
        switch (call.name) {
            case "wait":
                return onMonitor(call);
            case "sleep":
                return call.owner.equals("java/util/concurrent/TimeUnit") || types.isA(call.owner, "java/lang/Thread");
            case "join":
                return takesTime(call) && types.isA(call.owner, "java/lang/Thread");
            case "timedJoin":
            case "timedWait":
                return call.owner.equals("java/util/concurrent/TimeUnit");
            case "waitFor":
                return types.isA(call.owner, "java/lang/Process");
            default:
                return false;
        }
    }

    private static boolean takesTime(MethodInsnNode call) {
        return call.desc.startsWith("()") || call.desc.startsWith("(J") || call.desc.startsWith("(Ljava/time/Duration;)");
    }

    /** Whether it is a wait on a monitor, which is given back meanwhile; wait is final, and may be called by any type's name. */
    static boolean onMonitor(MethodInsnNode call) {
        return call.name.equals("wait") && (call.desc.equals("()V") || call.desc.equals("(J)V") || call.desc.equals("(JI)V"));
    }
}
