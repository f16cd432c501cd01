package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "plain", "two words", "\"", "\\", "\n", "a=b", "\t", "größer 日本 🦬", "+ public * ..C0042.*(..)", "\\n", "*"})
    void everyValueComesBack(String value) {
        Message sent = new Message("verb").with("key", value).with("other", 1);
        assertTrue(sent.toString().indexOf('\n') < 0, sent.toString());
        Message got = Message.parse(sent.toString().getBytes(StandardCharsets.UTF_8));
        assertEquals("verb", got.verb());
        assertEquals(value, got.get("key"));
        assertEquals("1", got.get("other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " verb", "Verb", "verb ", "verb  a=1", "verb a", "verb a=1 a=2", "verb =1", "verb a=\"x", "verb a=\"x\"y", "verb a=\"\\t\"", "verb a=x\"y", "verb a=b=c", "verb a=\u0007"})
    void aLineThatIsNoneIsRefused(String line) {
        assertThrows(IllegalArgumentException.class, () -> Message.parse(line));
    }

    @Test
    void aLongOrBrokenLineIsRefused() {
        byte[] line = new byte[Message.MAX_BYTES + 1];
        Arrays.fill(line, (byte) 'a');
        assertEquals("line is longer than 65536 bytes", assertThrows(IllegalArgumentException.class, () -> Message.parse(line)).getMessage());
        assertEquals(Message.MAX_BYTES, Message.parse(Arrays.copyOf(line, Message.MAX_BYTES)).verb().length());
        byte[] latin1 = "verb a=ä".getBytes(StandardCharsets.ISO_8859_1);
        assertEquals("line is not UTF-8", assertThrows(IllegalArgumentException.class, () -> Message.parse(latin1)).getMessage());
    }
}
