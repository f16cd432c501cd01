package moobench.h2;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A bank's client program: accounts, and the last so many entries to them. Each transaction has the same statements, which
 * touch the same number of rows; which rows follows from a seed. Tables keep their size.
 */
final class Client {
    private static final int ACCOUNTS = 100;
    private static final int ENTRIES = 64;
    private static final int TRANSFERS = 4;
    private static final int BRANCHES = 8;

    private final Connection connection;
    private final PreparedStatement balance;
    private final PreparedStatement add;
    private final PreparedStatement forget;
    private final PreparedStatement enter;
    private final PreparedStatement perBranch;
    private final PreparedStatement richest;
    private final Statement parsed;
    private final int first; // of its accounts and entries, whose numbers are its own
    private long random = 20140901;
    private int next; // entry that is replaced

    static void createTables(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE account (id INT PRIMARY KEY, client INT, branch INT, owner VARCHAR(40), balance BIGINT)");
            s.execute("CREATE TABLE entry (id INT PRIMARY KEY, client INT, account INT, amount BIGINT, text VARCHAR(40))");
            s.execute("CREATE INDEX account_client ON account(client)");
            s.execute("CREATE INDEX entry_client ON entry(client)");
        }
    }

    /** Fills the rows of the client of this number. */
    Client(Connection connection, int number) throws SQLException {
        this.connection = connection;
        this.first = number * 1_000;
        connection.setAutoCommit(false);
        balance = connection.prepareStatement("SELECT balance FROM account WHERE id = ?");
        add = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
        forget = connection.prepareStatement("DELETE FROM entry WHERE id = ?");
        enter = connection.prepareStatement("INSERT INTO entry VALUES (?, ?, ?, ?, ?)");
        perBranch = connection.prepareStatement("SELECT a.branch, COUNT(*), SUM(e.amount), MAX(e.amount) FROM entry e"
                + " JOIN account a ON a.id = e.account WHERE e.client = ? GROUP BY a.branch ORDER BY a.branch");
        richest = connection.prepareStatement("SELECT UPPER(owner), balance FROM account"
                + " WHERE client = ? AND owner LIKE 'owner 1%' ORDER BY balance DESC, id LIMIT 10");
        parsed = connection.createStatement();
        fill(number);
    }

    private void fill(int number) throws SQLException {
        try (PreparedStatement account = connection.prepareStatement("INSERT INTO account VALUES (?, ?, ?, ?, ?)")) {
            for (int i = 0; i < ACCOUNTS; i++) {
                account.setInt(1, first + i);
                account.setInt(2, first);
                account.setInt(3, i % BRANCHES);
                account.setString(4, "owner " + i);
                account.setLong(5, 1_000_000);
                account.executeUpdate();
            }
        }
        for (int i = 0; i < ENTRIES; i++) {
            enter(i, i % ACCOUNTS, i);
        }
        connection.commit();
        perBranch.setInt(1, first);
        richest.setInt(1, first);
    }

    /** Makes some transfers and asks for two lists of results; returns a checksum of what it read. */
    long transaction() throws SQLException {
        long sum = 0;
        for (int i = 0; i < TRANSFERS; i++) {
            sum = 31 * sum + transfer();
        }
        sum = 31 * sum + read(perBranch.executeQuery());
        sum = 31 * sum + read(richest.executeQuery());
        // Its text is new to the database, which has to parse and plan it.
        String literal = String.valueOf(100_000 + below(900_000));
        sum = 31 * sum + read(parsed.executeQuery("SELECT COUNT(*), MIN(balance) FROM account WHERE client = " + first + " AND balance > " + literal));
        connection.commit();
        return sum;
    }

    private long transfer() throws SQLException {
        int from = below(ACCOUNTS);
        int to = (from + 1 + below(ACCOUNTS - 1)) % ACCOUNTS; // another one
        int amount = 1 + below(1_000);
        long sum = balance(from) + balance(to);
        add(from, -amount);
        add(to, amount);
        forget.setInt(1, first + next);
        forget.executeUpdate();
        enter(next, to, amount);
        next = (next + 1) % ENTRIES;
        return sum;
    }

    private long balance(int account) throws SQLException {
        balance.setInt(1, first + account);
        return read(balance.executeQuery());
    }

    private void add(int account, long amount) throws SQLException {
        add.setLong(1, amount);
        add.setInt(2, first + account);
        add.executeUpdate();
    }

    private void enter(int entry, int account, long amount) throws SQLException {
        enter.setInt(1, first + entry);
        enter.setInt(2, first);
        enter.setInt(3, first + account);
        enter.setLong(4, amount);
        enter.setString(5, "transfer of " + amount);
        enter.executeUpdate();
    }

    /** A checksum of all rows; no query asks for the numbers of accounts or entries, which differ between clients. */
    private static long read(ResultSet rows) throws SQLException {
        long sum = 0;
        try (ResultSet r = rows) {
            int columns = r.getMetaData().getColumnCount();
            while (r.next()) {
                for (int i = 1; i <= columns; i++) {
                    sum = 31 * sum + r.getString(i).hashCode();
                }
            }
        }
        return sum;
    }

    /** The next pseudo-random number from 0 to less than a limit (Knuth's MMIX generator). */
    private int below(int limit) {
        random = 6364136223846793005L * random + 1442695040888963407L;
        return (int) ((random >>> 33) % limit);
    }
}
