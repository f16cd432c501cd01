package moobench.swappers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtMethod;
import moobench.kernel.Message;
import moobench.kernel.Session;
import moobench.probes.patterns.PatternList;
import moobench.sample.Throwing;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwappersTest {
    private static final String PLAIN = "pattern=\"public long moobench.calls.Plain.monitoredMethod(long, int)\"";

    @TempDir Path dir;

    private Session start(String swapper, String... more) throws Exception {
        String[] options = Arrays.copyOf(new String[] {Session.agent(dir, "moobench.hotswap.Agent"), "-Dmoobench.hotswap.probe=moobench", "-Dmoobench.swapper=moobench.swappers." + swapper}, 3 + more.length);
        System.arraycopy(more, 0, options, 3, more.length);
        return Session.start(dir, "moobench.calls.Main", options);
    }

    @ParameterizedTest
    @CsvSource({
        "Javassist, + * moobench.sample.Throwing.inner(..), 1000",
        "ByteBuddy, + * moobench.sample.Throwing.inner(..), 1000",
        "Javassist, + * moobench.sample..*.*(..); - * *..*.inner(..), 100",
        "ByteBuddy, + * moobench.sample..*.*(..); - * *..*.inner(..), 100",
        "ByteBuddy, '', 0",
    })
    void whileTheClassIsLoaded(String library, String patterns, int records) throws Exception {
        try (Session session = Session.start(dir, "moobench.calls.Main", Session.agent(dir, "moobench.swappers.Agent") + "=" + library, "-Dmoobench.probe.load=" + patterns)) {
            session.setUp("target=moobench.sample.Throwing calls=100 depth=10");
            session.ask("measure");
            assertEquals("records entered=" + records + " exited=" + records + " recorded=" + records, session.ask("records").toString());
            session.ask("quit");
            assertEquals(0, session.exit());
            assertEquals("", session.file("out.log"));
        }
    }

    /** What the class files say of the methods is what the JVM says of them, once they are loaded. */
    @ParameterizedTest
    @ValueSource(classes = {Named.class, Named.Inner.class, Named.Listed.class, Throwing.class})
    void bothLibrariesReadSignatures(Class<?> type) throws Exception {
        byte[] file = Redefine.original(type);
        for (boolean annotated : new boolean[] {false, true}) {
            String pattern = annotated ? "+ @java.lang.Deprecated * moobench..*.*(..)" : "+ * moobench..*.*(..) throws ..";
            Map<String, String> wanted = Loaded.included(type, PatternList.parse(pattern));
            for (Library library : new Library[] {new ByteBuddy(), new Javassist()}) {
                Map<String, String> read = new HashMap<>();
                library.methods(type.getClassLoader(), type.getName(), file, annotated).forEach((method, signature) -> {
                    if (PatternList.parse(pattern).includes(signature)) {
                        read.put(method, signature.toString());
                    }
                });
                assertEquals(wanted, read, library.getClass() + " " + pattern);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Redefine", "Javassist", "ByteBuddy"})
    void inAndOutAsOftenAsOneLikes(String swapper) throws Exception {
        try (Session session = start(swapper)) {
            session.setUp("target=moobench.calls.Plain calls=100 depth=10");
            for (int round = 1; round <= 5; round++) {
                changes(session.ask("activate " + PLAIN), 1, 1);
                changes(session.ask("activate " + PLAIN), 0, 0);
                assertEquals("" + 1000 * round, session.ask("measure").require("recorded"));
                changes(session.ask("deactivate " + PLAIN), 1, 1);
                assertEquals("" + 1000 * round, session.ask("measure").require("recorded"));
            }
            assertEquals("records entered=5000 exited=5000 recorded=5000", session.ask("records").toString());
        }
    }

    private static void changes(Message answer, int classes, int methods) {
        assertEquals("" + classes, answer.require("classes"), answer.toString());
        assertEquals("" + methods, answer.require("methods"));
        assertEquals("0", answer.require("failed"));
        long parts = answer.integer("match_ns") + answer.integer("transform_ns") + answer.integer("swap_ns");
        assertEquals(answer.integer("took_ns"), parts);
    }

    @ParameterizedTest
    @CsvSource({
        "Redefine, * moobench.sample.Throwing.inner(..), 1, 1000",
        "Javassist, private static long moobench.sample.Throwing.inner(int), 1, 1000",
        "ByteBuddy, * moobench.sample.Throwing.inner(int), 1, 1000",
        "Redefine, * moobench.sample.*.*(..), 2, 1100",
        "Javassist, * moobench.sample.*.*(..), 2, 1100",
        "ByteBuddy, * moobench..Throwing.*(..), 2, 1100",
    })
    void exceptionsLeaveThroughTheExit(String swapper, String pattern, int methods, int records) throws Exception {
        try (Session session = start(swapper)) {
            session.setUp("target=moobench.sample.Throwing calls=100 depth=10");
            changes(session.ask("activate pattern=\"" + pattern + "\""), 1, methods);
            session.ask("measure");
            assertEquals("records entered=" + records + " exited=" + records + " recorded=" + records, session.ask("records").toString());
            assertEquals("instrumented count=" + methods, last(session, "instrumented"));
            changes(session.ask("remove pattern=\"" + pattern + "\""), 1, methods);
            session.ask("measure");
            assertEquals("records entered=" + records + " exited=" + records + " recorded=" + records, session.ask("records").toString());
            assertEquals("instrumented count=0", last(session, "instrumented"));
        }
    }

    private static String last(Session session, String request) throws Exception {
        session.send(request);
        String line = session.receive();
        while (line.startsWith("method ")) {
            line = session.receive();
        }
        return line;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Redefine", "Javassist", "ByteBuddy"})
    void theNewestPatternDecides(String swapper) throws Exception {
        try (Session session = start(swapper)) {
            session.setUp("target=moobench.sample.Throwing calls=100 depth=10");
            changes(session.ask("replace patterns=\"+ * moobench.sample.Throwing.*(..); - * moobench.sample.Throwing.inner(..)\""), 1, 1);
            assertEquals("100", session.ask("measure").require("recorded"));
            changes(session.ask("remove pattern=\"* moobench.sample.Throwing.inner(..)\""), 1, 1);
            assertEquals("1200", session.ask("measure").require("recorded"));
            changes(session.ask("replace patterns=\"\""), 1, 2);
            assertEquals("1200", session.ask("measure").require("recorded"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Redefine", "Javassist", "ByteBuddy"})
    void aPatternThatMissesChangesNothing(String swapper) throws Exception {
        try (Session session = start(swapper)) {
            session.setUp("target=moobench.calls.Plain calls=100");
            changes(session.ask("activate pattern=\"* nowhere.Nothing.at(..)\""), 0, 0);
            changes(session.ask("activate pattern=\"* nowhere..*.at(..)\""), 0, 0);
            changes(session.ask("activate pattern=\"* java.lang.String.*(..)\""), 0, 0);
            assertEquals("error", session.ask("activate pattern=\"no pattern\"").verb());
            assertEquals("error", session.ask("activate pattern=\"- * a.B.*(..)\"").verb());
        }
    }

    /** A method that is as large as it can be: with a probe it would be too large. The class beside it is exchanged. */
    @ParameterizedTest
    @ValueSource(strings = {"Redefine", "Javassist", "ByteBuddy"})
    void aClassThatFailsStaysAsItWas(String swapper) throws Exception {
        large(dir);
        try (Session session = start(swapper, "-cp", Session.classPath() + File.pathSeparator + dir)) {
            assertEquals("ready", session.setUp("target=moobench.sample.Large calls=100").verb());
            session.send("activate pattern=\"* moobench.sample.*.*(..)\"");
            String failure = session.receive();
            assertTrue(failure.startsWith("failure reason=\"class moobench.sample.Large: "), failure);
            assertTrue(session.receive().startsWith("active classes=0 methods=0 "));
            assertEquals("0", session.ask("measure").require("recorded"));
            assertEquals("instrumented count=0", last(session, "instrumented"));
        }
    }

    private static void large(Path dir) throws Exception {
        CtClass type = new ClassPool(true).makeClass("moobench.sample.Large");
        type.addInterface(new ClassPool(true).get("moobench.kernel.Target"));
        StringBuilder body = new StringBuilder("{ long a = $1;");
        for (int i = 0; i < 8_190; i++) {
            body.append("a += $1 * $1;"); // 8 bytes of at most 65,535
        }
        type.addMethod(CtMethod.make("public long monitoredMethod(long t, int depth) " + body.append("return a; }"), type));
        type.writeFile(dir.toString());
    }

    /** Methods of all kinds. */
    abstract static class Named {
        @Deprecated
        protected static synchronized int[][] arrays(String[] a, Inner[][] b, long... c) throws java.io.IOException, InterruptedException {
            return null;
        }

        public final Map<String, ? extends Listed<String>> generic(java.util.List<? super Integer> list) {
            return null;
        }

        abstract void missing();

        @Deprecated
        static class Inner {
            private char letter(byte b, short s, float f, double d, boolean z) {
                return 'a';
            }
        }

        interface Listed<T extends Comparable<T>> {
            <E extends Exception> T first(T a) throws E;

            default T own(T a) {
                return a;
            }
        }
    }
}
