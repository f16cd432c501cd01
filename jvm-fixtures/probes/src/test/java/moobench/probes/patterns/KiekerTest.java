package moobench.probes.patterns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import kieker.monitoring.core.signaturePattern.InvalidPatternException;
import kieker.monitoring.core.signaturePattern.PatternParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns decide as Kieker's do, on generated signatures and lists; what differs on purpose is named here. */
class KiekerTest {
    private static final String[] MODIFIERS = {"abstract", "default", "static", "final", "synchronized", "native"};

    private final Random random = new Random(20261121);

    private String any(String... of) {
        return of[random.nextInt(of.length)];
    }

    private boolean chance(double p) {
        return random.nextDouble() < p;
    }

    private String type() {
        String type = any("int", "long", "void", "Plain", "a.Plain", "a.b.Plain", "a.b.Price", "java.lang.String", "java.util.Map$Entry", "b.a.P", "a.b.c.d.Plain");
        return type.equals("void") || chance(0.8) ? type : type + any("[]", "[][]");
    }

    private String types(int most, String separator) {
        List<String> all = new ArrayList<>();
        for (int n = random.nextInt(most + 1); n > 0; n--) {
            all.add(type());
        }
        return String.join(separator, all);
    }

    private String signature() {
        StringBuilder text = new StringBuilder(any("", "public ", "public ", "private ", "protected "));
        for (String modifier : MODIFIERS) {
            text.append(chance(0.2) ? modifier + " " : "");
        }
        boolean constructor = chance(0.15);
        text.append(constructor ? "new" : type()).append(' ');
        text.append(any("Plain", "a.Plain", "a.b.Plain", "a.b.c.Plain", "a.b.Price", "a.b.Plain$Inner", "b.a.P", "a.b.c.d.e.Q"));
        text.append('.').append(constructor ? "<init>" : any("run", "getIt", "get", "a", "setRun", "lambda$run$0"));
        text.append('(').append(types(4, ", ")).append(')');
        String exceptions = chance(0.3) ? types(3, ", ") : "";
        return text + (exceptions.isEmpty() ? "" : " throws " + exceptions);
    }

    /** A pattern made from a signature, so that it often matches it or its like. */
    private String pattern(String signature) {
        Signature s = Signature.parse(signature);
        StringBuilder text = new StringBuilder(chance(0.5) ? "" : chance(0.5) ? visibility(signature) : any("public ", "private ", "protected ", "package "));
        for (String modifier : MODIFIERS) {
            boolean has = signature.matches("(.* )?" + modifier + " .*");
            text.append(chance(0.85) ? "" : (has == chance(0.9) ? "" : "non_") + modifier + " ");
        }
        text.append(s.returnType.equals("new") && chance(0.7) ? "new" : wild(s.returnType)).append(' ');
        text.append(wild(s.className)).append('.').append(s.name.equals("<init>") || text.indexOf("new ") >= 0 ? "<init>" : chance(0.3) ? "*" : wildIdentifier(s.name));
        text.append('(').append(wildTypes(s.parameters, true)).append(')');
        boolean clause = chance(s.exceptions.isEmpty() ? 0.1 : 0.8);
        return text + (clause ? " throws " + (s.exceptions.isEmpty() ? ".." : wildTypes(s.exceptions, false)) : "");
    }

    private String visibility(String signature) {
        String first = signature.substring(0, signature.indexOf(' ') + 1);
        return Arrays.asList("public ", "private ", "protected ").contains(first) ? first : "package ";
    }

    private String wildTypes(List<String> types, boolean mayBeEmpty) {
        if (chance(0.25)) {
            return "..";
        }
        List<String> all = new ArrayList<>();
        boolean dots = false;
        for (String type : types) {
            boolean now = !dots && all.size() < 2 && chance(0.15); // further on, Kieker's expression takes for ever
            if (!dots || !chance(0.5)) {
                all.add(now ? ".." : chance(0.15) ? "*" : wild(type));
            }
            dots |= now;
        }
        return all.isEmpty() ? mayBeEmpty ? "" : ".." : String.join(mayBeEmpty && chance(0.5) ? ", " : ",", all);
    }

