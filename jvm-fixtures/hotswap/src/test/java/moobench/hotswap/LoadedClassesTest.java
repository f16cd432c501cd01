package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import moobench.probes.Probe;
import moobench.probes.patterns.SignaturePattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadedClassesTest {
    private static final String[] NAMES = {"Top", "a.A", "a.B", "a.Bb", "a.b.A", "a.b.c.A", "ab.A", "a.b$.A", "b.a.B"};

    private final LoadedClasses index = new LoadedClasses();
    private final Copies loader = new Copies();

    private void enter() {
        for (String name : NAMES) {
            index.add(loader, name);
        }
    }

    @ParameterizedTest
    @CsvSource({"a.A.run(), a.A", "a.A.*(), a.A", "a.B*.run(), a.B a.Bb", "a.b.*(), a.b.A a.b.c.A", "a..A.run(), a.A a.b$.A a.b.A a.b.c.A", "..B.run(), a.B b.a.B", "Top.run(), Top", "*.run(), a.A a.B a.Bb a.b$.A a.b.A a.b.c.A ab.A b.a.B Top",
        "a.C.run(), ''", "a.b..*.*(), a.b.A a.b.c.A"})
    void matching(String pattern, String expected) {
        enter();
        List<String> names = index.matching(SignaturePattern.parse("* " + pattern)).stream().map(each -> each.name).collect(Collectors.toList());
        List<String> wanted = new ArrayList<>(Arrays.asList(expected.isEmpty() ? new String[0] : expected.split(" ")));
        Collections.sort(names);
        Collections.sort(wanted);
        assertEquals(wanted, names);
    }

    @Test
    void oneEntryPerClassAndLoader() {
        Copies other = new Copies();
        Loaded first = index.add(loader, "a.A");
        assertSame(first, index.add(loader, "a.A"));
        Loaded second = index.add(other, "a.A");
        assertFalse(first == second);
        assertEquals(2, index.size());
        index.remove(first);
        assertSame(second, index.add(other, "a.A"));
        assertEquals(1, index.size());
    }

    @Test
    void nothingOfALoaderStaysThatIsGone() throws Exception {
        enter();
        Copies unloaded = new Copies();
        Loaded counted = index.add(unloaded, "moobench.sample.Counted");
        counted.in = Collections.singletonMap(null, 1);
        index.noteProbed(counted);
        Class<?> type = Class.forName("moobench.sample.Counted", true, unloaded);
        assertSame(type, counted.type());
        WeakReference<ClassLoader> gone = new WeakReference<>(unloaded);
        type = null;
        unloaded = null;
        for (int i = 0; gone.get() != null || index.size() > NAMES.length; i++) {
            assertTrue(i < 100, "the loader or its entry stays");
            System.gc();
            Thread.sleep(20);
        }
        assertEquals(null, counted.type());
        assertTrue(index.probed().isEmpty());
    }

    @Test
    void onlyWhatCanHoldAProbe() {
        assertTrue(LoadedClasses.mayHold(loader, "moobench.calls.Plain"));
        assertFalse(LoadedClasses.mayHold(null, "java.lang.String"));
        assertFalse(LoadedClasses.mayHold(loader, "moobench.hotswap.Swaps"));
        assertFalse(LoadedClasses.mayHold(loader, "a.B/0x01"));
        assertFalse(LoadedClasses.mayHold(loader, "[La.B;"));
    }

    @Test
    void whoSeesTheProbe() {
        assertTrue(sees(new Copies()));
        assertTrue(sees(Probe.class.getClassLoader()));
        assertFalse(sees(ClassLoader.getPlatformClassLoader()));
        assertFalse(sees(new Copies().with("moobench.probes.Probe", Copies.sample("moobench.probes.Probe"))));
        assertFalse(sees(new ClassLoader() {
            @Override
            public Class<?> loadClass(String name) {
                throw new IllegalStateException("broken");
            }
        }));
    }

    private static boolean sees(ClassLoader loader) {
        return new Loader(loader, null).sees(Probe.class);
    }
}
