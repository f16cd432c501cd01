package moobench.server;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import moobench.kernel.Probes;

/** A server that listens on 127.0.0.1 and answers by a {@link Service}. */
interface WebServer {
    /** The port that it listens on. */
    int port();

    /** Stops listening and closes all connections, within a second. */
    void stop() throws Exception;

    /** Starts the server of this name, with a pool of so many threads where it has one. */
    static WebServer start(String name, int pool, Service service) throws Exception {
        switch (name) {
            case "jdk": return new Jdk(Jdk.pool(pool), service);
            case "virtual": return new Jdk(Jdk.virtual(), service);
            case "jetty": return new Jetty(pool, service);
            default: throw new IllegalArgumentException("server must be jdk, virtual or jetty, not " + name);
        }
    }

    /** Threads that make what the probe keeps for each before they serve. */
    static ThreadFactory threads() {
        AtomicInteger made = new AtomicInteger();
        return work -> {
            Runnable prepared = () -> {
                Probes.prepareThread();
                work.run();
            };
            Thread thread = new Thread(prepared, "moobench-server-" + made.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }
}
