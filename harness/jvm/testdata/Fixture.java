import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The smallest program that speaks the fixture protocol, for the test with a real JVM. */
public class Fixture {
    public static void main(String[] args) throws Exception {
        long main = System.nanoTime();
        String[] address = System.getProperty("moobench.control").split(":");
        Socket socket = new Socket(address[0], Integer.parseInt(address[1]));
        say(socket, "hello protocol=1 token=" + System.getenv("MOOBENCH_TOKEN") + " fixture=test pid="
                + ProcessHandle.current().pid() + " jvm=\"" + System.getProperty("java.vm.version") + "\" main_ns=" + main);
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            if (line.equals("quit")) {
                say(socket, "bye");
                return;
            }
            System.gc();
            say(socket, "collected heap_used_bytes=" + (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()));
        }
        Runtime.getRuntime().halt(3);
    }

    private static void say(Socket socket, String line) throws Exception {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
