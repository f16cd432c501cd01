package moobench.bridge.arthas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApiTest {
    private HttpServer server;
    private String asked;
    private String answer;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api", exchange -> {
            byte[] chunk = new byte[1000];
            asked = new String(chunk, 0, exchange.getRequestBody().read(chunk), StandardCharsets.UTF_8);
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    @Test
    void asksAndReads() throws IOException {
        answer = "{\"sessionId\":\"s-1\",\"state\":\"SCHEDULED\",\"body\":{\"effect\":{\"classCount\":2,\"cost\":-3}}}";
        String got = new Api(server.getAddress().getPort()).ask("action", "exec", "command", "a \"b\" \\c");
        assertEquals("{\"action\":\"exec\",\"command\":\"a \\\"b\\\" \\\\c\"}", asked);
        assertEquals("s-1", Api.text(got, "sessionId"));
        assertEquals("", Api.text(got, "consumerId"));
        assertEquals(2, Api.number(got, "classCount"));
        assertEquals(-3, Api.number(got, "cost"));
        assertEquals(0, Api.number(got, "methodCount"));
    }

    @Test
    void whatIsRefusedIsThrown() throws IOException {
        answer = "{\"state\":\"REFUSED\",\"message\":\"Another job is running.\"}";
        Api api = new Api(server.getAddress().getPort());
        String why = assertThrows(IOException.class, () -> api.ask("action", "exec")).getMessage();
        assertTrue(why.contains("Another job is running."), why);
    }
}
