package moobench.hotswap;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import moobench.kernel.Switch;

/** The agent's door for JMX. It is opened on request alone: the platform's server of beans costs class loading. */
final class SwapperBean implements SwapperMXBean {
    static final String NAME = "moobench:type=Hotswap";

    private final Observed swapper;

    private SwapperBean(Observed swapper) {
        this.swapper = swapper;
    }

    static void register(Observed swapper) {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(new SwapperBean(swapper), new ObjectName(NAME));
        } catch (JMException e) {
            throw new IllegalStateException("registering " + NAME + ": " + e, e);
        }
    }

    @Override
    public List<String> getPatterns() {
        return swapper.patterns();
    }

    @Override
    public List<String> getInstrumented() {
        return swapper.instrumented();
    }

    @Override
    public LastSwap getLastSwap() {
        return told(swapper.last());
    }

    @Override
    public LastSwap activate(String pattern) throws Exception {
        return told(swapper.activate(pattern));
    }

    @Override
    public LastSwap deactivate(String pattern) throws Exception {
        return told(swapper.deactivate(pattern));
    }

    @Override
    public LastSwap remove(String pattern) throws Exception {
        return told(swapper.remove(pattern));
    }

    @Override
    public LastSwap replace(List<String> patterns) throws Exception {
        return told(swapper.replace(patterns));
    }

    private static LastSwap told(Switch.Swap swap) {
        return swap == null ? null : new LastSwap(swap);
    }
}
