package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import moobench.kernel.Counts;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.Signature;
import moobench.sample.Bodies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.objectweb.asm.ClassReader;

class InjectorTest {
    private static final String PROBE = "moobench/probes/Probe";
    private static final Supertypes TYPES = new Supertypes(() -> InjectorTest.class.getClassLoader());

    private static Instrumenting loader(String prefix, Calls.Enter enter) {
        return new Instrumenting(prefix, new Injector(new Calls(enter.tokens ? PROBE : Events.class.getName().replace('.', '/'), enter)));
    }

    /** A probe of events that compares each exit with its entry. */
    public static final class Events {
        static final ArrayDeque<Object[]> UNDER_WAY = new ArrayDeque<>();
        static int exits;
        static int thrown;
        static int waits;
        static int awake;
        static String wrong = "";

        private Events() {}

        public static void enter(Object self, int method) {
            UNDER_WAY.push(new Object[] {self, method});
        }

        public static void exit(Object self, int method) {
            Object[] entry = UNDER_WAY.pop();
            exits++;
            wrong += entry[0] == self && entry[1].equals(method) ? "" : method + " ";
        }

        public static void thrown(Object self, int method) {
            exit(self, method);
            thrown++;
        }

        public static void waits(Object self, int method) {
            waits++;
        }

        public static void awake(Object self, int method) {
            awake++;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT", "EVENT_AND_WAITS"})
    void eventsAreOfTheirObjects(Calls.Enter enter) throws Exception {
        Events.waits = 0;
        Events.awake = 0;
        Class<?> bodies = Class.forName("moobench.sample.Bodies", true, loader("moobench.sample.", enter));
        assertEquals(Bodies.all(), bodies.getMethod("all").invoke(null));
        assertEquals("", Events.wrong);
        assertTrue(Events.UNDER_WAY.isEmpty() && Events.exits > 100 && Events.thrown > 0, Events.exits + " exits, " + Events.thrown + " thrown");
        assertEquals(enter == Calls.Enter.EVENT_AND_WAITS, Events.waits > 0);
        assertTrue(Events.awake <= Events.waits && Events.awake >= Events.waits - Events.thrown);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"EVENT", "EVENT_AND_WAITS"})
    void bodiesDoWhatTheyDid(Calls.Enter enter) throws Exception {
        long entered = Counts.of("entered");
        long exited = Counts.of("exited");
        Class<?> bodies = Class.forName("moobench.sample.Bodies", true, loader("moobench.sample.", enter));
        assertEquals(Bodies.all(), bodies.getMethod("all").invoke(null));
        assertTrue(Counts.of("entered") - entered > 100);
        assertEquals(Counts.of("entered") - entered, Counts.of("exited") - exited);
    }

    /** A library's worth of other compilers' habits: every class must pass the verifier. */
    @ParameterizedTest
    @EnumSource(names = {"ALWAYS", "EVENT_AND_WAITS"})
    void aWholeLibraryPassesTheVerifier(Calls.Enter enter) throws Exception {
        Instrumenting loader = loader("org.objectweb.asm.", enter);
        File jar = new File(ClassReader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> names = new ArrayList<>();
        try (JarFile file = new JarFile(jar)) {
            for (Enumeration<JarEntry> e = file.entries(); e.hasMoreElements(); ) {
                String name = e.nextElement().getName();
                if (name.endsWith(".class") && !name.equals("module-info.class")) {
                    names.add(name.substring(0, name.length() - 6).replace('/', '.'));
                }
            }
        }
        for (String name : names) {
            Class.forName(name, true, loader);
        }
        assertTrue(loader.instrumented() > 30, loader.instrumented() + " classes");
    }

    @Test
    void aClassWithoutAMatchIsLeftAlone() throws Exception {
        Injector.Injected injected = new Injector(new Calls(PROBE, Calls.Enter.ALWAYS)).inject(Instrumenting.bytes(Bodies.class.getResourceAsStream("Bodies.class")), PatternList.parse("+ * moobench.sample.Bodies.absent(..)")::includes, Collections.emptySet(), TYPES);
        assertNull(injected.file);
        assertTrue(injected.methods.contains(Signature.parse("public new moobench.sample.Bodies.<init>(double)")), injected.methods.toString());
    }

    @Test
    void aClassFileThatIsTooNewIsNamed() throws Exception {
        byte[] newer = Instrumenting.bytes(Bodies.class.getResourceAsStream("Bodies.class"));
        newer[7] = 99;
        String message = assertThrows(IllegalStateException.class, () -> new Injector(new Calls(PROBE, Calls.Enter.ALWAYS)).inject(newer, method -> true, Collections.emptySet(), TYPES)).getMessage();
        assertEquals("its class file is of version 99, and up to 70 can be read", message);
    }
}
