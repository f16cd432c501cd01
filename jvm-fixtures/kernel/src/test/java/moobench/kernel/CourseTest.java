package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CourseTest {
    @TempDir Path dir;

    /** The rows of a course, as they are written. */
    private long[][] rows(Series series) throws Exception {
        series.write(dir);
        byte[] file = Files.readAllBytes(dir.resolve(series.file()));
        int header = 0;
        while (file[header++] != '\n') { }
        int width = Course.COLUMNS.split(",").length;
        ByteBuffer values = ByteBuffer.wrap(file, header, file.length - header - 16).order(ByteOrder.LITTLE_ENDIAN);
        long[][] rows = new long[values.remaining() / Long.BYTES / width][width];
        for (long[] row : rows) {
            for (int i = 0; i < width; i++) {
                row[i] = values.getLong();
            }
        }
        return rows;
    }

    /** Rows are at one distance, from the first one on, however many were taken. */
    @ParameterizedTest
    @CsvSource({"1, 1, '0'", "4, 1, '0 1 2 3'", "5, 2, '0 2 4'", "8, 2, '0 2 4 6'", "9, 4, '0 4 8'", "17, 8, '0 8 16'"})
    void halvesWhatIsFull(int ticks, long every, String kept) throws Exception {
        Course course = new Course(1, 4);
        long due = 0;
        for (int tick = 0; tick < ticks; tick++) {
            if (tick == due) {
                course.take(tick);
                due = tick + course.everyNs();
            }
        }
        long[] since = Arrays.stream(rows(course.series())).mapToLong(row -> row[0]).toArray();
        assertArrayEquals(Arrays.stream(kept.split(" ")).mapToLong(Long::parseLong).toArray(), since);
        assertEquals(every, course.everyNs());
    }

    @Test
    void columnsAreWhatTheJvmSays() throws Exception {
        System.gc();
        Course course = new Course(1, 10);
        course.take(7);
        byte[] held = new byte[32 << 20];
        System.gc();
        course.take(8);
        long[][] rows = rows(course.series());
        assertEquals(2, rows.length);
        assertEquals(7, rows[0][0]);
        long grown = rows[1][1] - rows[0][1];
        assertTrue(rows[0][1] > 0 && grown > held.length / 2 && grown < 2L * held.length, "grown by " + grown + " bytes");
        assertTrue(rows[1][2] > rows[0][2] && rows[0][2] > 0, "collections " + rows[0][2] + ", " + rows[1][2]);
        assertTrue(rows[1][3] >= rows[0][3] && rows[1][3] > 0 && rows[1][3] % 1_000_000 == 0, rows[1][3] + " ns");
        long loaded = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
        assertTrue(rows[1][4] > 100 && rows[1][4] <= loaded, rows[1][4] + " of " + loaded + " classes");
        assertTrue(rows[1][5] > 1 && rows[1][5] <= ManagementFactory.getThreadMXBean().getPeakThreadCount(), rows[1][5] + " threads");
    }

    /** Its thread takes rows as long as it runs, and no more than there is room for. */
    @Test
    void takesRowsByItself() throws Exception {
        Course course = new Course(1, 2);
        course.start();
        for (int i = 0; i < 10_000 && course.everyNs() < 8; i++) {
            Thread.sleep(1);
        }
        long[][] rows = rows(course.end());
        assertTrue(course.everyNs() >= 8, course.everyNs() + " ns");
        assertTrue(rows.length >= 1 && rows.length <= 2, rows.length + " rows");
    }

    @Test
    void anEndedCourseHasNoThread() throws Exception {
        Course course = new Course(Long.MAX_VALUE / 4, 2);
        course.start();
        long[][] rows = rows(course.end());
        assertTrue(rows.length <= 1, rows.length + " rows");
        assertTrue(Thread.getAllStackTraces().keySet().stream().noneMatch(thread -> thread.getName().equals("moobench-course")));
    }
}
