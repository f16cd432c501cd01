package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import moobench.probes.Methods;
import moobench.probes.Section;
import moobench.sample.Locked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocksTest {
    private static final String PROBE = Events.class.getName().replace('.', '/');

    /** A probe that compares what it is told with what the JVM knows. */
    public static final class Events {
        static final ThreadLocal<Deque<Object>> HELD = ThreadLocal.withInitial(ArrayDeque::new);
        static final ThreadLocal<Map<Integer, Object>> ASKED = ThreadLocal.withInitial(HashMap::new);
        static final AtomicInteger REQUESTS = new AtomicInteger();
        static final AtomicInteger ACQUIRED = new AtomicInteger();
        static final AtomicInteger GIVEN = new AtomicInteger();
        static final AtomicInteger THROWN = new AtomicInteger();
        static final AtomicInteger WAITS = new AtomicInteger();
        static final AtomicInteger CALLS = new AtomicInteger();
        static volatile String wrong = "";

        private Events() {}

        public static int lock(Object lock) {
            ASKED.get().put(System.identityHashCode(lock), lock);
            return System.identityHashCode(lock);
        }

        public static int request(Object lock, int section) {
            REQUESTS.incrementAndGet();
            return lock(lock);
        }

        public static void acquired(int hash, int section) {
            ACQUIRED.incrementAndGet();
            Object lock = ASKED.get().get(hash);
            HELD.get().push(lock);
            Section.Kind kind = Methods.section(section).kind;
            boolean monitor = kind == Section.Kind.BLOCK || kind == Section.Kind.METHOD;
            wrong += monitor && !Thread.holdsLock(lock) ? Methods.signature(section) + " isn't held; " : "";
        }

        public static boolean acquired(boolean got, int hash, int section) {
            if (got) {
                acquired(hash, section);
            }
            return got;
        }

        public static long acquired(long stamp, int hash, int section) {
            acquired(stamp != 0, hash, section);
            return stamp;
        }

        public static void released(Object lock, long time, int section) {
            GIVEN.incrementAndGet();
            Object held = HELD.get().poll();
            wrong += held != lock ? Methods.signature(section) + " gives back " + lock + ", not " + held + "; " : "";
        }

        public static void thrown(Object lock, int section) {
            THROWN.incrementAndGet();
            if (Methods.section(section) != null) {
                released(lock, 0, section);
            }
        }

        public static void waits(Object lock, int section) {
            WAITS.incrementAndGet();
        }

        public static void awake(Object lock, int section) {}

        public static void enter(Object self, int method) {
            CALLS.incrementAndGet();
        }

        public static void exit(Object self, int method) {}
    }

    @BeforeEach
    void nothingYet() {
        Events.wrong = "";
        for (AtomicInteger each : Arrays.asList(Events.REQUESTS, Events.ACQUIRED, Events.GIVEN, Events.THROWN, Events.WAITS, Events.CALLS)) {
            each.set(0);
        }
    }

    private static String all(String... wanted) throws Exception {
        Instrumenting loader = new Instrumenting("moobench.sample.Locked", new Injector(new Locks(PROBE, new HashSet<>(Arrays.asList(wanted)))));
        return (String) Class.forName("moobench.sample.Locked", true, loader).getMethod("all").invoke(null);
    }

    /** Programs do what they did, and every lock that is got is given back by the same section, also after a full stack. */
    @ParameterizedTest
    @ValueSource(strings = {"", "contention", "contention,explicit", "contention,explicit,callers,calls"})
    void programsDoWhatTheyDid(String wanted) throws Exception {
        assertEquals(Locked.all(), all(wanted.split(",")));
        assertTrue(Events.ACQUIRED.get() > 30 && Events.THROWN.get() > 5, Events.ACQUIRED + " got, " + Events.THROWN + " given back by handlers");
        assertEquals(wanted.contains("contention"), Events.REQUESTS.get() >= Events.ACQUIRED.get());
        assertEquals(wanted.contains("explicit") ? 4 : 2, Events.WAITS.get());
        assertEquals(wanted.contains("calls"), Events.CALLS.get() > 0);
    }

    /** What is told of a full stack may lack an event, but not one more; so it is left out where all are compared. */
    @Test
    void eachIsGivenBackOnce() throws Exception {
        Instrumenting loader = new Instrumenting("moobench.sample.Locked", new Injector(new Locks(PROBE, new HashSet<>(Arrays.asList("contention", "explicit")))));
        Class<?> locked = Class.forName("moobench.sample.Locked", true, loader);
        java.lang.reflect.Constructor<?> make = locked.getDeclaredConstructor();
        make.setAccessible(true);
        Object a = make.newInstance();
        for (String each : new String[] {"caught", "waits", "explicit", "stamps", "dies"}) {
            java.lang.reflect.Method method = locked.getDeclaredMethod(each);
            method.setAccessible(true);
            method.invoke(a);
        }
        assertEquals("", Events.wrong);
        assertEquals(Events.ACQUIRED.get(), Events.GIVEN.get());
        assertEquals(7 + 1, Events.THROWN.get(), "by handlers");
    }

    @Test
    void sectionsAreNamed() throws Exception {
        all("contention", "explicit");
        String all = IntStream.range(0, Methods.count()).mapToObj(id -> Methods.signature(id) + ": " + Methods.section(id)).collect(Collectors.joining("\n", "\n", ""));
        assertTrue(all.contains("\nprivate synchronized double moobench.sample.Locked.sum(int, long, float, double): METHOD 0 [11, 0, 0, 0]"), all);
        assertTrue(all.matches("(?s).*static void moobench.sample.Locked.<clinit>\\(\\): BLOCK \\d+ \\[\\d+, 0, 0, 1\\]  java.util.List.add.*"), all);
        assertTrue(all.contains("Locked.first(int[]): METHOD 0 [4, 0, 0, 0]   an array"), all);
        assertTrue(all.contains(": LOCK 0 "), all);
        assertTrue(all.contains("waits() throws java.lang.InterruptedException: WAIT "), all);
    }

    /** A synchronized method is one no more: the JVM is told so by its flag, which cannot change later. */
    @Test
    void methodsAreSynchronizedByTheirBody() throws Exception {
        Instrumenting loader = new Instrumenting("moobench.sample.Locked", new Injector(new Locks(PROBE, new HashSet<>())));
        Class<?> locked = Class.forName("moobench.sample.Locked", false, loader);
        assertFalse(java.lang.reflect.Modifier.isSynchronized(locked.getDeclaredMethod("caught").getModifiers()));
        assertTrue(new Injector(new Locks(PROBE, new HashSet<>())).plan().onlyAtLoad());
    }
}
