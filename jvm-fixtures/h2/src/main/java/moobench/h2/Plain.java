package moobench.h2;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import moobench.kernel.Probes;
import moobench.kernel.Target;

/**
 * One call is one transaction of the calling thread's own client, over its own connection. Clients share the tables but no
 * row, so that none waits for another's locks and each one's results are the same whatever the others do.
 */
public final class Plain implements Target {
    /**
     * In memory, so that no disk is measured; nothing that the database does by itself after some time or some changes, so
     * that all calls are alike.
     */
    private static final String SETTINGS = ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE;ANALYZE_AUTO=0;TRACE_LEVEL_FILE=0";

    private final String url;
    private final List<Client> clients = new ArrayList<>();
    private final List<Thread> owners = new ArrayList<>();
    private final ThreadLocal<Client> own = ThreadLocal.withInitial(this::claim);

    public Plain() throws SQLException {
        this("moobench");
    }

    /** A new database of this name. */
    Plain(String database) throws SQLException {
        url = "jdbc:h2:mem:" + database + SETTINGS;
        try (Connection connection = connect()) {
            Client.createTables(connection);
        }
        claim(); // of the thread that primes
        Probes.beforeLoop(own::get); // a client of a measuring thread fills its rows before the clock starts
    }

    @Override
    public long monitoredMethod(long methodTimeNs, int depth) {
        try {
            return own.get().transaction();
        } catch (SQLException e) {
            throw new IllegalStateException("h2: " + e.getMessage(), e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** The client of a thread that has ended, so that the tables don't grow with each run; else a new one. */
    private synchronized Client claim() {
        for (int i = 0; i < clients.size(); i++) {
            if (owners.get(i) == Thread.currentThread() || !owners.get(i).isAlive()) {
                owners.set(i, Thread.currentThread());
                return clients.get(i);
            }
        }
        try {
            clients.add(new Client(connect(), clients.size()));
        } catch (SQLException e) {
            throw new IllegalStateException("h2: " + e.getMessage(), e);
        }
        owners.add(Thread.currentThread());
        return clients.get(clients.size() - 1);
    }
}
