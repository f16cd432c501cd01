package moobench.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import moobench.kernel.Message;
import moobench.kernel.Session;
import moobench.kernel.Transcript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final String MAIN = "moobench.server.Main";
    private static final String RIGHT = "200 This is the response";
    private static final String SIGNATURE = "public long %s.monitoredMethod(long, int)";
    private static final int CLIENTS = 50;
    private static final int REQUESTS = 40; // of each client

    @TempDir Path dir;

    private static void needsVirtualThreads(String server) {
        assumeTrue(!server.equals("virtual") || Runtime.version().feature() >= 21, "needs virtual threads");
    }

    private Session start(String how) throws Exception {
        switch (how) {
            case "flag": return Session.start(dir, MAIN, "-Dmoobench.swapper=moobench.probes.FlagSwapper");
            case "list": return Session.start(dir, MAIN, "-Dmoobench.swapper=moobench.probes.ListSwapper");
            case "agent": return Session.start(dir, MAIN, Session.agent(dir, "moobench.hotswap.Agent"));
            default: return Session.start(dir, MAIN);
        }
    }

    private static int setUp(Session session, String server, String target) throws IOException {
        return setUp(session, server, target, "handler");
    }

    private static int setUp(Session session, String server, String target, String monitored) throws IOException {
        String toggle = String.format(SIGNATURE, target);
        Message ready = session.setUp("server=" + server + " pool=60 depth=3 monitored=" + monitored + " target=" + target + " toggle=\"" + toggle + "\"");
        assertEquals("ready", ready.verb(), ready.toString());
        return (int) ready.integer("port");
    }

    @Test
    void transcript() throws Exception {
        try (Session session = Session.start(dir, MAIN)) {
            Transcript.replay("server.txt", session);
            assertEquals(0, session.exit());
            assertEquals("", session.file("out.log"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jdk, none, moobench.server.Plain, handler", "virtual, none, moobench.server.Plain, leaf", "jetty, none, moobench.server.Plain, handler",
        "jdk, flag, moobench.probes.Manual, handler", "virtual, flag, moobench.probes.Manual, handler", "jetty, flag, moobench.probes.Manual, leaf",
        "jdk, list, moobench.probes.Listed, leaf", "virtual, list, moobench.probes.Listed, handler", "jetty, list, moobench.probes.Listed, handler",
        "jdk, agent, moobench.server.Plain, handler", "virtual, agent, moobench.server.Plain, handler", "jetty, agent, moobench.server.Plain, handler",
        "jdk, agent, moobench.server.Plain, leaf", "virtual, agent, moobench.server.Plain, leaf", "jetty, agent, moobench.server.Plain, leaf",
    })
    void answersRightlyWhileTheProbeIsSwitched(String server, String how, String target, String monitored) throws Exception {
        needsVirtualThreads(server);
        try (Session session = start(how)) {
            int port = setUp(session, server, target, monitored);
            int posts = load(session, port);
            Message counts = session.ask("counts");
            long gets = CLIENTS * (long) REQUESTS + 2;
            long calls = gets + (monitored.equals("handler") ? posts : 0);
            int toggles = how.equals("none") ? 0 : posts;
            assertEquals("counts gets=" + gets + " posts=" + posts + " monitored_calls=" + calls + " toggles=" + toggles + " failed=0", counts.toString());
            check(settled(session), how.equals("none"), calls);
            session.ask("dump");
            assertTogglesAlternate(toggles);
            assertEquals("bye", session.ask("quit").verb());
            assertEquals(0, session.exit());
        }
    }

    /** What the probe has counted once the handlers have left it, which they do after they have answered. */
    private static Message settled(Session session) throws Exception {
        Message records = session.ask("records");
        for (int i = 0; i < 1000 && !Objects.equals(records.get("entered"), records.get("exited")); i++) {
            Thread.sleep(10);
            records = session.ask("records");
        }
        return records;
    }

    private static void check(Message records, boolean none, long calls) {
        if (none) {
            assertEquals("records", records.toString());
            return;
        }
        long recorded = records.integer("recorded");
        assertEquals("records entered=" + recorded + " exited=" + recorded + " recorded=" + recorded, records.toString());
        // The first GET found the probe in, and the last one found it out.
        assertTrue(recorded >= 3 && recorded <= 3 * (calls - 1), recorded + " records of " + calls + " calls");
    }

    /** All clients at once, and one that switches meanwhile; returns how often it did, an even number. */
    private static int load(Session session, int port) throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        int posts = 1;
        try (Client switching = new Client(port)) {
            assertEquals(RIGHT, switching.ask("POST"));
            session.ask("counts"); // when what was asked for is done
            assertEquals(RIGHT, switching.ask("GET"));
            List<Thread> clients = clients(port, failures);
            Thread end = new Thread(() -> joinAll(clients, over));
            end.start();
            for (; !over.get() || posts % 2 == 1; posts++) {
                assertEquals(RIGHT, switching.ask("POST"));
                Thread.sleep(5);
            }
            session.ask("counts"); // when what was asked for is done
            assertEquals(RIGHT, switching.ask("GET"));
        }
        assertEquals(Collections.emptyList(), new ArrayList<>(failures));
        return posts;
    }

    private static List<Thread> clients(int port, Queue<Throwable> failures) {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Thread thread = new Thread(() -> {
                try (Client client = new Client(port)) {
                    for (int request = 0; request < REQUESTS; request++) {
                        assertEquals(RIGHT, client.ask("GET"));
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
            thread.start();
            clients.add(thread);
        }
        return clients;
    }

    private static void joinAll(List<Thread> threads, AtomicBoolean over) {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        over.set(true);
    }

    /** The rows of the dump: asked, took, on, failed. */
    private List<long[]> toggles() throws IOException {
        byte[] file = Files.readAllBytes(dir.resolve("toggle.0.i64"));
        int from = new String(file, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
        ByteBuffer rows = ByteBuffer.wrap(file, from, file.length - from - 16).order(ByteOrder.LITTLE_ENDIAN);
        List<long[]> all = new ArrayList<>();
        while (rows.hasRemaining()) {
            all.add(new long[] {rows.getLong(), rows.getLong(), rows.getLong(), rows.getLong()});
        }
        return all;
    }

    private void assertTogglesAlternate(int count) throws IOException {
        List<long[]> rows = toggles();
        assertEquals(count, rows.size());
        for (int i = 0; i < count; i++) {
            long[] row = rows.get(i);
            assertTrue(row[0] > 0 && row[1] > 0, "asked and took");
            assertEquals((i + 1) % 2, row[2], "on");
            assertEquals(0, row[3], "failed");
        }
    }

    @Test
    void togglesThatFailAreCountedAndSaid() throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Dmoobench.swapper=moobench.server.FailingSwapper")) {
            int port = setUp(session, "jdk", "moobench.server.Plain");
            try (Client client = new Client(port)) {
                for (int i = 0; i < 4; i++) { // planted: fails, fine, fine, throws
                    assertEquals(RIGHT, client.ask("POST"));
                }
            }
            assertEquals("counts gets=0 posts=4 monitored_calls=4 toggles=4 failed=2 reason=\"class a.B: planted 1\"", session.ask("counts").toString());
            session.ask("dump");
            StringBuilder failed = new StringBuilder();
            toggles().forEach(row -> failed.append(row[3]));
            assertEquals("1001", failed.toString());
        }
    }

    @Test
    void withoutAPatternAPostOnlyAnswers() throws Exception {
        try (Session session = start("flag")) {
            int port = (int) session.setUp("target=moobench.probes.Manual").integer("port");
            try (Client client = new Client(port)) {
                assertEquals(RIGHT, client.ask("POST"));
                assertEquals(RIGHT, client.ask("GET"));
            }
            assertEquals("counts gets=1 posts=1 monitored_calls=2 toggles=0 failed=0", session.ask("counts").toString());
        }
    }

    /** The method that switches its own probe is on the stack while it does, and the record of that call is whole. */
    @Test
    void theHandlerOfThePostIsMonitoredToo() throws Exception {
        try (Session session = start("agent")) {
            int port = setUp(session, "jdk", "moobench.server.Plain");
            try (Client client = new Client(port)) {
                assertEquals(RIGHT, client.ask("POST"));
                assertEquals("1", session.ask("counts").require("toggles"));
                assertEquals("405 ", client.ask("DELETE"));
                assertEquals(RIGHT, client.ask("POST"));
                session.ask("counts");
                assertEquals(RIGHT, client.ask("GET"));
            }
            // Depth 3: the DELETE and the second POST entered with the probe in.
            assertEquals("records entered=6 exited=6 recorded=6", settled(session).toString());
            assertEquals("counts gets=1 posts=2 monitored_calls=4 toggles=2 failed=0", session.ask("counts").toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "jetty"})
    void otherMethodsAreRefused(String server) throws Exception {
        try (Session session = start("none")) {
            try (Client client = new Client(setUp(session, server, "moobench.server.Plain"))) {
                assertEquals("405 ", client.ask("DELETE"));
                assertEquals(RIGHT, client.ask("GET"));
            }
        }
    }

    /** How many of 300 connections the server has closed when each has had its first answer. */
    private int closed(Session session, String server) throws Exception {
        int port = setUp(session, server, "moobench.server.Plain");
        List<Client> clients = new ArrayList<>();
        int closed = 0;
        for (int i = 0; i < 300; i++) {
            clients.add(new Client(port));
            assertEquals(RIGHT, clients.get(i).ask("GET"));
        }
        for (Client client : clients) {
            try (client) {
                assertEquals(RIGHT, client.ask("GET"));
            } catch (IOException e) {
                closed++;
            }
        }
        return closed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "virtual", "jetty"})
    void keepsThreeHundredConnections(String server) throws Exception {
        needsVirtualThreads(server);
        try (Session session = start("none")) {
            assertEquals(0, closed(session, server));
        }
    }

    /** What the limits are lifted for: without, the JDK's server loses connections by itself. */
    @Test
    void theJdksOwnLimitLosesConnections() throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Dsun.net.httpserver.maxIdleConnections=200")) {
            int closed = closed(session, "jdk");
            assertTrue(closed > 0, "closed " + closed);
        }
    }

    @Test
    void virtualNeedsAJdkThatHasThem() throws Exception {
        try (Session session = start("none")) {
            Message answer = session.setUp("server=virtual");
            if (Runtime.version().feature() >= 21) {
                assertEquals("ready", answer.verb());
            } else {
                String version = System.getProperty("java.version");
                assertTrue(answer.require("message").contains("this is JDK " + version), answer.toString());
                assertEquals("ready", session.setUp("server=jdk").verb());
            }
        }
    }

    @Test
    void endsAtOnceWhenTheHarnessVanishes() throws Exception {
        try (Session session = start("none")) {
            setUp(session, "jetty", "moobench.server.Plain");
            session.vanish();
            assertEquals(3, session.exit());
        }
    }
}
