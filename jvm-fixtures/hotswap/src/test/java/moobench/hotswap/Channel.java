package moobench.hotswap;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import moobench.kernel.Message;

/** The other end of the agent's own channel. */
final class Channel implements AutoCloseable {
    private static final int PATIENCE_MS = 60_000;

    private final ServerSocket server;
    private Socket socket;
    private BufferedReader in;

    Channel() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server.setSoTimeout(PATIENCE_MS);
    }

    /** What the agent has to be told to come here. */
    String settings() {
        return "control=127.0.0.1:" + server.getLocalPort() + ",token=t0k3n";
    }

    /** Waits for the agent, and returns its hello. */
    Message hello() throws IOException {
        socket = server.accept();
        socket.setSoTimeout(PATIENCE_MS);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        return Message.parse(in.readLine());
    }

    /** Sends one request, and returns all lines of the answer. */
    List<String> ask(String line, String last) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        String verb;
        do {
            lines.add(in.readLine());
            verb = Message.parse(lines.get(lines.size() - 1)).verb();
        } while (!verb.equals(last) && !verb.equals("error"));
        return lines;
    }

    /** Sends one request, and returns the last line of the answer. */
    Message last(String line, String verb) throws IOException {
        List<String> lines = ask(line, verb);
        return Message.parse(lines.get(lines.size() - 1));
    }

    String records() throws IOException {
        return ask("records", "records").get(0);
    }

    /** Waits until the agent ends the connection. */
    boolean isAtEnd() throws IOException {
        return in.readLine() == null;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        server.close();
    }
}