    private String wild(String name) {
        if (chance(0.2)) {
            return any("*", "..*", "*");
        }
        String base = name.replace("[]", "");
        List<String> parts = new ArrayList<>(Arrays.asList(base.split("\\.")));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            boolean last = i == parts.size() - 1;
            if (!last && chance(0.2)) {
                text.append(text.length() == 0 ? ".." : text.toString().endsWith("..") ? "" : ".");
            } else {
                text.append(chance(0.3) ? wildIdentifier(parts.get(i)) : parts.get(i)).append(last ? "" : ".");
            }
        }
        return text + name.substring(base.length());
    }

    private String wildIdentifier(String name) {
        if (chance(0.4)) {
            return name;
        }
        int from = random.nextInt(name.length());
        int to = from + random.nextInt(name.length() - from + 1);
        return name.substring(0, from) + "*" + name.substring(to);
    }

    /** Kieker's expression with the commas that it leaves out. */
    private static Pattern strict(Pattern kieker) {
        return Pattern.compile(kieker.pattern().replace("(\\s)?,)*,?", "(\\s)?,)*").replace(",?", ","));
    }

    @Test
    void singlePatternsDecideAsKieker() throws Exception {
        int matched = 0;
        int lax = 0;
        for (int i = 0; i < 40_000; i++) {
            String signature = signature();
            String text = pattern(chance(0.7) ? signature : signature());
            Pattern kieker = PatternParser.parseToPattern(text);
            boolean ours = SignaturePattern.parse(text).matches(Signature.parse(signature));
            boolean its = kieker.matcher(signature).matches();
            boolean strict = strict(kieker).matcher(signature).matches();
            if (its != strict) {
                assertTrue(its, "the commas only make it stricter: " + text);
                lax++;
            }
            assertEquals(strict || withoutDefault(text, signature), ours, "pattern " + text + " signature " + signature + " kieker " + kieker);
            matched += ours ? 1 : 0;
        }
        assertTrue(matched > 4_000, matched + " of 40,000 matched");
        assertTrue(lax < 400, lax + " of 40,000 where Kieker leaves a comma out");
    }

    /** Without any modifier, Kieker knows no default methods. */
    private static boolean withoutDefault(String text, String signature) throws InvalidPatternException {
        boolean bare = !text.startsWith("*(") && text.substring(0, text.indexOf('(')).trim().split(" ").length == 2;
        return bare && signature.contains("default ") && strict(PatternParser.parseToPattern(text)).matcher(signature.replace("default ", "")).matches();
    }

    @Test
    void theNewestOfAListDecides() throws Exception {
        int included = 0;
        for (int i = 0; i < 2_000; i++) {
            List<String> signatures = new ArrayList<>();
            for (int n = 0; n < 8; n++) {
                signatures.add(signature().replace("default ", ""));
            }
            List<String> lines = new ArrayList<>();
            for (int n = 1 + random.nextInt(12); n > 0; n--) {
                lines.add(any("+ ", "- ") + (chance(0.03) ? "*" : pattern(any(signatures.toArray(new String[0])))));
            }
            PatternList list = PatternList.of(lines);
            for (String signature : signatures) {
                boolean ours = list.includes(Signature.parse(signature));
                assertEquals(newest(lines, signature), ours, lines + " " + signature);
                included += ours ? 1 : 0;
            }
        }
        assertTrue(included > 3_000 && included < 13_000, included + " of 16,000");
    }

    private static boolean newest(List<String> lines, String signature) throws InvalidPatternException {
        for (int i = lines.size() - 1; i >= 0; i--) {
            Pattern pattern = strict(PatternParser.parseToPattern(lines.get(i).substring(2)));
            if (pattern.matcher(signature).matches()) {
                return lines.get(i).startsWith("+");
            }
        }
        return false;
    }

    /** Every combination of modifiers, against every combination in a signature. */
    @Test
    void modifiersInEveryCombination() throws Exception {
        List<String> patterns = new ArrayList<>(Arrays.asList("", "public ", "private ", "protected ", "package "));
        List<String> signatures = new ArrayList<>(Arrays.asList("", "public ", "private ", "protected "));
        for (String modifier : MODIFIERS) {
            extend(patterns, modifier + " ", "non_" + modifier + " ");
            extend(signatures, modifier + " ");
        }
        List<String> differ = new ArrayList<>();
        for (String words : patterns) {
            Pattern kieker = PatternParser.parseToPattern(words + "* a.B.c()");
            SignaturePattern ours = SignaturePattern.parse(words + "* a.B.c()");
            for (int i = 0; i < 20; i++) {
                String signature = any(signatures.toArray(new String[0])) + "int a.B.c()";
                if (kieker.matcher(signature).matches() != ours.matches(Signature.parse(signature)) && !words.isEmpty()) {
                    differ.add(words + "| " + signature);
                }
            }
        }
        assertEquals(new ArrayList<>(), differ);
    }

    private static void extend(List<String> all, String... words) {
        for (String before : new ArrayList<>(all)) {
            for (String word : words) {
                all.add(before + word);
            }
        }
    }

    private static boolean kiekerTakes(String text) {
        try {
            PatternParser.parseToPattern(text);
            return true;
        } catch (InvalidPatternException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /** Texts near valid ones: both take them, or both refuse them. */
    @Test
    void theSameTextsAreRefused() {
        String inserted = ".. *()[],ab1-+<>$#\t";
        int refused = 0;
        for (int i = 0; i < 40_000; i++) {
            StringBuilder text = new StringBuilder(pattern(signature()));
            if (chance(0.5)) {
                text.insert(random.nextInt(text.length()), inserted.charAt(random.nextInt(inserted.length())));
            }
            if (chance(0.3)) {
                text.deleteCharAt(random.nextInt(text.length()));
            }
            boolean its = kiekerTakes(text.toString());
            boolean ours = takes(text.toString());
            boolean onPurpose = text.indexOf("[") >= 0 || text.indexOf("]") >= 0 || text.toString().matches(".*,\\s*\\).*|.*throws.*");
            boolean more = ours && text.toString().matches("(?s).*[-+#].*|(.*[^\\w$])?\\d.*|\\s*((non_)?(public|private|protected|package|abstract|default|static|final|synchronized|native)\\s+)*[^\\s(]+\\s*\\(.*"); // such names, and no type
            assertTrue(its == ours || onPurpose || more, text + (its ? " is taken by Kieker" : " is refused by Kieker"));
            refused += ours ? 0 : 1;
        }
        assertTrue(refused > 5_000 && refused < 35_000, refused + " of 40,000");
    }

    private static boolean takes(String text) {
        try {
            SignaturePattern.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "long a.b", "long a.b(", "long a.b)", "long a.b(int", "long a.b)(", "loud long a.b()", "long a..b..()", "long a.b(,)", "long a.b(int,,int)",
        "long .a.b()", "long a...b.c()", "long ..c()", "new a.b()", "static public long a.b()", "long a.b(int...)", "java.util.List<X> a.b()", "long a.b() x"})
    void bothRefuse(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> SignaturePattern.parse(text)).getMessage();
        assertTrue(message.startsWith("pattern \"" + text + "\": "), message);
        assertEquals(false, kiekerTakes(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"long a.b(int,)", "long a.b(int[)", "long a[].b()", "long a.b() throws", "long a.b() throwsX", "public public long a.b()", "public private long a.b()", "%CPU"})
    void onlyKiekerTakes(String text) {
        assertEquals(false, takes(text));
        assertEquals(true, kiekerTakes(text));
    }

    /** Names that Java can't write, and patterns without a type. */
    @ParameterizedTest
    @ValueSource(strings = {"long a-b.c()", "long a.1b()", "a.b()", "a.B.*(..)", "* a.B.c#d(..)"})
    void onlyWeTake(String text) {
        assertEquals(true, takes(text));
        assertEquals(false, kiekerTakes(text));
    }

    @Test
    void onlyWeTakeSpacesBetweenExceptions() {
        assertTrue(takes("void a.B.c() throws a.X, a.Y") && !kiekerTakes("void a.B.c() throws a.X, a.Y"));
    }

    /** A file in the documented form: comments, empty lines, and signs. */
    @Test
    void aFileOfPatterns() throws Exception {
        List<String> lines = Files.readAllLines(Paths.get(getClass().getResource("example.patterns").toURI()), StandardCharsets.UTF_8);
        PatternList list = PatternList.of(lines);
        lines.removeIf(line -> line.isEmpty() || line.startsWith("#"));
        assertEquals(lines, list.patterns());
        String[] signatures = {
            "+public void shop.Main.main(java.lang.String[]) throws java.io.IOException", "+public new shop.Main.<init>()", "-public int shop.Order.getCount()",
            "+public int shop.Order.getCount() throws shop.Closed", "-public void shop.Order.setCount(int)", "+public void shop.Order.setName(java.lang.String)",
            "-public boolean shop.a.b.Order.isOpen()", "-public long shop.model.Item.weigh()", "+public double shop.model.Price.getAmount()",
            "+static synchronized void shop.model.Stock.take(shop.model.Item, int)", "-public void other.Main.main(java.lang.String[])",
            "-private static final long shop.a.Stock$Cache.find(java.lang.String, int) throws java.io.IOException", "-int[] shop.Order.numbers()", "+void shop.Main.run(java.lang.String[])",
        };
        for (String each : signatures) {
            String signature = each.substring(1);
            assertEquals(each.startsWith("+"), list.includes(Signature.parse(signature)), each);
            assertEquals(newest(lines, signature), each.startsWith("+"), each);
            assertEquals(signature, Signature.parse(signature).toString());
        }
    }
}
