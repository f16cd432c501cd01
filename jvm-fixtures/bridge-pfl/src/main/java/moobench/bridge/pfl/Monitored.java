package moobench.bridge.pfl;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.glassfish.pfl.tf.spi.annotation.MethodMonitorGroup;

/** The group that a monitor is registered for. No class carries it, only its subgroup {@link Execution}. */
@MethodMonitorGroup
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Monitored {}
