package moobench.hotswap;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import moobench.kernel.Message;
import moobench.kernel.SwapRequests;

/**
 * The agent's own channel: it connects to one who listens on loopback, says hello, and answers requests until it is told to
 * quit or the connection ends. The JVM belongs to others: whatever goes wrong here ends this channel alone.
 */
final class Remote {
    private static final int PROTOCOL = 1;

    private final Socket socket;
    private final OutputStream out;

    private Remote(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
    }

    /** Connects, and serves on a thread that keeps no JVM alive. */
    static void connect(String host, int port, String token, String probe, String keep) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        if (!address.isLoopbackAddress()) { // localhost is what the machine says it is
            throw new IOException(host + " is " + address.getHostAddress() + ", which is not this machine's loopback");
        }
        Socket socket = new Socket(address, port);
        socket.setTcpNoDelay(true);
        Remote remote = new Remote(socket);
        Message hello = new Message("hello")
                .with("protocol", PROTOCOL)
                .with("token", token)
                .with("agent", "hotswap")
                .with("pid", new File("/proc/self").getCanonicalFile().getName())
                .with("jvm", System.getProperty("java.vm.version", ""))
                .with("vm", System.getProperty("java.vm.name", ""))
                .with("probe", probe);
        remote.send(keep == null ? hello : hello.with("keep", keep));
        Thread thread = new Thread(remote::serve, "moobench-hotswap-remote");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve() {
        try (Socket s = socket; InputStream in = new BufferedInputStream(s.getInputStream())) {
            boolean open = true;
            for (byte[] line = next(in); open && line != null; line = open ? next(in) : null) {
                open = answer(line);
            }
        } catch (IOException | UncheckedIOException e) {
            // who asked is gone; the probes stay as they are
        }
    }

    /** Answers one request, and returns whether more may come. */
    private boolean answer(byte[] line) {
        Message answer;
        boolean open = true;
        try {
            Message request = Message.parse(line);
            open = !request.verb().equals("quit");
            answer = open ? SwapRequests.answer(request, this::send) : new Message("bye");
        } catch (UncheckedIOException e) {
            throw e;
        } catch (Throwable e) { // who asked must hear of it, and the application must not
            answer = SwapRequests.failed(e);
        }
        send(answer);
        return open;
    }

    private void send(Message message) {
        try {
            out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next line without its end, or null; of one that is too long, what it takes to refuse it. */
    private static byte[] next(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toByteArray();
            }
            if (line.size() <= Message.MAX_BYTES) {
                line.write(c);
            }
        }
        return null;
    }
}
