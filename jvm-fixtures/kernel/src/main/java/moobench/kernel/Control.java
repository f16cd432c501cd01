package moobench.kernel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The connection to the harness.
 *
 * <p>A daemon thread sits in a blocking read, also while a loop is timed: it costs nothing there, and it ends the JVM at
 * once when the harness is gone, so that no orphan goes on burning CPU under the next measurement.
 */
final class Control {
    /** Exit status when the harness went away. */
    static final int ABANDONED = 3;

    private final Socket socket;
    private final OutputStream out;
    private final BlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
    private volatile boolean quitting;

    private final Thread reader = new Thread(this::read, "moobench-control");

    private Control(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        reader.setDaemon(true);
    }

    /** Connects to an address of the form host:port. */
    static Control connect(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        Socket socket = new Socket(InetAddress.getByName(address.substring(0, colon)), Integer.parseInt(address.substring(colon + 1)));
        socket.setTcpNoDelay(true);
        Control control = new Control(socket);
        control.reader.start();
        return control;
    }

    /** Waits for the next line. */
    byte[] next() throws InterruptedException {
        return lines.take();
    }

    /** Sends one line; ends the JVM when nobody is there to read it. */
    void send(Message message) {
        try {
            out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            Runtime.getRuntime().halt(ABANDONED);
        }
    }

    /** From here on the end of the connection is not an alarm. */
    void quitting() {
        quitting = true;
    }

    /** Ends the connection and its reader: a thread still in read would make the JVM wait 300 ms for it before it exits. */
    void close() throws IOException, InterruptedException {
        socket.close();
        reader.join();
    }

    private void read() {
        try (InputStream in = socket.getInputStream()) {
            byte[] chunk = new byte[8 << 10];
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                take(chunk, n, line);
            }
        } catch (IOException e) {
            // the same as its end
        }
        if (!quitting) {
            Runtime.getRuntime().halt(ABANDONED);
        }
    }

    private void take(byte[] chunk, int n, ByteArrayOutputStream line) {
        for (int i = 0; i < n; i++) {
            if (chunk[i] == '\n') {
                lines.add(line.toByteArray());
                line.reset();
            } else if (line.size() <= Message.MAX_BYTES) { // one byte too many is enough to refuse it
                line.write(chunk[i]);
            }
        }
    }
}
