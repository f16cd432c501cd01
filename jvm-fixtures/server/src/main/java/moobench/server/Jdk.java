package moobench.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The server that comes with the JDK. */
final class Jdk implements WebServer {
    private final HttpServer server;
    private final ExecutorService workers;
    private final Service service;

    Jdk(ExecutorService workers, Service service) throws IOException {
        Limits.liftJdk();
        this.workers = workers;
        this.service = service;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Limits.BACKLOG);
        server.createContext("/", this::handle);
        server.setExecutor(workers);
        server.start();
    }

    /** So many threads, which are all there from the start. */
    static ExecutorService pool(int size) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), WebServer.threads());
        pool.prestartAllCoreThreads();
        return pool;
    }

    /** A virtual thread for each request. */
    static ExecutorService virtual() {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("server=virtual needs virtual threads, which JDKs have from 21 on, and this is JDK "
                    + System.getProperty("java.version") + ": take another JDK, or server=jdk", e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            service.serve(exchange.getRequestMethod(), status -> answer(exchange, status));
        }
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        if (status != Service.OK) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, Service.BODY.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(Service.BODY);
        }
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void stop() {
        server.stop(0);
        workers.shutdownNow();
    }
}
