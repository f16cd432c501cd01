package moobench.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A series as it was written. */
final class Dump {
    private final List<String> names = new ArrayList<>();
    private final long[] values;

    private Dump(String columns, long[] values) {
        for (String column : columns.split(",")) {
            names.add(column.substring(0, column.indexOf(':')));
        }
        this.values = values;
    }

    /** Reads the series of thread 0 from dir. */
    static Dump read(Path dir, String series) throws Exception {
        byte[] file = Files.readAllBytes(dir.resolve(series + ".0.i64"));
        int end = new String(file, StandardCharsets.ISO_8859_1).indexOf('\n');
        String header = new String(file, 0, end, StandardCharsets.US_ASCII);
        long[] values = new long[(file.length - end - 1) / Long.BYTES - 2];
        ByteBuffer.wrap(file, end + 1, values.length * Long.BYTES).slice().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
        Dump dump = new Dump(header.replaceAll(".* columns=(\\S+) .*", "$1"), values);
        assertEquals("moobench-i64 1 series=" + series, header.substring(0, header.indexOf(" thread")));
        assertEquals("" + dump.rows(), header.replaceAll(".* n=(\\d+) .*", "$1"));
        return dump;
    }

    String columns() {
        return String.join(",", names);
    }

    int rows() {
        return values.length / names.size();
    }

    long value(String column, int row) {
        return values[row * names.size() + names.indexOf(column)];
    }

    long least(String column) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < rows(); i++) {
            least = Math.min(least, value(column, i));
        }
        return least;
    }
}
