package moobench.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import moobench.kernel.Message;
import moobench.kernel.Session;
import moobench.kernel.Transcript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final String MAIN = "moobench.calls.Main";

    @TempDir Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"happy.txt", "errors.txt", "quoting.txt"})
    void transcript(String name) throws Exception {
        try (Session session = Session.start(dir, MAIN)) {
            Transcript.replay(name, session);
            assertEquals(0, session.exit());
            assertEquals("", session.file("out.log"));
        }
    }

    /** A property would stand on the command line, which every user of the machine can read. */
    @Test
    void takesItsTokenFromTheEnvironmentAlone() throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Dmoobench.token=other")) {
            assertEquals("t0k3n", Message.parse(session.greeting.getBytes("UTF-8")).require("token"));
        }
    }

    @Test
    void dumpsWhatItSays() throws Exception {
        try (Session session = Session.start(dir, MAIN)) {
            session.setUp("target=moobench.calls.Plain calls=5000 depth=3 threads=2");
            session.ask("measure");
            long bytes = Long.parseLong(session.ask("dump").require("bytes"));
            long sum = 0;
            for (String series : new String[] {"duration", "reference", "compiling"}) {
                sum += Files.size(dir.resolve(series + ".0.i64")) + Files.size(dir.resolve(series + ".1.i64"));
            }
            assertEquals(bytes, sum);
        }
    }

    /** Else it would be slow at the beginning of each loop, which is all of a short one. */
    @Test
    void compilersHaveFinishedWithTheReferenceBeforeTheLoop() throws Exception {
        String[] options = {"-XX:TieredStopAtLevel=4", "-Xbatch", "-XX:+PrintCompilation"};
        try (Session session = Session.start(dir, MAIN, options)) {
            session.setUp("target=moobench.calls.Plain calls=100000 depth=10");
            String before = session.file("out.log");
            for (String method : new String[] {"call", "work", "take"}) {
                String byC2 = " 4 +moobench\\.kernel\\.Reference::" + method + " ";
                assertTrue(Pattern.compile(byC2).matcher(before).find(), method + " isn't compiled by C2 yet: " + before);
            }
            session.ask("measure");
            String during = session.file("out.log").substring(before.length());
            assertFalse(Pattern.compile("Reference::(call|work|take) ").matcher(during).find(), during);
        }
    }

    @Test
    void endsAtOnceWhenTheHarnessVanishes() throws Exception {
        try (Session session = Session.start(dir, MAIN)) {
            session.vanish();
            assertEquals(3, session.exit());
        }
    }

    @Test
    void endsAtOnceWhenTheHarnessVanishesDuringTheLoop() throws Exception {
        try (Session session = Session.start(dir, MAIN)) {
            session.setUp("target=moobench.calls.Plain calls=1000000 method_time=1000000000");
            session.send("measure"); // would take eleven days
            session.vanish();
            assertEquals(3, session.exit());
        }
    }

    @Test
    void refusesALineThatIsTooLongAndGoesOn() throws Exception {
        try (Session session = Session.start(dir, MAIN)) {
            char[] blanks = new char[70_000];
            java.util.Arrays.fill(blanks, 'x');
            assertEquals("line is longer than 65536 bytes", session.ask(new String(blanks)).require("message"));
            assertEquals("bye", session.ask("quit").verb());
        }
    }

    @Test
    void saysWhenTheHeapIsTooSmall() throws Exception {
        try (Session session = Session.start(dir, MAIN, "-Xmx32m")) {
            String message = session.setUp("target=moobench.calls.Plain calls=100000000").require("message");
            assertEquals("not enough heap", message.substring(0, "not enough heap".length()));
        }
    }
}
