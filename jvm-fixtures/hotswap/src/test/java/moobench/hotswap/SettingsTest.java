package moobench.hotswap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    private static Settings of(String args, String... properties) {
        Properties all = new Properties();
        for (int i = 0; i < properties.length; i += 2) {
            all.setProperty(properties[i], properties[i + 1]);
        }
        return Settings.of(args, all);
    }

    @Test
    void nothingIsSaid() {
        Settings settings = of(null, "moobench.probe.stage", "collect");
        assertEquals(0, settings.lingerNs);
        assertEquals("auto", settings.probe);
        assertNull(settings.file);
        assertNull(settings.host);
    }

    @Test
    void argumentsWinOverProperties() {
        Settings settings = of("linger=2s,patterns=+ * a.B.c(long, int); - * a.B.d(..),jmx=true,file=/a, b/c",
                "moobench.hotswap.linger", "1s", "moobench.hotswap.interval", "5");
        assertEquals(2_000_000_000L, settings.lingerNs);
        assertEquals("+ * a.B.c(long, int); - * a.B.d(..)", settings.patterns);
        assertEquals("/a, b/c", settings.file);
        assertEquals(5, settings.intervalS);
        assertTrue(settings.jmx);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1ns, 1", "2us, 2000", "500ms, 500000000", "60s, 60000000000", "1h30m0s, 5400000000000"})
    void times(String text, long ns) {
        assertEquals(ns, of("linger=" + text).lingerNs);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "linger=60 | linger must be a time with its unit (ns, us, ms, s, m, h), such as 60s, or 0, not 60",
        "linger=-1s | linger must be a time with its unit (ns, us, ms, s, m, h), such as 60s, or 0, not -1s",
        "linger=1sx | linger must be a time with its unit (ns, us, ms, s, m, h), such as 60s, or 0, not 1sx",
        "probe=other | probe must be one of auto, moobench, kieker, events, locks, not other",
        "jmx=yes | jmx must be one of false, true, not yes",
        "file=a,interval=1s | interval must be whole seconds, 0 or more, not 1s",
        "interval=5 | interval and update are about a watched file: say file",
        "jmx | jmx is not name=value",
        "jmx=true,jmx=true | jmx is given twice",
        "token=t | control and token belong together: say both",
        "control=example.org:80,token=t | control must be an address of this machine's loopback with a port, such as 127.0.0.1:4711, not example.org:80",
        "control=10.0.0.1:80,token=t | control must be an address of this machine's loopback with a port, such as 127.0.0.1:4711, not 10.0.0.1:80",
        "control=127.0.0.1:65536,token=t | control must be an address of this machine's loopback with a port, such as 127.0.0.1:4711, not 127.0.0.1:65536",
    })
    void mistakes(String args, String message) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, () -> of(args)).getMessage());
    }

    @Test
    void allMistakesAtOnce() {
        String message = assertThrows(IllegalArgumentException.class, () -> of("linger=x,jxm=true", "moobench.hotswap.prob", "kieker")).getMessage();
        assertTrue(message.contains("linger must be") && message.contains("unknown setting jxm (known: linger, file, ") && message.contains("unknown setting prob "), message);
    }

    @Test
    void aLaterAttachReadsItsArgumentsAlone() {
        assertEquals("[linger]", Settings.of("control=localhost:1,token=t,kernel=k,probes=p,linger=1s").lasting().toString());
    }
}
