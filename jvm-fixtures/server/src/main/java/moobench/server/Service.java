package moobench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import moobench.kernel.BusyWait;
import moobench.kernel.Calls;
import moobench.kernel.Loop;
import moobench.kernel.Message;
import moobench.kernel.Target;

/** What a request does, whatever server it comes by; any number of threads at a time. */
final class Service {
    static final byte[] BODY = "This is the response".getBytes(StandardCharsets.US_ASCII);
    static final int OK = 200;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final Target target;
    private final Handling handling; // null: the target is a leaf
    private final long methodTimeNs;
    private final int depth;
    private final Toggles toggles;
    private final LongAdder gets = new LongAdder();
    private final LongAdder posts = new LongAdder();
    private final LongAdder monitoredCalls = new LongAdder();

    private Service(Target target, Handling handling, long methodTimeNs, int depth, Toggles toggles) {
        this.target = target;
        this.handling = handling;
        this.methodTimeNs = methodTimeNs;
        this.depth = depth;
        this.toggles = toggles;
    }

    /**
     * The service whose monitored method is that of the target with this name.
     *
     * @param monitored {@code handler}: the method handles the request, whatever it is, and is on the stack of each thread that
     *     does; {@code leaf}: it is called by GET, and nothing else is in it
     */
    static Service of(String monitored, String target, long methodTimeNs, int depth, Toggles toggles) throws ReflectiveOperationException {
        switch (monitored) {
            case "leaf": return new Service(Calls.load(target), null, methodTimeNs, depth, toggles);
            case "handler":
                Handling handling = new Handling(BusyWait.chosen());
                BusyWait.choose(handling);
                return new Service(Calls.load(target), handling, methodTimeNs, depth, toggles);
            default: throw new IllegalArgumentException("monitored must be handler or leaf, not " + monitored);
        }
    }

    /** The class whose method is monitored. */
    Class<?> target() {
        return target.getClass();
    }

    /** Sends a status, and BODY if it is OK. */
    interface Answer {
        void send(int status) throws IOException;
    }

    /** Does what a request of this HTTP method asks for, and answers it. */
    void serve(String method, Answer answer) throws IOException {
        if (handling == null) {
            handle(method, answer);
            return;
        }
        monitoredCalls.increment(); // before the answer, after which somebody may ask
        handling.request.set(() -> handle(method, answer));
        try {
            Loop.sink = target.monitoredMethod(methodTimeNs, depth);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            handling.request.remove();
        }
    }

    private void handle(String method, Answer answer) throws IOException {
        switch (method) {
            case "GET":
                gets.increment();
                if (handling == null) {
                    Loop.sink = target.monitoredMethod(methodTimeNs, depth);
                    monitoredCalls.increment();
                }
                answer.send(OK);
                break;
            case "POST":
                posts.increment();
                toggles.toggle();
                answer.send(OK);
                break;
            default:
                answer.send(METHOD_NOT_ALLOWED);
        }
    }

    /** Adds what was served until now. */
    Message counts(Message answer) {
        return answer.with("gets", gets.sum()).with("posts", posts.sum()).with("monitored_calls", monitoredCalls.sum());
    }

    /** What the monitored method does at its bottom where it is the handler: its thread's request, then its wait. */
    private static final class Handling extends BusyWait {
        private final ThreadLocal<Request> request = new ThreadLocal<>();
        private final BusyWait wait;

        Handling(BusyWait wait) {
            this.wait = wait;
        }

        @Override
        public long spend(long ns) {
            try {
                request.get().handle();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return wait.spend(ns);
        }
    }

    private interface Request {
        void handle() throws IOException;
    }
}
