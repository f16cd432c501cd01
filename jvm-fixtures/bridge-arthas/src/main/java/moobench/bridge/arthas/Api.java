package moobench.bridge.arthas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Arthas's HTTP interface. Its answers are JSON, of which a few fields are picked out. */
final class Api {
    private static final int PATIENCE_MS = 60_000;

    private final URL url;

    Api(int port) throws IOException {
        url = new URL("http://127.0.0.1:" + port + "/api");
    }

    /** Sends a request of these keys and values, and returns the answer; one that is no success is thrown. */
    String ask(String... keysAndValues) throws IOException {
        StringBuilder request = new StringBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            request.append(i == 0 ? "{" : ",").append(quoted(keysAndValues[i])).append(':').append(quoted(keysAndValues[i + 1]));
        }
        String answer = post(request.append('}').toString());
        String state = text(answer, "state");
        if (!state.equals("SUCCEEDED") && !state.equals("SCHEDULED")) {
            throw new IOException("Arthas refuses " + request + ": " + answer);
        }
        return answer;
    }

    private String post(String request) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(PATIENCE_MS);
        connection.setReadTimeout(PATIENCE_MS);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
            out.write(request.getBytes(StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (InputStream in = connection.getInputStream()) {
            byte[] chunk = new byte[8192];
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                answer.write(chunk, 0, n);
            }
        }
        return new String(answer.toByteArray(), StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The text of the first field of this name, which has no quotes in it; nothing where there is none. */
    static String text(String answer, String field) {
        Matcher found = Pattern.compile(quoted(field) + ":\"([^\"]*)\"").matcher(answer);
        return found.find() ? found.group(1) : "";
    }

    /** The number in the first field of this name; 0 where there is none. */
    static long number(String answer, String field) {
        Matcher found = Pattern.compile(quoted(field) + ":(-?\\d+)").matcher(answer);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
