package moobench.kernel;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The harness's side of the protocol, against a fixture in a JVM of its own with this test's class path. */
public final class Session implements AutoCloseable {
    private static final int PATIENCE_S = 120;
    private static final List<String> BEFORE_THE_LAST = Arrays.asList("series", "class", "failure", "pattern", "method");

    private final Process process;
    private final Socket socket;
    private final BufferedReader in;
    private final Path dir;

    /** The fixture's first line. */
    public final String greeting;

    private Session(Process process, Socket socket, Path dir) throws IOException {
        this.process = process;
        this.socket = socket;
        this.dir = dir;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.greeting = in.readLine();
    }

    /** Starts a main class in dir with these JVM options. */
    public static Session start(Path dir, String main, String... options) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> command = new ArrayList<>();
            command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
            command.addAll(Arrays.asList("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath(), "-Dmoobench.dir=" + dir,
                    "-Dmoobench.hotswap.probe=moobench", // Kieker may be on a test's class path
                    "-Dmoobench.control=127.0.0.1:" + server.getLocalPort()));
            command.addAll(Arrays.asList(options));
            command.add(main);
            ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile())
                    .redirectErrorStream(true).redirectOutput(dir.resolve("out.log").toFile());
            builder.environment().put(Kernel.TOKEN, "t0k3n");
            Process process = builder.start();
            try {
                Socket socket = accept(server, process);
                socket.setSoTimeout(PATIENCE_S * 1000);
                return new Session(process, socket, dir);
            } catch (IOException e) {
                process.destroyForcibly();
                throw new IOException("no greeting; the log says: " + new String(Files.readAllBytes(dir.resolve("out.log")), StandardCharsets.UTF_8), e);
            }
        }
    }

    /** Waits for the fixture; no longer than it lives. */
    private static Socket accept(ServerSocket server, Process process) throws IOException {
        server.setSoTimeout(1000);
        for (int second = 0; ; second++) {
            try {
                return server.accept();
            } catch (SocketTimeoutException e) {
                if (!process.isAlive() || second == PATIENCE_S) {
                    throw e;
                }
            }
        }
    }

    /** This test's class path, also where surefire hides it in a manifest. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** The option for an agent by a jar of a manifest alone: the classes come from this test's class path. */
    public static String agent(Path dir, String premain) throws IOException {
        Path jar = dir.resolve(premain + ".jar");
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Premain-Class", premain);
        main.putValue("Can-Retransform-Classes", "true");
        main.putValue("Can-Redefine-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return "-javaagent:" + jar;
    }

    /** Sends one line. */
    public void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Reads one line, null at the end. */
    public String receive() throws IOException {
        return in.readLine();
    }

    /** Sends one request, and returns the last line of its answer. */
    public Message ask(String line) throws IOException {
        send(line);
        Message answer = Message.parse(receive());
        while (BEFORE_THE_LAST.contains(answer.verb())) {
            answer = Message.parse(receive());
        }
        return answer;
    }

    /** Sets the fixture up with these keys, and what else it needs as {@link #whole} has it. */
    public Message setUp(String keys) throws IOException {
        return ask(whole(keys, usual(Message.parse(greeting).require("fixture"))));
    }

    /** A setup of these keys, and of those of the usual ones that are not among them. */
    public static String whole(String keys, String... usual) {
        Message given = Message.parse(("setup " + keys).trim());
        StringBuilder line = new StringBuilder(given.toString());
        for (String pair : usual) {
            if (given.get(pair.substring(0, pair.indexOf('='))) == null) {
                line.append(' ').append(pair);
            }
        }
        return line.toString();
    }

    /** What the fixture of this name is set up with where a test says nothing else. */
    private static String[] usual(String fixture) {
        switch (fixture) {
            case "classes":
                return new String[] {"target=moobench.classes.Plain", "loaded=10", "methods=1", "at_once=1", "one_by_one=false", "samples=2", "at_load=false",
                    "patterns=0", "bare=true", "watcher=false", "calls=0", "depth=1", "method_time=0", "busy_wait=lazy"};
            case "server":
                return new String[] {"server=jdk", "pool=200", "target=moobench.server.Plain", "monitored=handler", "toggle=\"\"", "depth=1", "method_time=0", "busy_wait=lazy"};
            default: return new String[] {"depth=1", "threads=1", "method_time=0", "busy_wait=lazy", "batch=1", "rate=0"};
        }
    }

    /** Ends the connection as a harness does that was killed. */
    public void vanish() throws IOException {
        socket.close();
    }

    /** Waits for the JVM to end, and returns its exit status. */
    public int exit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the fixture doesn't end");
        }
        return process.exitValue();
    }

    /** A file of the invocation's folder, as text. */
    public String file(String name) throws IOException {
        return new String(Files.readAllBytes(dir.resolve(name)), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        process.destroyForcibly();
    }
}
