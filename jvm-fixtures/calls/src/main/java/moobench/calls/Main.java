package moobench.calls;

import java.util.List;
import moobench.kernel.BusyWait;
import moobench.kernel.Fixture;
import moobench.kernel.Kernel;
import moobench.kernel.Loop;
import moobench.kernel.Message;
import moobench.kernel.Run;
import moobench.kernel.Series;
import moobench.kernel.Target;

/** The fixture calls: its target is named by the request, and is the only one that is loaded. */
public final class Main implements Fixture {
    private Loop loop;

    private Main() {}

    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Kernel.serve(mainNs, new Main());
    }

    @Override
    public String name() {
        return "calls";
    }

    @Override
    public void setup(Message request) throws Exception {
        request.only("target", "calls", "depth", "threads", "method_time", "busy_wait", "batch");
        String target = request.require("target");
        request.require("calls");
        long calls = request.integer("calls", 0, 1, 1L << 40);
        int depth = (int) request.integer("depth", 1, 1, 1 << 20);
        int threads = (int) request.integer("threads", 1, 1, 1 << 12);
        long methodTimeNs = request.integer("method_time", 0, 0, 1L << 40);
        int batch = (int) request.integer("batch", 1, 1, 1 << 30);
        BusyWait.choose(request.get("busy_wait") == null ? "lazy" : request.get("busy_wait"));
        loop = new Loop(load(target), methodTimeNs, depth, calls, threads, batch);
    }

    private static Target load(String name) throws ReflectiveOperationException {
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("target " + name + " is not on the class path", e);
        }
        if (!Target.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("target " + name + " doesn't implement " + Target.class.getName());
        }
        return (Target) type.getConstructor().newInstance();
    }

    @Override
    public long prime(long calls) {
        return loop.prime(calls);
    }

    @Override
    public Run run() throws InterruptedException {
        return loop.run();
    }

    @Override
    public List<Series> series() {
        return loop.series();
    }
}
