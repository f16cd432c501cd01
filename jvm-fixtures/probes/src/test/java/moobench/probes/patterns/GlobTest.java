package moobench.probes.patterns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Globs decide as the regular expressions do that say what they mean; unlike those, they come to an end. */
class GlobTest {
    private static final String LETTER = "[^.\\[]";
    private static final String DOTTED = "[^\\[]*";
    private static final String PACKAGES = "(?:" + DOTTED + "\\.)?";
    private static final String BELOW = "(?:\\." + DOTTED + ")?";
    private static final String PAIR = "\uD835\uDC9C"; // a letter of two chars

    private final Random random = new Random(26);

    private String any(String... of) {
        return of[random.nextInt(of.length)];
    }

    private String some(int most, String... of) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(most + 1); n > 0; n--) {
            text.append(any(of));
        }
        return text.toString();
    }

    /** What a name with wildcards means, as a regular expression. */
    private static String meaning(String name) {
        StringBuilder regex = new StringBuilder(name.startsWith("..") ? PACKAGES : "");
        String[] parts = name.substring(name.startsWith("..") ? 2 : 0).split("\\.", -1);
        for (int i = 0; i < parts.length; i++) {
            for (int at = 0; at < parts[i].length(); at++) {
                char c = parts[i].charAt(at);
                regex.append(c != '*' ? Pattern.quote(String.valueOf(c)) : at == 0 ? DOTTED : LETTER + "*");
            }
            regex.append(parts[i].isEmpty() ? PACKAGES : i == parts.length - 1 ? "" : "\\.");
        }
        return regex.toString();
    }

    private void agree(String pattern, String regex, Predicate<String> glob) {
        Pattern meant = Pattern.compile(regex);
        for (int n = 0; n < 20; n++) {
            String name = some(8, "a", "b", "aa", ".", "$", "1", "[]", "-", " ", "(<", "*", "\n", PAIR, "\uD835");
            assertEquals(meant.matcher(name).matches(), glob.test(name), () -> pattern + " on \"" + name + "\"");
        }
        String near = pattern.replace("..", any(".", ".a.", ".b.a.")).replace("*", any("", "a", "b.a", "$1", PAIR));
        assertEquals(meant.matcher(near).matches(), glob.test(near), () -> pattern + " on \"" + near + "\"");
    }

    @Test
    void asTheRegularExpression() {
        for (int n = 0; n < 20_000; n++) {
            StringBuilder pattern = new StringBuilder(any("", "", ".."));
            for (int parts = 1 + random.nextInt(4); parts > 0; parts--) {
                pattern.append(any("a", "b", "*")).append(some(3, "a", "b", "*", "*", "$", "1")).append(parts == 1 ? "" : any(".", ".", ".."));
            }
            String name = pattern.toString();
            agree(name, meaning(name), Glob.ofClass(name, false)::matches);
            agree(name, meaning(name) + BELOW, Glob.ofClass(name, true)::matches);
            String array = some(2, "[]");
            agree(name + array, meaning(name) + Pattern.quote(array), Glob.ofType(name + array)::matches);
        }
    }

    @Test
    void methodsAsTheRegularExpression() {
        for (int n = 0; n < 20_000; n++) {
            String name = any("a", "b", "*") + some(5, "a", "b", "*", "$");
            agree(name, meaning(name).replace(DOTTED, LETTER + "*"), Glob.ofMethod(name)::matches);
        }
        agree("*", LETTER + "+", Glob.SIMPLE_TYPE::matches);
    }

    /** Whatever a name holds, what is written of it means that name and no other. */
    @Test
    void everyNameCanBeWritten() {
        for (int n = 0; n < 20_000; n++) {
            String name = any("a", "B-", " ", "*", "\u00e9", PAIR) + some(6, "a", "-", " ", "  ", "*", "(", "),", "\\", "\\u0041", "<>", "]", "@", "\"", "\n", "\u0000", "\u00a0", "\u00e9", PAIR, "\uD835");
            String written = Names.written(name);
            SignaturePattern pattern = SignaturePattern.parse("int p." + written + ".m" + written + "(p." + written + ")");
            Signature signature = Signature.of(0, false, "int", "p." + name, "m" + name, Collections.singletonList("p." + name), Collections.emptyList(), Collections.emptyList());
            assertTrue(pattern.matches(signature), pattern::toString);
            assertTrue(SignaturePattern.parse("p.*.*(..)").matches(signature), pattern::toString);
            assertEquals(signature, Signature.parse(signature.toString()));
            assertEquals(pattern.toString(), SignaturePattern.parse(pattern.toString()).toString());
            Signature other = Signature.of(0, false, "int", "p." + name + any("a", " ", "*"), "m" + name, Collections.singletonList("p." + name), Collections.emptyList(), Collections.emptyList());
            assertFalse(pattern.matches(other), pattern::toString);
        }
        assertEquals("* a.B.x\\u0020y\\u002a(..)", SignaturePattern.parse(" *   a.B.x\\ \\y\\*(..)").toString());
    }

    /** Trying each way to divide the name among the stars would never end. */
    @Test
    void manyStarsComeToAnEnd() {
        String stars = String.join("", Collections.nCopies(60, "*a"));
        String name = String.join("", Collections.nCopies(3_000, "a"));
        for (String prefix : new String[] {"", "..", "*.", "a.."}) {
            assertFalse(Glob.ofClass(prefix + stars + "b", false).matches("a." + name));
            assertTrue(Glob.ofClass(prefix + stars + "b", true).matches("a." + name + "b.C"));
        }
        assertFalse(Glob.ofMethod(stars + "b").matches(name));
        assertTrue(Glob.ofMethod(stars).matches(name));
        String packages = String.join("", Collections.nCopies(60, "a.."));
        String deep = String.join("", Collections.nCopies(1_000, "a."));
        assertFalse(Glob.ofClass(packages + "B", false).matches(deep + "A"));
        assertTrue(Glob.ofClass(packages + "B", false).matches(deep + "B"));
    }

    /** The same of a list of parameters. */
    @Test
    void manyListsComeToAnEnd() {
        String lists = String.join(", ", Collections.nCopies(60, ".., long"));
        String longs = String.join(", ", Collections.nCopies(250, "long"));
        assertFalse(SignaturePattern.parse("* a.B.c(" + lists + ", int)").matches(Signature.parse("void a.B.c(" + longs + ")")));
        assertTrue(SignaturePattern.parse("* a.B.c(" + lists + ", ..)").matches(Signature.parse("void a.B.c(" + longs + ")")));
        assertFalse(SignaturePattern.parse("* a.B.c(..,  ..)").matches(Signature.parse("void a.B.c(int, int[])")));
    }
}
