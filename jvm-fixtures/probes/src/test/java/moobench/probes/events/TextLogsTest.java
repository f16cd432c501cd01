package moobench.probes.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import moobench.probes.Methods;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextLogsTest {
    @TempDir Path dir;

    @BeforeEach
    void chooseFolder() {
        System.setProperty("moobench.dir", dir.toString());
    }

    @AfterEach
    void forgetFolder() {
        System.clearProperty("moobench.dir");
    }

    private List<String> lines() throws Exception {
        try (Stream<Path> files = Files.list(dir)) {
            return Files.readAllLines(files.collect(Collectors.toList()).get(0));
        }
    }

    /** Wherever lines wait, they are the same in the end. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "stringbuilder", "memarray"})
    void lines(String kind) throws Exception {
        TextLogs logs = new TextLogs(kind, 1000);
        EventLog log = logs.mine();
        String name = "a " + Thread.currentThread().getName();
        log.begin(name);
        int method = Methods.id("public void a.B.run(java.lang.String)");
        log.add(EventLog.ENTER, 7, this, method);
        log.add(EventLog.THROWN, 9, this, method);
        log.add(EventLog.ENTER, 11, null, method);
        assertEquals(1, logs.close());
        assertEquals(3, logs.entered() + logs.exited());
        String self = getClass().getName() + "_" + Integer.toHexString(System.identityHashCode(this));
        assertEquals(Stream.of("7 EnterMethod: " + self + " run " + name, "9 ExitMethod: " + self + " run " + name, "11 EnterMethod: static_0 run " + name).collect(Collectors.toList()), lines());
    }

    /** What an array has no room for is counted. */
    @Test
    void anArrayThatIsFull() throws Exception {
        TextLogs logs = new TextLogs("memarray", 100);
        for (int i = 0; i < 5; i++) {
            logs.mine().add(EventLog.EXIT, i, null, Methods.id("public void a.B.run()"));
        }
        assertEquals(5 - logs.lost(), logs.close());
        assertEquals(5 - logs.lost(), lines().size());
        assertEquals(5, logs.exited());
    }
}
