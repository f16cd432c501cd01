import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.InetSocketAddress;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.LongAdder;

/** An agent of somebody's: it sees classes, says how many at the end, and serves their number at the port of its options. */
public class MyAgent implements ClassFileTransformer {
    private static final LongAdder SEEN = new LongAdder();

    public static void premain(String port, Instrumentation instrumentation) throws IOException {
        instrumentation.addTransformer(new MyAgent());
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 0);
        server.createContext("/metrics", exchange -> {
            byte[] text = ("records_total " + SEEN + "\n").getBytes();
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("recorded " + SEEN)));
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] code) {
        SEEN.increment();
        return null;
    }
}
