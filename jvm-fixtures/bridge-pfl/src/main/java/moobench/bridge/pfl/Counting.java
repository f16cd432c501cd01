package moobench.bridge.pfl;

import org.glassfish.pfl.tf.spi.MethodMonitor;
import org.glassfish.pfl.tf.spi.MethodMonitorBase;
import org.glassfish.pfl.tf.spi.MethodMonitorFactoryBase;

/** Makes monitors that count what PFL tells them, and keep nothing of it. */
final class Counting extends MethodMonitorFactoryBase {
    Counting() {
        super("Counting");
    }

    @Override
    public MethodMonitor create(Class<?> type) {
        return new Monitor(type, this);
    }

    private static final class Monitor extends MethodMonitorBase {
        Monitor(Class<?> type, Counting factory) {
            super("Counting", type, factory);
        }

        @Override
        public void enter(int method, Object... args) {
            Counters.ALL.mine().entered++;
        }

        @Override
        public void info(Object[] args, int caller, int method) {
            Counters.ALL.mine().infos++;
        }

        @Override
        public void exit(int method) {
            Counters.ALL.mine().exited++;
        }

        @Override
        public void exit(int method, Object result) {
            Counters.ALL.mine().exited++;
        }

        /** Of what the method itself throws: what passes through it is an exit alone. */
        @Override
        public void exception(int method, Throwable thrown) {
            Counters.ALL.mine().exceptions++;
        }

        /** Nothing: what was counted stays counted. */
        @Override
        public void clear() {}
    }
}
