package moobench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty, with nothing in it but a handler. */
final class Jetty implements WebServer {
    private static final int IDLE_THREAD_MS = 60_000;
    private static final int RESERVED_AS_USUAL = -1;
    private static final int STOP_MS = 500;

    private final Server server;
    private final ServerConnector connector;

    Jetty(int pool, Service service) throws Exception {
        QueuedThreadPool threads = new QueuedThreadPool(pool, pool, IDLE_THREAD_MS, RESERVED_AS_USUAL, null, null, WebServer.threads());
        threads.setStopTimeout(STOP_MS);
        server = new Server(threads);
        connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setAcceptQueueSize(Limits.BACKLOG);
        connector.setAcceptedTcpNoDelay(true);
        connector.setIdleTimeout(Limits.IDLE_S * 1000L);
        server.addConnector(connector);
        server.setHandler(new Answers(service));
        try {
            server.start();
        } catch (Exception e) {
            server.stop();
            throw new IllegalStateException("Jetty doesn't start with pool=" + pool + ": " + e.getMessage(), e);
        }
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void stop() throws Exception {
        server.stop();
    }

    private static final class Answers extends Handler.Abstract {
        private final Service service;

        Answers(Service service) {
            this.service = service;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            service.serve(request.getMethod(), status -> answer(response, callback, status));
            return true;
        }

        private static void answer(Response response, Callback callback, int status) {
            response.setStatus(status);
            if (status == Service.OK) {
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, Service.BODY.length);
                response.write(true, ByteBuffer.wrap(Service.BODY), callback);
            } else {
                callback.succeeded();
            }
        }
    }
}
