package moobench.bridge.pfl;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import moobench.kernel.Probes;
import org.glassfish.pfl.tf.spi.MethodMonitorFactory;
import org.glassfish.pfl.tf.spi.MethodMonitorFactoryDefaults;
import org.glassfish.pfl.tf.spi.MethodMonitorRegistry;
import org.glassfish.pfl.tf.spi.annotation.TFEnhanced;
import org.glassfish.pfl.tf.spi.annotation.TraceEnhanceLevel;

/**
 * The monitor that {@code -Dmoobench.pfl.monitor} names, and its registration with PFL: {@code off} (none), {@code noop},
 * {@code count}, {@code operationtracer}, {@code dprint}, {@code compose} (noop and count) or {@code timing}.
 */
public final class Monitors {
    private static final String MONITOR = System.getProperty("moobench.pfl.monitor", "off");
    private static final String EXPECTED = System.getProperty("moobench.pfl.expects", "");

    /** The first target's class; null: there is none yet. */
    private static Class<?> first;
    /** Null: none is to be registered. */
    private static MethodMonitorFactory factory;
    private static boolean on = true;

    private Monitors() {}

    /** Called by each target as it is made, also by clones in other packages: checks its class, and has the first one's monitor registered. */
    public static synchronized void chosen(Class<?> target) {
        check(target);
        if (first == null) {
            factory = choose(target);
            first = target;
            if (on) {
                register();
            }
        } else if (MONITOR.equals("timing") && first != target) {
            throw new IllegalStateException("moobench.pfl.monitor=timing is for one class, not for clones: its timers are named by hand");
        }
    }

    /** By the annotation that PFL's tool leaves; when it leaves a class alone, it says so to nobody. */
    private static void check(Class<?> target) {
        TFEnhanced enhanced = target.getAnnotation(TFEnhanced.class);
        TraceEnhanceLevel level = enhanced == null ? TraceEnhanceLevel.NONE : enhanced.stage();
        if (!EXPECTED.isEmpty() && level != TraceEnhanceLevel.valueOf(EXPECTED)) {
            throw new IllegalStateException(target.getName() + " is enhanced to " + level + ", want " + EXPECTED + ": the enhancer did nothing");
        }
    }

    private static MethodMonitorFactory choose(Class<?> target) {
        switch (MONITOR) {
            case "off": return counted(null);
            case "noop": return counted(MethodMonitorFactoryDefaults.noOp());
            case "count": return counted(new Counting());
            case "compose": return counted(MethodMonitorFactoryDefaults.compose(Arrays.asList(MethodMonitorFactoryDefaults.noOp(), new Counting())));
            case "operationtracer": return MethodMonitorFactoryDefaults.operationTracer();
            case "dprint": return MethodMonitorFactoryDefaults.dprint();
            case "timing": return timed(new Timing(target));
            default: throw new IllegalArgumentException("moobench.pfl.monitor must be off, noop, count, operationtracer, dprint, compose or timing, not " + MONITOR);
        }
    }

    /** Has the kernel read our counters; with a monitor that doesn't count they show that nothing else did. */
    private static MethodMonitorFactory counted(MethodMonitorFactory chosen) {
        Probes.count("entered", () -> Counters.ALL.sum(counter -> counter.entered));
        Probes.count("exited", () -> Counters.ALL.sum(counter -> counter.exited));
        Probes.count("infos", () -> Counters.ALL.sum(counter -> counter.infos));
        Probes.count("exceptions", () -> Counters.ALL.sum(counter -> counter.exceptions));
        Probes.beforeLoop(Counters.ALL::mine);
        recorded(() -> Counters.ALL.sum(counter -> counter.exited));
        return chosen;
    }

    private static MethodMonitorFactory timed(Timing timing) {
        recorded(timing::recorded);
        return timing.factory();
    }

    private static void recorded(LongSupplier count) {
        Probes.count("recorded", count);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(count), "moobench-pfl-finish"));
    }

    private static void write(LongSupplier count) {
        try {
            Probes.writeCount(count, count.getAsLong());
        } catch (IOException e) {
            System.err.println("moobench: error: writing the number of records: " + e);
        }
    }

    /** Registers the chosen monitor, or clears it; what is chosen later, too. Returns whether PFL calls another one now. */
    static synchronized boolean set(boolean wanted) {
        if (on == wanted) {
            return false;
        }
        on = wanted;
        if (factory == null) {
            return false;
        }
        if (on) {
            register();
        } else {
            MethodMonitorRegistry.clear(Monitored.class);
            reach();
        }
        return true;
    }

    private static void register() {
        if (factory != null) {
            MethodMonitorRegistry.register(Monitored.class, factory);
            reach();
        }
    }

    /** PFL brings a group's change to its subgroups only when they change, too: nothing is registered for this one. */
    private static void reach() {
        MethodMonitorRegistry.clear(Execution.class);
    }
}
