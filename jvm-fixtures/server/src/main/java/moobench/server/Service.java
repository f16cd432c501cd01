package moobench.server;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import moobench.kernel.Loop;
import moobench.kernel.Message;
import moobench.kernel.Target;

/** What a request does, whatever server it comes by; any number of threads at a time. */
final class Service {
    static final byte[] BODY = "This is the response".getBytes(StandardCharsets.US_ASCII);
    static final int OK = 200;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final Target target;
    private final long methodTimeNs;
    private final int depth;
    private final Toggles toggles;
    private final LongAdder gets = new LongAdder();
    private final LongAdder posts = new LongAdder();
    private final LongAdder monitoredCalls = new LongAdder();

    Service(Target target, long methodTimeNs, int depth, Toggles toggles) {
        this.target = target;
        this.methodTimeNs = methodTimeNs;
        this.depth = depth;
        this.toggles = toggles;
    }

    /** Does what a request of this HTTP method asks for, and returns the answer's status; if it is OK, the body is BODY. */
    int serve(String method) {
        switch (method) {
            case "GET":
                gets.increment();
                Loop.sink = target.monitoredMethod(methodTimeNs, depth);
                monitoredCalls.increment();
                return OK;
            case "POST":
                posts.increment();
                toggles.toggle();
                return OK;
            default:
                return METHOD_NOT_ALLOWED;
        }
    }

    /** Adds what was served until now. */
    Message counts(Message answer) {
        return answer.with("gets", gets.sum()).with("posts", posts.sum()).with("monitored_calls", monitoredCalls.sum());
    }
}
