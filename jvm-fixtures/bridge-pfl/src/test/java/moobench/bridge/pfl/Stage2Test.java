package moobench.bridge.pfl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.glassfish.pfl.tf.spi.annotation.TraceEnhanceLevel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Class files of the three levels, beside those of PFL's own tool. */
class Stage2Test {
    @TempDir static Path prepared;
    private static Path plain;
    private static Path stage1;
    private static Path both;

    @BeforeAll
    static void prepare() throws Exception {
        plain = Prepared.classes(prepared, "plain", "TimingPoints");
        stage1 = Prepared.classes(prepared, "stage1", "UpdateSchemas");
        both = Prepared.classes(prepared, "both", "TraceEnhance");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Traced", "Informed", "Thrown"})
    void itMakesWhatTheToolMakes(String name) throws Exception {
        assertArrayEquals(Prepared.file(both, name), Stage2.enhance(Prepared.file(stage1, name)));
    }

    /** The constants by which it is seen from outside whether the tool has done its work. */
    @ParameterizedTest
    @CsvSource({"plain, NONE, false, false, false", "stage1, PHASE1, true, true, false", "both, PHASE2, true, false, true"})
    void theLevelIsInTheFile(String folder, TraceEnhanceLevel level, boolean enhanced, boolean phase1, boolean phase2) throws Exception {
        byte[] file = Prepared.file(prepared.resolve(folder), "Traced");
        assertEquals(level, Stage2.level(file));
        assertEquals(enhanced, holds(file, "Lorg/glassfish/pfl/tf/spi/annotation/TFEnhanced;"));
        assertEquals(phase1, holds(file, "PHASE1"));
        assertEquals(phase2, holds(file, "PHASE2"));
    }

    private static boolean holds(byte[] file, String constant) {
        return new String(file, StandardCharsets.ISO_8859_1).contains("\1\0" + (char) constant.length() + constant); // tag and length of a Utf8
    }

    @Test
    void whatIsNotAtTheFirstStageIsRefused() throws Exception {
        byte[] file = Prepared.file(plain, "Traced");
        assertEquals("Class moobench/bridge/pfl/Traced has trace enhancement level NONE but PHASE1 is required.",
                assertThrows(RuntimeException.class, () -> Stage2.enhance(file)).getMessage());
        byte[] done = Prepared.file(both, "Traced");
        assertEquals("Class moobench/bridge/pfl/Traced has trace enhancement level PHASE2 but PHASE1 is required.",
                assertThrows(RuntimeException.class, () -> Stage2.enhance(done)).getMessage());
        byte[] other = Prepared.file(stage1, "Stage2");
        assertEquals(IllegalArgumentException.class, assertThrows(RuntimeException.class, () -> Stage2.enhance(other)).getClass());
    }
}
