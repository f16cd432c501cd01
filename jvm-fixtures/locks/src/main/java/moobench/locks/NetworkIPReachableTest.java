package moobench.locks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;

/** M15: the latency of I/O. It asks whether the loopback address can be reached, which leaves no host and looks up no name. */
final class NetworkIPReachableTest implements Micro {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int PATIENCE_MS = 5000;

    private long reached;

    @Override
    public void execute(int i) {
        getHost();
    }

    synchronized void getHost() {
        try {
            if (InetAddress.getByName(LOOPBACK).isReachable(PATIENCE_MS)) {
                reached++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reaching " + LOOPBACK, e);
        }
    }

    @Override
    public void check(int executions) {
        Micro.expect("how often the address was reached", reached, executions);
    }
}
