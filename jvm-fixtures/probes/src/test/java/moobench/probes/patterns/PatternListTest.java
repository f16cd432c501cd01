package moobench.probes.patterns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Executable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternListTest {
    private static final Signature RUN = Signature.parse("public long a.b.Plain.run(long, int)");

    private static SignaturePattern pattern(String text) {
        return SignaturePattern.parse(text);
    }

    @Test
    void theNewestThatMatchesDecides() {
        PatternList list = PatternList.parse("+ * ..Plain.*(..); - long ..*.*(..)");
        assertFalse(list.includes(RUN));
        assertTrue(list.forClass("a.b.Plain").mayInclude());
        assertFalse(list.forClass("a.b.Main").mayInclude());
        PatternList again = list.with(true, pattern("* ..Plain.*(..)"));
        assertTrue(again.includes(RUN));
        assertEquals(Arrays.asList("- long ..*.*(..)", "+ * ..Plain.*(..)"), again.patterns());
        assertFalse(again.with(false, pattern("*")).includes(RUN));
        assertFalse(again.without(pattern("*  ..Plain.*( .. )".replace("( .. )", "(..)"))).includes(RUN));
        assertFalse(PatternList.parse("").includes(RUN));
    }

    @Test
    void whatChangesNothingIsTheSameList() {
        PatternList list = PatternList.parse("- * a.B.c(); + * a.B.*(..)");
        assertSame(list, list.with(true, pattern("* a.B.*(..)")));
        assertSame(list, list.without(pattern("* a.B.d(..)")));
        assertEquals(2, list.with(true, pattern("* a.B.c()")).size());
        assertEquals(Collections.emptyList(), list.without(pattern("* a.B.c()")).without(pattern("* a.B.*(..)")).patterns());
    }

    /** The table against a plain list, over random changes. */
    @Test
    void changesOneByOneGiveTheListThatWasMeant() {
        Random random = new Random(6);
        PatternList list = PatternList.NONE;
        List<String> plain = new ArrayList<>();
        Map<String, SignaturePattern> parsed = new HashMap<>(); // the plain list is gone through 5,000 times
        for (int i = 0; i < 5_000; i++) {
            String text = "* p" + random.nextInt(20) + "." + (random.nextBoolean() ? "C" + random.nextInt(20) : "*") + "." + (random.nextBoolean() ? "*" : "run") + "(..)";
            boolean include = random.nextBoolean();
            plain.removeIf(each -> each.substring(2).equals(text));
            if (random.nextInt(4) == 0) {
                list = list.without(pattern(text));
            } else {
                list = list.with(include, pattern(text));
                plain.add((include ? "+ " : "- ") + text);
            }
            Signature signature = Signature.parse("void p" + random.nextInt(20) + ".C" + random.nextInt(20) + ".run()");
            boolean wanted = false;
            for (String each : plain) {
                SignaturePattern pattern = parsed.computeIfAbsent(each.substring(2), PatternListTest::pattern);
                wanted = pattern.matches(signature) ? each.startsWith("+") : wanted;
            }
            assertEquals(wanted, list.includes(signature));
        }
        assertEquals(plain, list.patterns());
        assertEquals(plain.size(), list.size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "* a.b.Plain.run(..)|a.b.Plain",
        "* a.b.Plain.*(..)|a.b.Plain",
        "* a.b.Pl*.*(..)|a.b",
        "* a.b..*.*(..)|a.b",
        "* a..b.Plain.*(..)|a",
        "* a.*.Plain.*(..)|a",
        "* *.Plain.*(..)|''",
        "* ..Plain.*(..)|''",
        "*|''",
    })
    void anchors(String text, String anchor) {
        assertEquals(anchor, pattern(text).anchor());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "+ * a.A.x(); + * b.B.x()|+ * a.A.x(); + * b.B.x()|0",
        "+ * a.A.x(); + * b.B.x()|+ * a.A.x(); - * b.B.x()|2",
        "+ * a.A.x(); + * b.B.x()|+ * a.A.x()|1",
        "+ * a.A.x()|+ * b.B.x(); + * a.A.x()|3",
    })
    void differences(String one, String other, int patterns) {
        assertEquals(patterns, PatternList.parse(one).differences(PatternList.parse(other)).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b()", "void b()", "void a.b", "loud void a.b()", "void a.b() x"})
    void aWrongSignatureIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Signature.parse(text));
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {}

    @Mark
    static final class Marked {
        Marked() {}

        void run() throws Exception {}
    }

    static final class Partly {
        @Mark
        int one() {
            return 1;
        }

        int other() {
            return 2;
        }
    }

    /** What is annotated, or of a class that is. */
    @Test
    void annotations() throws Exception {
        String mark = "@" + Mark.class.getName();
        Executable[] all = {Marked.class.getDeclaredConstructor(), Marked.class.getDeclaredMethod("run"), Partly.class.getDeclaredMethod("one"), Partly.class.getDeclaredMethod("other")};
        String[] patterns = {mark + " *.*(..)", mark + " * *.*(..)", mark + " * *.*(..) throws ..", mark + " int *.one()", mark + " " + mark + " *.*(..)", mark + " @a.Absent *.*(..)", "@..*Mark *.*(..)", mark + " new *.<init>(..)"};
        String[] want = {"1110", "0010", "0110", "0010", "1110", "0000", "1110", "1000"};
        for (int i = 0; i < patterns.length; i++) {
            StringBuilder got = new StringBuilder();
            for (Executable each : all) {
                assertFalse(pattern(patterns[i]).matches(Signature.of(each, false)), patterns[i]);
                got.append(pattern(patterns[i]).matches(Signature.of(each, true)) ? 1 : 0);
            }
            assertEquals(want[i], got.toString(), patterns[i]);
        }
    }

    /** What is refused, and in which words: moobench's own parser is tested with the same file. */
    @Test
    void grammar() throws Exception {
        for (String line : Files.readAllLines(Paths.get(getClass().getResource("grammar.txt").toURI()), StandardCharsets.UTF_8)) {
            String[] parts = line.split(" \\| ", 2);
            if (parts.length == 1) {
                assertTrue(line.startsWith("#") || pattern(line) != null);
            } else {
                String message = assertThrows(IllegalArgumentException.class, () -> pattern(parts[0])).getMessage();
                assertEquals("pattern \"" + parts[0] + "\": " + parts[1], message);
            }
        }
    }
}
