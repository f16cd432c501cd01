package moobench.bridge.btrace;

import java.util.concurrent.atomic.LongAdder;
import org.openjdk.btrace.core.annotations.BTrace;
import org.openjdk.btrace.core.annotations.Kind;
import org.openjdk.btrace.core.annotations.Location;
import org.openjdk.btrace.core.annotations.OnMethod;

/**
 * The script: counts executions as they end, by return or by an exception. BTrace takes its class for one of the boot class
 * path, where nothing of ours is seen: the count is handed over among the system properties. It is public, and the class
 * itself is said to be trusted, as BTrace otherwise lets a script call nothing but BTrace.
 */
@BTrace(trusted = true)
public final class Script {
    /** The name of the count among the system properties. */
    public static final String COUNT = "moobench.btrace.count";

    public static LongAdder count = new LongAdder();

    static {
        System.getProperties().put(COUNT, count);
    }

    private Script() {}

    @OnMethod(clazz = "${class}", method = "${method}", location = @Location(Kind.RETURN))
    public static void returned() {
        count.increment();
    }

    @OnMethod(clazz = "${class}", method = "${method}", location = @Location(Kind.ERROR))
    public static void thrown() {
        count.increment();
    }
}
