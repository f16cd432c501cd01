import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** A batch job that asks a shop for its orders, one by one over HTTP, and adds up what they are worth. */
final class Batch {
    private static final int ORDERS = 2_000;

    private Batch() {
    }

    /** Runs the job to its end. */
    public static void main(String[] args) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // else each answer waits 40 ms
        HttpServer shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        shop.createContext("/order/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            byte[] worth = path.substring("/order/".length()).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, worth.length);
            exchange.getResponseBody().write(worth);
            exchange.close();
        });
        shop.start();
        long sum = 0;
        for (int order = 0; order < ORDERS; order++) {
            sum += worth(shop.getAddress().getPort(), order);
        }
        shop.stop(0);
        System.out.println("done: " + ORDERS + " orders worth " + sum);
    }

    private static long worth(int port, int order) throws IOException {
        URL url = new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, "/order/" + order);
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        try (InputStream answer = connection.getInputStream()) {
            return Long.parseLong(new String(answer.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }
}
