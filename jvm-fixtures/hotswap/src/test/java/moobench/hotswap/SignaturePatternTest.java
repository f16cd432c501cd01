package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import moobench.calls.Plain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignaturePatternTest {
    private static Method method(String name, Class<?>... parameters) throws Exception {
        Class<?> type = name.equals("entry") ? Map.class : name.equals("monitoredMethod") ? Plain.class : String.class;
        return Method.of(type.getDeclaredMethod(name, parameters));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "*",
        "public long moobench.calls.Plain.monitoredMethod(long, int)",
        " public  long moobench.calls.Plain.monitoredMethod( long,int ) ",
        "long moobench.calls.Plain.monitoredMethod(long, int)",
        "public * ..Plain.*(..)",
        "* ..*.*(..)",
        "..* moobench..Plain.monitoredMethod(..)",
        "* moobench..*.monitored*(*, *)",
        "* moobench.calls.P*n.*Method(long, ..)",
        "* moobench.*.Plain.*(.., int)",
        "non_static non_final * moobench.calls.Plain.*(long, .., int)",
    })
    void matches(String pattern) throws Exception {
        SignaturePattern parsed = SignaturePattern.parse(pattern);
        assertTrue(parsed.matches(method("monitoredMethod", long.class, int.class)));
        assertTrue(parsed.matchesClass("moobench.calls.Plain"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "private long moobench.calls.Plain.monitoredMethod(long, int)",
        "package * moobench.calls.Plain.monitoredMethod(..)",
        "static * moobench.calls.Plain.monitoredMethod(..)",
        "int moobench.calls.Plain.monitoredMethod(long, int)",
        "* moobench.Plain.monitoredMethod(..)",
        "* *.Plain.monitoredMethod(..)",
        "* calls..Plain.monitoredMethod(..)",
        "* moobench.calls.Plain.monitored(..)",
        "* moobench.calls.Plain.monitoredMethod()",
        "* moobench.calls.Plain.monitoredMethod(*)",
        "* moobench.calls.Plain.monitoredMethod(*, *, *)",
        "* moobench.calls.Plain.monitoredMethod(int, long)",
        "new moobench.calls.Plain.<init>(..)",
        "new moobench.calls.Plain.*(..)",
    })
    void doesNotMatch(String pattern) throws Exception {
        assertFalse(SignaturePattern.parse(pattern).matches(method("monitoredMethod", long.class, int.class)));
    }

    @Test
    void typesAreNamedAsInSource() throws Exception {
        assertTrue(SignaturePattern.parse("public static java.lang.String java.lang.String.copyValueOf(char[])").matches(method("copyValueOf", char[].class)));
        assertTrue(SignaturePattern.parse("public static ..String java..String.join(..CharSequence, ..CharSequence[])").matches(method("join", CharSequence.class, CharSequence[].class)));
        assertFalse(SignaturePattern.parse("* java.lang.String.copyValueOf(char)").matches(method("copyValueOf", char[].class)));
        assertEquals("public static java.lang.String java.lang.String.copyValueOf(char[])", method("copyValueOf", char[].class).toString());
    }

    @Test
    void constructorsAreMeantByNewOnly() throws Exception {
        Method constructor = Method.of(Plain.class.getConstructor());
        assertEquals("public new moobench.calls.Plain.<init>()", constructor.toString());
        assertTrue(SignaturePattern.parse("public new moobench.calls.Plain.<init>()").matches(constructor));
        assertTrue(SignaturePattern.parse("*").matches(constructor));
        assertFalse(SignaturePattern.parse("* moobench.calls.Plain.*(..)").matches(constructor));
        assertFalse(SignaturePattern.parse("..* moobench.calls.Plain.*(..)").matches(constructor));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a.b()", "long a.b", "long a.b(", "long a.b)", "long a.b(int", "loud long a.b()", "long a..b..()", "long a.b(,)", "long a.b(int,)", "long a-b.c()", "long a.b() throws X", "long .a.b()"})
    void aWrongPatternIsRefused(String pattern) {
        String message = assertThrows(IllegalArgumentException.class, () -> SignaturePattern.parse(pattern)).getMessage();
        assertTrue(message.startsWith("pattern \"" + pattern), message);
    }

    @Test
    void theLastRuleThatMatchesDecides() throws Exception {
        Method method = method("monitoredMethod", long.class, int.class);
        Rules rules = Rules.parse("+ * ..Plain.*(..); - long ..*.*(..)");
        assertFalse(rules.include(method));
        assertTrue(rules.mayInclude("moobench.calls.Plain"));
        assertFalse(rules.mayInclude("moobench.calls.Main"));
        Rules again = rules.with(true, SignaturePattern.parse("* ..Plain.*(..)"));
        assertTrue(again.include(method));
        assertFalse(again.with(false, SignaturePattern.parse("*")).include(method));
        assertFalse(Rules.parse("").include(method));
    }
}
