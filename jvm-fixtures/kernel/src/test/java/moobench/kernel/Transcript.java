package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** A recorded session in jvm-fixtures/protocol: {@code >} is sent, {@code <} is expected, a value {@code *} varies. */
public final class Transcript {
    private Transcript() {}

    /** Replays a transcript with a session that has just been started. */
    public static void replay(String name, Session session) throws IOException {
        Path file = Paths.get(System.getProperty("moobench.protocol", "../protocol"), name);
        int number = 0;
        boolean greeted = false;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.startsWith("> ")) {
                session.send(line.substring(2));
            } else if (line.startsWith("< ")) {
                String got = greeted ? session.receive() : session.greeting;
                greeted = true;
                assertEquals(line.substring(2), masked(line.substring(2), got), name + ":" + number);
            }
        }
    }

    /** What was received, with * for the values that may vary. */
    private static String masked(String expected, String got) {
        String[] want = expected.split(" (?=[a-z0-9_]+=)");
        String[] have = String.valueOf(got).split(" (?=[a-z0-9_]+=)");
        for (int i = 0; i < have.length && i < want.length; i++) {
            if (want[i].endsWith("=*") && have[i].startsWith(want[i].substring(0, want[i].length() - 1))) {
                have[i] = want[i];
            }
        }
        return String.join(" ", have);
    }
}
