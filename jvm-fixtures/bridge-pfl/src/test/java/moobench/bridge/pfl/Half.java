package moobench.bridge.pfl;

import moobench.kernel.Target;
import org.glassfish.pfl.tf.spi.annotation.TFEnhanced;
import org.glassfish.pfl.tf.spi.annotation.TraceEnhanceLevel;

/** Says that it is at the first stage, and has nothing for the second. */
@TFEnhanced(stage = TraceEnhanceLevel.PHASE1)
public final class Half implements Target {
    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        return depth;
    }
}
