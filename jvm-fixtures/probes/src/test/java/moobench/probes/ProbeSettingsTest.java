package moobench.probes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ProbeSettingsTest {
    @Test
    void numbers() {
        for (String[] each : new String[][] {{"1", "1"}, {"64k", "65536"}, {"3M", "3145728"}, {"4g", "4294967296"}}) {
            System.setProperty("moobench.test", each[0]);
            assertEquals(Long.parseLong(each[1]), ProbeSettings.bytes("moobench.test", 5));
        }
        for (String wrong : new String[] {"0", "k", "1t", "-1", "1.5g"}) {
            System.setProperty("moobench.test", wrong);
            assertThrows(IllegalArgumentException.class, () -> ProbeSettings.bytes("moobench.test", 5));
        }
        System.clearProperty("moobench.test");
        assertEquals(5, ProbeSettings.bytes("moobench.test", 5));
    }
}
