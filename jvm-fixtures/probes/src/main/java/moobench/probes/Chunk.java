package moobench.probes;

import java.util.Arrays;

/** Room for some records, filled by one thread. */
final class Chunk {
    final long[] longs;
    /** Longs that are filled; set when it is handed over. */
    int used;

    Chunk(int records) {
        longs = new long[records * Recorder.LONGS];
        Arrays.fill(longs, -1); // a page is touched now, not by a record
    }
}
