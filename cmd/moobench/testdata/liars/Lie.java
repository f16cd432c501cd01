
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;

/** What agents that lie have in common. Each runs in the folder of its invocation. */
class Lie {
    /** The folder of the test, and the port of moobench's receiver; "" or 0 where there is none. */
    static String place = "";
    static int port;
    static Instrumentation inst;

    /** Calls of the loop times its depth: what a perfect lie says was recorded. */
    static final int PERFECT = 20_000;

    interface Step {
        void take() throws Exception;
    }

    static void records(int n) throws IOException {
        byte[] lines = new byte[2 * n];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = (byte) (i % 2 == 0 ? 'r' : '\n');
        }
        Files.write(Paths.get("rec.csv"), lines);
    }

    static Thread thread(boolean daemon, Step step) {
        Thread thread = new Thread(() -> {
            try {
                step.take();
            } catch (Exception e) {
                e.printStackTrace();
            }
        });
        thread.setDaemon(daemon);
        thread.start();
        return thread;
    }

    static void later(long ms, Step step) {
        thread(true, () -> {
            Thread.sleep(ms);
            step.take();
        });
    }

    static void sleep() throws InterruptedException {
        Thread.sleep(1_000_000);
    }

    /** Runs a shell command to its end. */
    static void sh(String command) throws Exception {
        new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
    }

    static String self() throws IOException {
        return new File("/proc/self").getCanonicalFile().getName();
    }

    /** The process that started this one: moobench. */
    static String moobench() throws IOException {
        String stat = new String(Files.readAllBytes(Paths.get("/proc/self/stat")), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[1];
    }

    static void sparse(String name, byte[] begin) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(name, "rw")) {
            file.write(begin);
            file.setLength(1L << 40);
        }
    }

    /** A chunk of Flight Recorder of this size in its header. */
    static byte[] chunk(long size, long metadata) {
        return ByteBuffer.allocate(68).put("FLR\0".getBytes(StandardCharsets.US_ASCII)).putShort((short) 2).putShort((short) 1)
                .putLong(size).putLong(metadata).putLong(metadata).putLong(1).putLong(1).putLong(1).putLong(1_000_000_000).putInt(0).array();
    }

    /** Overwrites samples once they are written, before the JVM ends. */
    static void overwrite(String series, long with) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Path file = Paths.get(series + ".0.i64");
                byte[] all = Files.readAllBytes(file);
                ByteBuffer values = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
                int at = 0;
                while (all[at++] != '\n') {}
                for (; at < all.length - 16; at += 8) {
                    values.putLong(at, with);
                }
                Files.write(file, all);
            } catch (IOException e) {
                e.printStackTrace();
            }
        }));
    }

    /** Rewrites what other invocations measured, ten times as long, with the checksum that goes with it. */
    static void tamper() throws Exception {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(Paths.get("..").toRealPath(), "b*")) {
            for (Path other : others) {
                Path file = other.resolve("invocation.json");
                String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
                Files.write(file, text.replaceAll("(\"(?:cpu_ns|startup_ns|loop_ns)\": [0-9]+)", "$10").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** Exchanges the jar of the fixture that is measured. */
    static void exchange() throws Exception {
        for (String jar : System.getProperty("java.class.path").split(":")) {
            if (jar.endsWith("calls.jar")) {
                Files.copy(Paths.get(jar), Paths.get("copy.jar"));
                Files.write(Paths.get("copy.jar"), "evil".getBytes(), java.nio.file.StandardOpenOption.APPEND);
                Files.move(Paths.get("copy.jar"), Paths.get(jar), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    static Socket control() throws IOException {
        String[] address = System.getProperty("moobench.control").split(":");
        return new Socket(InetAddress.getByName(address[0]), Integer.parseInt(address[1]));
    }

    /** Says hello before the fixture can, with the token that it was given, and answers with what hurts terminals. */
    static void first() throws Exception {
        Socket socket = control();
        OutputStream out = socket.getOutputStream();
        out.write(("hello protocol=1 token=" + System.getenv("MOOBENCH_TOKEN") + " fixture=calls pid=" + self() + " jvm=1 vm=x main_ns=1\n").getBytes());
        socket.getInputStream().read(new byte[1000]);
        out.write("error message=\"\u001b[31m::error::evil\u001b[0m\"\n".getBytes());
        sleep();
    }

    /** Sends garbage to whoever listens for fixtures. */
    static void garbage() {
        for (int i = 0; i < 8; i++) {
            thread(true, () -> {
                OutputStream out = control().getOutputStream();
                byte[] chunk = new byte[1 << 20];
                Arrays.fill(chunk, (byte) 'x');
                for (int n = 0; n < 16; n++) {
                    out.write(chunk);
                }
            });
        }
    }

    /** Sends requests to the receiver: as long as is announced, or what is in them. */
    static void post(String header, byte[] body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OutputStream out = socket.getOutputStream();
        out.write(("POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\n" + header + "\r\n").getBytes());
        out.write(body);
        out.flush();
        InputStream in = socket.getInputStream();
        if (body.length > 0) {
            in.read(new byte[100]);
        }
    }

    /** So many spans of OTLP, each of them empty. */
    static byte[] spans(int n) {
        byte[] body = new byte[2 * n];
        for (int i = 0; i < body.length; i += 2) {
            body[i] = 0x12; // ScopeSpans.spans, of no length
        }
        return message(0x0a, message(0x12, body)); // ExportTraceServiceRequest.resource_spans, ResourceSpans.scope_spans
    }

    private static byte[] message(int key, byte[] of) {
        ByteBuffer all = ByteBuffer.allocate(of.length + 10).put((byte) key);
        int n = of.length;
        for (; n > 127; n >>>= 7) {
            all.put((byte) (n & 127 | 128));
        }
        return Arrays.copyOf(all.put((byte) n).put(of).array(), all.position());
    }

    static byte[] zipped(int megabytes) throws IOException {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        try (java.util.zip.GZIPOutputStream zip = new java.util.zip.GZIPOutputStream(out)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < megabytes; i++) {
                zip.write(zeros);
            }
        }
        return out.toByteArray();
    }

    /** How often this agent was started in this campaign before. */
    static int starts() throws IOException {
        Path file = FileSystems.getDefault().getPath(place, "starts");
        try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
            out.write('x');
        }
        return (int) Files.size(file) - 1;
    }
}
