package moobench.bridge.arthas;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import moobench.swappers.Commanding.Place;

/** What a {@code monitor} of Arthas has counted, read where it keeps it: it is sent in whole cycles alone, and what is left is dropped. */
final class Counts {
    private final Map<?, ?> data;
    private final Method total;

    private Counts(Map<?, ?> data, Method total) {
        this.data = data;
        this.total = total;
    }

    /** Those of the listener that was put to the method last. */
    static Counts of(Place method) throws ReflectiveOperationException {
        Object spy = Class.forName("java.arthas.SpyAPI", true, null).getMethod("getSpy").invoke(null);
        ClassLoader arthas = spy.getClass().getClassLoader();
        Method query = arthas.loadClass("com.taobao.arthas.core.advisor.AdviceListenerManager")
                .getMethod("queryAdviceListeners", ClassLoader.class, String.class, String.class, String.class);
        List<?> listeners = (List<?>) query.invoke(null, method.type.getClassLoader(), method.type.getName(), method.name, method.descriptor);
        if (listeners == null || listeners.isEmpty()) {
            throw new IllegalStateException("Arthas listens to no call of " + method.signature);
        }
        Object listener = listeners.get(listeners.size() - 1);
        Field data = listener.getClass().getDeclaredField("monitorData");
        data.setAccessible(true);
        return new Counts((Map<?, ?>) data.get(listener), arthas.loadClass("com.taobao.arthas.core.command.monitor200.MonitorData").getMethod("getTotal"));
    }

    long total() {
        long sum = 0;
        for (Object reference : data.values()) {
            try {
                sum += (Integer) total.invoke(((AtomicReference<?>) reference).get());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("reading Arthas's counts: " + e, e);
            }
        }
        return sum;
    }
}
