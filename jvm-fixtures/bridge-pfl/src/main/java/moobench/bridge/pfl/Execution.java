package moobench.bridge.pfl;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.glassfish.pfl.tf.spi.annotation.MethodMonitorGroup;

/**
 * The subgroup of {@link Monitored} that the targets carry, on the class and on each traced method.
 *
 * <p>PFL documents that a group names its subgroups. What it does is the reverse: methods get the monitors of their own
 * annotation, and of those that this one names.
 */
@MethodMonitorGroup(Monitored.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Execution {}
