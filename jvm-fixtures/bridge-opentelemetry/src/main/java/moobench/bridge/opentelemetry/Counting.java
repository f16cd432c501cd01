package moobench.bridge.opentelemetry;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import moobench.kernel.Probes;

/** Stands where an SDK would be, and counts what is added to counters: proof that calls get there. It is not measured. */
final class Counting implements InvocationHandler {
    private final AtomicLong added = new AtomicLong();

    private Counting() {}

    /** Registers one for the whole JVM; its count is written at the JVM's exit. */
    static void register() {
        Counting counting = new Counting();
        Probes.count("recorded", counting.added::get);
        Runtime.getRuntime().addShutdownHook(new Thread(counting::write, "moobench-otel-count"));
        GlobalOpenTelemetry.set((OpenTelemetry) counting.like(OpenTelemetry.class));
    }

    private Object like(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this);
    }

    private void write() {
        try {
            Probes.writeCount(added.get());
        } catch (IOException e) {
            System.err.println("moobench: error: writing the count: " + e);
        }
    }

    /** Whatever is asked for that is an interface is counted too. */
    @Override
    public Object invoke(Object proxy, Method method, Object[] args) {
        if (method.getName().equals("add")) {
            added.incrementAndGet();
        }
        return method.getReturnType().isInterface() ? like(method.getReturnType()) : null;
    }
}
