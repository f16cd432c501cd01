package moobench.bridge.pfl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collections;
import org.glassfish.pfl.basic.contain.SynchronizedHolder;
import org.glassfish.pfl.tf.spi.MethodMonitor;
import org.glassfish.pfl.tf.spi.MethodMonitorFactoryDefaults;
import org.glassfish.pfl.tf.spi.MethodMonitorRegistry;
import org.glassfish.pfl.tf.spi.annotation.MethodMonitorGroup;
import org.junit.jupiter.api.Test;

/** How PFL's groups work, which is not what it documents; each test has annotations and classes of its own. */
class GroupsTest {
    @MethodMonitorGroup(Named.class)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Naming {}

    @MethodMonitorGroup
    @Retention(RetentionPolicy.RUNTIME)
    @interface Named {}

    @Named
    private static final class OfNamed {}

    @Execution
    private static final class OfExecution {}

    @MethodMonitorGroup
    @Retention(RetentionPolicy.RUNTIME)
    @interface Alone {}

    @Alone
    private static final class OfAlone {}

    /** What stage 1 puts into a class, by hand. */
    private static SynchronizedHolder<MethodMonitor> register(Class<?> type, Class<? extends Annotation> annotation) {
        SynchronizedHolder<MethodMonitor> holder = new SynchronizedHolder<>();
        MethodMonitorRegistry.registerClass(type, Collections.emptyList(), Collections.singletonMap(annotation, holder));
        return holder;
    }

    /** As documented: a monitor of the group that names the subgroup never gets to the subgroup's classes. */
    @Test
    void aGroupThatNamesItsSubgroupDoesNotReachIt() {
        SynchronizedHolder<MethodMonitor> holder = register(OfNamed.class, Named.class);
        MethodMonitorRegistry.register(Naming.class, MethodMonitorFactoryDefaults.dprint());
        assertNull(holder.content());
        MethodMonitorRegistry.clear(Named.class);
        assertEquals("NoOp", holder.content().name());
    }

    /** As it is: the subgroup names the group, and the group's change waits for one of the subgroup. */
    @Test
    void aSubgroupThatNamesItsGroupIsReachedWhenItChangesItself() {
        SynchronizedHolder<MethodMonitor> holder = register(OfExecution.class, Execution.class);
        MethodMonitorRegistry.register(Monitored.class, MethodMonitorFactoryDefaults.dprint());
        assertNull(holder.content());
        MethodMonitorRegistry.clear(Execution.class);
        assertEquals("Dprint", holder.content().name());
        MethodMonitorRegistry.clear(Monitored.class);
        assertEquals("Dprint", holder.content().name());
        MethodMonitorRegistry.clear(Execution.class);
        assertEquals("NoOp", holder.content().name());
    }

    /** What was cleared costs what the no-op monitor costs, and not what no monitor costs. */
    @Test
    void clearingLeavesTheMonitorThatDoesNothing() {
        SynchronizedHolder<MethodMonitor> holder = register(OfAlone.class, Alone.class);
        assertNull(holder.content());
        MethodMonitorRegistry.register(Alone.class, MethodMonitorFactoryDefaults.dprint());
        assertEquals("Dprint", holder.content().name());
        MethodMonitorRegistry.clear(Alone.class);
        assertEquals("NoOp", holder.content().name());
    }
}
