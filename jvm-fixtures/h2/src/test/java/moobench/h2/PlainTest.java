package moobench.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;

class PlainTest {
    private static final int CALLS = 200;

    /** A checksum of what so many calls return. */
    private static long checksum(Plain plain) {
        long sum = 0;
        for (int i = 0; i < CALLS; i++) {
            sum = 31 * sum + plain.monitoredMethod(0, 1);
        }
        return sum;
    }

    private static long onItsOwnThread(Plain plain) throws InterruptedException {
        long[] sum = new long[1];
        Thread thread = new Thread(() -> sum[0] = checksum(plain));
        thread.start();
        thread.join();
        return sum[0];
    }

    private static String sizes(String database) throws Exception {
        try (Connection c = DriverManager.getConnection("jdbc:h2:mem:" + database);
                ResultSet r = c.createStatement().executeQuery("SELECT (SELECT COUNT(*) FROM account), (SELECT COUNT(*) FROM entry)")) {
            r.next();
            return r.getString(1) + " " + r.getString(2);
        }
    }

    @Test
    void theSameCallsReadTheSame() throws Exception {
        Plain plain = new Plain("a");
        long first = checksum(plain);
        assertEquals(first, checksum(new Plain("b")));
        assertNotEquals(plain.monitoredMethod(0, 1), plain.monitoredMethod(0, 1), "each transaction moves other amounts");
    }

    @Test
    void tablesKeepTheirSize() throws Exception {
        Plain plain = new Plain("c");
        String before = sizes("c");
        checksum(plain);
        assertEquals(before, sizes("c"));
    }

    /** Threads don't see each other's rows, and the client of one that has ended is taken over. */
    @Test
    void threadsHaveTheirOwnClients() throws Exception {
        Plain plain = new Plain("d");
        long first = checksum(plain);
        assertEquals(first, onItsOwnThread(plain));
        String before = sizes("d");
        assertNotEquals(first, onItsOwnThread(plain), "goes on where the other thread's client ended");
        assertEquals(before, sizes("d"));
    }

    @Test
    void moneyIsMovedAndNotMade() throws Exception {
        checksum(new Plain("e"));
        try (Connection c = DriverManager.getConnection("jdbc:h2:mem:e");
                ResultSet r = c.createStatement().executeQuery("SELECT SUM(balance) / COUNT(*), COUNT(DISTINCT balance) > 50 FROM account")) {
            r.next();
            assertEquals("1000000 true", r.getLong(1) + " " + r.getBoolean(2));
        }
    }
}
