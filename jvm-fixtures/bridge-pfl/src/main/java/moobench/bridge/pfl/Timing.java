package moobench.bridge.pfl;

import org.glassfish.pfl.tf.spi.MethodMonitorFactory;
import org.glassfish.pfl.tf.spi.MethodMonitorFactoryDefaults;
import org.glassfish.pfl.tf.spi.MethodMonitorRegistry;
import org.glassfish.pfl.tf.timer.spi.ObjectRegistrationManager;
import org.glassfish.pfl.tf.timer.spi.Statistics;
import org.glassfish.pfl.tf.timer.spi.StatsEventHandler;
import org.glassfish.pfl.tf.timer.spi.TimerFactory;
import org.glassfish.pfl.tf.timer.spi.TimerFactoryBuilder;
import org.glassfish.pfl.tf.timer.spi.TimerManager;

/**
 * PFL's own timing monitor: a timer for each method of one class, and statistics of how long they took. A method that throws
 * ends its timer twice, and PFL fails.
 */
final class Timing {
    private final TimerManager<Timing> manager = new TimerManager<>(ObjectRegistrationManager.nullImpl, "moobench");
    private final StatsEventHandler statistics;

    /** Times the methods of a class that has been enhanced. */
    Timing(Class<?> type) {
        if (MethodMonitorRegistry.getTimerNames(type) == null) {
            throw new IllegalStateException(type.getName() + " is not registered with PFL: nothing can be timed in a class that is not enhanced");
        }
        TimerFactory timers = manager.factory();
        for (String method : MethodMonitorRegistry.getTimerNames(type)) {
            timers.makeTimer(TimerFactoryBuilder.getTimerName(type.getSimpleName(), method), method).enable();
        }
        statistics = timers.makeMultiThreadedStatsEventHandler("statistics"); // has room for timers that are there, no others
        manager.controller().register(statistics);
        manager.initialize(this);
    }

    MethodMonitorFactory factory() {
        return MethodMonitorFactoryDefaults.makeTimingImpl(manager);
    }

    /** How many executions were timed. */
    long recorded() {
        return statistics.stats().values().stream().mapToLong(Statistics::count).sum();
    }
}
