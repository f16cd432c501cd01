package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesTest {
    @TempDir Path dir;

    @ParameterizedTest
    @ValueSource(ints = {0, 6, 131_072, 131_074, 500_000}) // none, few, one chunk, a little more, several
    void bitsAreExact(int n) throws Exception {
        long[] values = new long[n];
        long[] edges = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0, 1, 0x0123456789ABCDEFL};
        for (int i = 0; i < n; i++) {
            values[i] = i < edges.length ? edges[i] : i * 0x9E3779B97F4A7C15L;
        }
        Series series = new Series("swap", 3, "match:ns:duration,classes:1:count", 7, values);
        long size = series.write(dir);

        assertEquals("swap.3.i64", series.file());
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(dir.resolve("swap.3.i64"))).order(ByteOrder.LITTLE_ENDIAN);
        String header = "moobench-i64 1 series=swap thread=3 columns=match:ns:duration,classes:1:count n=" + n / 2 + " batch=7\n";
        assertEquals(header.length() + 8L * n + 16, size);
        assertEquals(size, file.remaining());
        assertEquals(header, ascii(file, header.length()));
        long[] got = new long[n];
        for (int i = 0; i < n; i++) {
            got[i] = file.getLong();
        }
        assertArrayEquals(values, got);
        assertEquals("MOOEND01", ascii(file, 8));
        assertEquals(n / 2, file.getLong());
        CRC32 crc = new CRC32();
        crc.update(file.array());
        assertEquals(String.format("%08x", crc.getValue()), series.message().get("crc32"));
    }

    private static String ascii(ByteBuffer from, int length) {
        byte[] text = new byte[length];
        from.get(text);
        return new String(text, StandardCharsets.US_ASCII);
    }

    @Test
    void anEarlierFileIsReplacedWhole() throws Exception {
        new Series("t", 0, "t:ns:duration", 1, new long[1000]).write(dir);
        long size = new Series("t", 0, "t:ns:duration", 1, new long[10]).write(dir);
        assertEquals(size, Files.size(dir.resolve("t.0.i64")));
    }

    @Test
    void halfARowIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Series("t", 0, "a:ns:duration,b:1:count", 1, new long[3]));
    }
}
