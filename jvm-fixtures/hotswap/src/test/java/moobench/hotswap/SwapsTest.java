package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import moobench.kernel.Counts;
import moobench.kernel.Switch.Swap;
import moobench.probes.patterns.PatternList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class SwapsTest {
    private static int tests = 10;

    /** The class has another name in each test: copies of earlier ones may still be loaded. */
    private final String simple = "Count" + tests++;
    private final String name = "moobench.sample." + simple;
    private final String once = "public int " + name + ".once()";
    private Instrumentation instrumentation;
    private Swaps swaps;

    @BeforeEach
    void start() throws Exception {
        instrumentation = TestAgent.instrumentation();
        swaps = swaps("", 0);
    }

    @AfterEach
    void takeOut() {
        assertEquals(Collections.emptyList(), swaps.replace(Collections.emptyList()).failures);
    }

    private Swaps swaps(String list, long lingerNs) {
        Swaps made = new Swaps(instrumentation, "moobench/probes/Probe", new Injector(new Calls("moobench/probes/Probe", lingerNs > 0 ? Calls.Enter.IF_ON : Calls.Enter.ALWAYS)), PatternList.parse(list), lingerNs);
        made.start();
        return made;
    }

    private static Class<?> load(ClassLoader loader, String name) throws Exception {
        return Class.forName(name, true, loader);
    }

    private byte[] file() {
        String file = new String(Copies.sample("moobench.sample.Counted"), StandardCharsets.ISO_8859_1);
        return file.replace("Counted", simple).getBytes(StandardCharsets.ISO_8859_1);
    }

    private Class<?> counted(Copies loader) throws Exception {
        return load(loader.with(name, file()), name);
    }

    private Class<?> counted() throws Exception {
        return counted(new Copies());
    }

    /** Calls each method of the class once, and returns how many records that made. */
    private static long records(Class<?> counted) throws Exception {
        long before = Counts.of("recorded");
        assertEquals(5, counted.getMethod("all").invoke(null));
        assertEquals(Counts.of("entered"), Counts.of("exited"));
        return Counts.of("recorded") - before;
    }

    /** The class as it is now, seen by a transformer after ours. */
    static byte[] now(Instrumentation instrumentation, Class<?> type) throws Exception {
        AtomicReference<byte[]> seen = new AtomicReference<>();
        ClassFileTransformer look = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
                if (redefined == type) {
                    seen.set(file);
                }
                return null;
            }
        };
        instrumentation.addTransformer(look, true);
        try {
            instrumentation.retransformClasses(type);
        } finally {
            instrumentation.removeTransformer(look);
        }
        return seen.get();
    }

    private static void assertSwap(int classes, int methods, Swap swap) {
        assertEquals(Collections.emptyList(), swap.failures);
        assertEquals(classes + " classes, " + methods + " methods", swap.classes + " classes, " + swap.methods + " methods");
        assertEquals(swap.tookNs, swap.matchNs + swap.transformNs + swap.swapNs);
        assertTrue(swap.matchNs > 0 && swap.transformNs >= 0 && swap.swapNs >= 0 && (swap.transformNs > 0) == (swap.classes > 0), swap.matchNs + " " + swap.transformNs + " " + swap.swapNs);
    }

    @Test
    void inAndOutLeavesTheSameBytes() throws Exception {
        Class<?> counted = counted();
        byte[] before = now(instrumentation, counted);
        assertSwap(1, 1, swaps.activate(once));
        assertFalse(Arrays.equals(before, now(instrumentation, counted)));
        assertEquals(1, records(counted));
        assertEquals(Arrays.asList(once), swaps.instrumented());
        assertSwap(1, 1, swaps.deactivate("+ " + once));
        assertArrayEquals(before, now(instrumentation, counted));
        assertEquals(0, records(counted));
        assertEquals(Collections.emptyList(), swaps.instrumented());
        assertEquals(Arrays.asList("- " + once), swaps.patterns());
    }

    @Test
    void whatChangesNothingSwapsNothing() throws Exception {
        Class<?> counted = counted();
        assertSwap(1, 2, swaps.activate("* " + name + ".*e(..) throws .."));
        assertSwap(0, 0, swaps.activate("* " + name + ".*e(..) throws .."));
        assertSwap(0, 0, swaps.activate(once));
        assertSwap(0, 0, swaps.deactivate("* " + name + ".absent()"));
        assertSwap(0, 0, swaps.remove("* nowhere.*.*(..)"));
        assertSwap(0, 0, swaps.replace(swaps.patterns()));
        assertEquals(2, records(counted));
    }

    @Test
    void theNewestDecidesHoweverTheListCameAbout() throws Exception {
        Class<?> counted = counted();
        assertSwap(1, 5, swaps.replace(Arrays.asList("+ * " + name + ".*(..) throws ..", "+ *[] " + name + ".*(..)", "+ new " + name + ".<init>()")));
        assertEquals(5, records(counted));
        assertSwap(1, 1, swaps.deactivate("private *[] .." + simple + ".*(..)"));
        assertEquals(4, records(counted));
        assertSwap(1, 4, swaps.deactivate("*"));
        assertEquals(0, records(counted));
        assertSwap(1, 4, swaps.remove("- *"));
        assertEquals(4, records(counted));
        assertSwap(1, 3, swaps.replace(Arrays.asList("+ " + once)));
        assertEquals(1, records(counted));
    }

    @Test
    void atLoadIfAPatternMatchesAlready() throws Exception {
        assertSwap(0, 0, swaps.activate(once));
        Class<?> counted = counted();
        assertEquals(1, records(counted));
        assertEquals(Arrays.asList(once), swaps.instrumented());
        assertSwap(1, 1, swaps.remove(once));
        assertEquals(0, records(counted));
    }

    @Test
    void aListAtStartIsAlsoForWhatIsLoaded() throws Exception {
        Class<?> counted = counted();
        Swaps late = swaps("+ " + once, 0);
        assertEquals(1, records(counted));
        assertSwap(1, 1, late.remove(once));
    }

    @Test
    void oneNameInTwoLoaders() throws Exception {
        Class<?> one = counted();
        Class<?> other = counted();
        assertSwap(2, 2, swaps.activate(once));
        assertEquals(2, records(one) + records(other));
    }

    @Test
    void whereTheProbeCannotBeSeenNothingIsDone() throws Exception {
        Copies blind = new Copies(ClassLoader.getPlatformClassLoader());
        Class<?> counted = counted(blind);
        Class<?> seeing = counted();
        assertSwap(1, 1, swaps.activate(once));
        assertEquals(0, records(counted));
        assertEquals(1, records(seeing));
    }

    /** A class that names one that isn't there: its methods can't be asked for, but its class file tells. */
    @Test
    void aMissingParameterTypeHindersNothing() throws Exception {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "absent/User", null, "java/lang/Object", null);
        for (String descriptor : new String[] {"()V", "(Labsent/Type;)V"}) {
            MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", descriptor, null, null);
            method.visitInsn(Opcodes.RETURN);
            method.visitMaxs(0, 1);
        }
        Class<?> user = load(new Copies().with("absent.User", writer.toByteArray()), "absent.User");
        assertThrows(NoClassDefFoundError.class, user::getDeclaredMethods);
        assertSwap(1, 2, swaps.activate("void absent.User.run(..)"));
        assertSwap(1, 1, swaps.deactivate("* absent.User.run(absent.Type)"));
        assertEquals(Arrays.asList("public static void absent.User.run()"), swaps.instrumented());
    }

    /** The JVM refuses the whole batch for one class; the others are exchanged all the same. */
    @Test
    void theCulpritIsFoundAndNamed() throws Exception {
        List<Class<?>> good = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            good.add(counted());
        }
        Class<?> bad = counted();
        ClassFileTransformer breaks = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
                return redefined == bad ? new byte[] {1, 2, 3} : null;
            }
        };
        instrumentation.addTransformer(breaks, true);
        try {
            Swap swap = swaps.activate("* " + name + ".*(..)");
            assertEquals(1, swap.failures.size());
            assertTrue(swap.failures.get(0).startsWith("class " + name + ": java.lang."), swap.failures.get(0));
            assertEquals("9 classes, 18 methods", swap.classes + " classes, " + swap.methods + " methods");
        } finally {
            instrumentation.removeTransformer(breaks);
        }
        assertEquals(0, records(bad));
        for (Class<?> each : good) {
            assertEquals(2, records(each)); // all() and once(): what has exceptions or is an array isn't meant
        }
    }

    @Test
    void whatCannotBeWrittenStaysAsItWas() throws Exception {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "big/Big", null, "java/lang/Object", null);
        for (int nops : new int[] {1, 65_530}) {
            MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run" + nops, "()V", null, null);
            for (int i = 0; i < nops; i++) {
                method.visitInsn(Opcodes.NOP);
            }
            method.visitInsn(Opcodes.RETURN);
            method.visitMaxs(0, 0);
        }
        Class<?> big = load(new Copies().with("big.Big", writer.toByteArray()), "big.Big");
        assertSwap(1, 1, swaps.activate("* big.Big.run1()"));
        Swap swap = swaps.activate("* big.Big.run65530()");
        assertEquals("0 0", swap.classes + " " + swap.methods);
        assertTrue(swap.failures.size() == 1 && swap.failures.get(0).startsWith("public static void big.Big.run65530(): with a probe it is larger than the 64 KiB"), swap.failures.toString());
        long before = Counts.of("recorded");
        big.getMethod("run1").invoke(null);
        assertEquals(1, Counts.of("recorded") - before);
        assertEquals(Arrays.asList("public static void big.Big.run1()"), swaps.instrumented());
    }

    @Test
    void switchedOffItLingersAndIsTakenOut() throws Exception {
        Class<?> counted = counted();
        byte[] before = now(instrumentation, counted);
        Swaps hybrid = swaps("", TimeUnit.MILLISECONDS.toNanos(300));
        assertSwap(1, 1, hybrid.activate(once));
        assertEquals(1, records(counted));
        assertSwap(0, 1, hybrid.deactivate(once));
        assertEquals(0, records(counted));
        assertEquals(Collections.emptyList(), hybrid.instrumented());
        assertSwap(0, 1, hybrid.activate(once));
        assertEquals(1, records(counted));
        Thread.sleep(600);
        assertEquals(1, records(counted)); // it was on: nobody took it out
        assertSwap(0, 1, hybrid.remove(once));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Arrays.equals(before, now(instrumentation, counted))) {
            assertTrue(System.nanoTime() < deadline, "the probe is never taken out");
            Thread.sleep(50);
        }
        assertSwap(1, 1, hybrid.activate(once));
        assertEquals(1, records(counted));
        hybrid.remove(once);
    }

    @Test
    void aLingeringProbeStaysWhereAnotherGoesIn() throws Exception {
        Class<?> counted = counted();
        Swaps hybrid = swaps("", TimeUnit.HOURS.toNanos(1));
        assertSwap(1, 1, hybrid.activate(once));
        assertSwap(0, 1, hybrid.remove(once));
        assertSwap(1, 1, hybrid.activate("* " + name + ".twice() throws ..*"));
        assertEquals(1, records(counted));
        assertSwap(0, 1, hybrid.activate(once));
        assertEquals(2, records(counted));
        assertSwap(0, 2, hybrid.replace(Collections.emptyList()));
        assertEquals(0, records(counted));
    }

    /** Classes that are loaded while the list changes: whatever happened first, the list is what counts in the end. */
    @Test
    void noClassIsMissedThatIsJustBeingLoaded() throws Exception {
        List<Class<?>> loaded = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    for (int n = 0; n < 50; n++) {
                        loaded.add(counted());
                        Thread.sleep(1);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            threads[i].start();
        }
        boolean on = false;
        while (threads[0].isAlive() || threads[1].isAlive() || threads[2].isAlive()) {
            on = !on;
            assertEquals(Collections.emptyList(), (on ? swaps.activate(once) : swaps.deactivate(once)).failures);
        }
        swaps.activate(once);
        Thread.sleep(200); // what was being defined at the last change is brought along soon
        assertEquals(null, failure.get());
        for (Class<?> each : loaded) {
            assertEquals(1, records(each));
        }
        assertEquals(150, loaded.size());
    }

    @Test
    void injectSaysWhatWouldBeMade() throws Exception {
        byte[] file = file();
        assertEquals(null, swaps.inject(file, "+ * " + name + ".absent(..)"));
        assertTrue(swaps.inject(file, "+ " + once).length > file.length);
    }

    @Test
    void aMinusIsNotActivated() {
        assertThrows(IllegalArgumentException.class, () -> swaps.activate("- " + once));
        assertThrows(IllegalArgumentException.class, () -> swaps.replace(Arrays.asList("+ nonsense")));
        assertEquals(Collections.emptyList(), swaps.patterns());
    }
}
