package moobench.freemarker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class PlainTest {
    @Test
    void everyCallRendersTheSame() throws Exception {
        Plain plain = new Plain();
        long first = plain.monitoredMethod(0, 1);
        assertEquals(first, plain.monitoredMethod(0, 1));
        assertEquals(first, new Plain().monitoredMethod(0, 1));
    }

    @Test
    void theChecksumIsThatOfTheText() throws Exception {
        Plain plain = new Plain();
        StringWriter text = new StringWriter();
        plain.render(text);
        long sum = 0;
        for (char c : text.toString().toCharArray()) {
            sum = 31 * sum + c;
        }
        assertEquals(sum, plain.monitoredMethod(0, 1));
    }

    /** Loops, macros, conditions, a function and escaping have left their traces. */
    @Test
    void pages() throws Exception {
        StringWriter into = new StringWriter();
        new Plain().render(into);
        String text = into.toString();
        assertEquals(40, text.split("<tr class=", -1).length - 1);
        assertEquals(15, text.split("<li>", -1).length - 1);
        for (String part : new String[] {"Shop of &lt;Things&gt; &amp; More: catalogue", "<h2>&quot;LOOSE&quot; GOODS</h2>", "<em>sold out</em>",
            "only 2 left", "in stock", "(instead of ", "A. O&#39;Neill &lt;ao@example.org&gt;</p>", "<p>Total 637.30, of which tax 101.75;"}) {
            assertTrue(text.contains(part), part + " is not in " + text);
        }
        assertFalse(text.contains("<Things>") || text.contains("${"), text);
    }
}
