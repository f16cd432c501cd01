package moobench.classes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import moobench.kernel.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClonesTest {
    @TempDir Path dir;

    @Test
    void namesAreAHundredToAPackage() throws Exception {
        Clones clones = new Clones("moobench.classes.Plain", 1);
        assertEquals("moobench.generated.plain.p00.C00042", clones.name(42));
        assertEquals("moobench.generated.plain.p99.C09999", clones.name(9_999));
        assertEquals("moobench.generated.plain.p499.C49999", clones.name(49_999));
        assertEquals("moobench.generated.plain.s007.C00003", clones.name(7, 3));
        assertTrue(clones.isBuilt(clones.name(9_999)));
        assertFalse(clones.isBuilt(clones.name(10_000)));
        assertFalse(clones.isBuilt(clones.name(0, 0)));
        assertFalse(new Clones("moobench.classes.Plain", 2).isBuilt(clones.name(0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"moobench.classes.Plain", "moobench.probes.Manual", "moobench.probes.Listed"})
    void theBuildMakesWhatIsMadeInMemory(String target) throws Exception {
        Clones clones = new Clones(target, 1);
        for (int i : new int[] {0, 42, 9_999}) {
            try (InputStream built = getClass().getResourceAsStream("/" + clones.name(i).replace('.', '/') + ".class")) {
                byte[] made = clones.make(clones.name(i));
                byte[] read = new byte[made.length];
                new java.io.DataInputStream(built).readFully(read);
                assertArrayEquals(made, read);
                assertEquals(-1, built.read());
            }
        }
    }

    @Test
    void theJarIsTheSameEachTime() throws Exception {
        Path first = dir.resolve("first.jar");
        Path second = dir.resolve("second.jar");
        Generator.main(new String[] {first.toString()});
        Generator.main(new String[] {second.toString()});
        assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
        try (JarFile jar = new JarFile(first.toFile())) {
            assertEquals(Clones.TEMPLATES.size() * Clones.BUILT, jar.size());
        }
    }

    @ParameterizedTest
    @CsvSource({"moobench.classes.Plain, 1", "moobench.probes.Manual, 3", "moobench.probes.Listed, 100"})
    void clonesAreClassesOfTheirOwn(String target, int methods) throws Exception {
        Clones clones = new Clones(target, methods);
        CloneLoader loader = new CloneLoader(clones);
        Class<?> one = loader.loadClass(clones.name(0, 1));
        Class<?> other = loader.loadClass(clones.name(0, 2));
        assertNotSame(one, other);
        assertSame(one, loader.loadClass(clones.name(0, 1)));
        assertEquals(clones.name(0, 1), one.getName());
        assertEquals(names(methods), names(one));
        assertTrue(((Target) one.getConstructor().newInstance()).monitoredMethod(1, 1) != 0); // the clock that it waited by
    }

    private static List<String> names(int methods) {
        List<String> names = new ArrayList<>(Arrays.asList("monitoredMethod"));
        for (int i = 1; i < methods; i++) {
            names.add("method" + i);
        }
        names.sort(null);
        return names;
    }

    private static List<String> names(Class<?> type) {
        List<String> names = new ArrayList<>();
        Arrays.asList(type.getDeclaredMethods()).forEach(m -> names.add(m.getName()));
        names.sort(null);
        return names;
    }

    @Test
    void aSignatureInACloneIsItsOwn() throws Exception {
        String file = new String(new Clones("moobench.probes.Listed", 1).make("moobench.generated.listed.p00.C00001"), StandardCharsets.ISO_8859_1);
        assertTrue(file.contains("public long moobench.generated.listed.p00.C00001.monitoredMethod(long, int)"));
        assertFalse(file.contains("moobench.probes.Listed.") || file.contains("moobench/probes/Listed\0"));
        assertTrue(file.contains("moobench/probes/ListSwapper"));
    }

    @ParameterizedTest
    @CsvSource({
        "moobench.nowhere.Nothing, target moobench.nowhere.Nothing is not on the class path",
        "moobench.kernel.Target, target moobench.kernel.Target itself has no method",
        "java.lang.String, target java.lang.String itself has no method",
    })
    void whatCannotBeClonedIsRefused(String target, String why) {
        String message = assertThrows(IllegalArgumentException.class, () -> new Clones(target, 1)).getMessage();
        assertTrue(message.startsWith(why), message);
    }
}
