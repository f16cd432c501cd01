package moobench.hotswap;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import moobench.probes.patterns.Signature;

/** Has the JVM exchange classes, all in one call: each call stops the world once. */
final class Exchange {
    private final Instrumentation instrumentation;
    private final Transformer transformer;

    Exchange(Instrumentation instrumentation, Transformer transformer) {
        this.instrumentation = instrumentation;
        this.transformer = transformer;
    }

    /** A call that exchanges classes. */
    interface Call {
        void run() throws Exception;
    }

    /** Exchanges them as the list says; those that the JVM refuses are found by halving, stay as they were, and are named. */
    void run(Collection<Loaded> all, Change change) {
        List<Loaded> types = new ArrayList<>(all);
        types.removeIf(type -> type.type() == null); // unloaded meanwhile
        Class<?>[] classes = types.stream().map(Loaded::type).filter(Objects::nonNull).toArray(Class<?>[]::new);
        if (classes.length == 0) {
            return;
        }
        try {
            transformer.during(change, () -> instrumentation.retransformClasses(classes));
        } catch (Exception | LinkageError | VirtualMachineError e) { // the JVM has exchanged none of them
            if (types.size() == 1) {
                change.fail(types.get(0), e);
            } else {
                run(types.subList(0, types.size() / 2), change);
                run(types.subList(types.size() / 2, types.size()), change);
            }
            return;
        }
        for (Loaded type : types) {
            Injector.Injected made = change.written.get(type);
            if (made == null) {
                change.fail(type, new IllegalStateException("the JVM didn't show its class file"));
            } else if (!change.hasFailed(type)) {
                settle(type, made, change);
            }
        }
    }

    private void settle(Loaded type, Injector.Injected made, Change change) {
        Set<Signature> moved = new HashSet<>(made.in.keySet());
        moved.removeAll(type.in.keySet());
        for (Signature each : type.in.keySet()) {
            if (!made.in.containsKey(each)) {
                moved.add(each);
            }
        }
        change.classes += moved.isEmpty() ? 0 : 1;
        moved.removeAll(type.off.keySet()); // not monitored before, nor now
        change.methods += moved.size();
        transformer.note(type, made);
    }
}
