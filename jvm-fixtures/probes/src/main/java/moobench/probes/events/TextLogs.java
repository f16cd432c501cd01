package moobench.probes.events;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import moobench.probes.Methods;

/**
 * The loggers of Ferber 2016, one for each thread: a line of text for each event, such as
 * {@code 81234 EnterMethod: a.B_1f2e3d4c run Thread-0}, in events-PID.THREAD.txt. They differ in where lines wait.
 */
final class TextLogs extends EventLogs {
    private final String kind;
    /** Arrays of this many threads are made before the program begins: a large one takes as long as ten thousand events. */
    private static final int BEFOREHAND = 3;

    private final int characters; // that the array of one thread has room for
    private final Deque<char[]> arrays = new ArrayDeque<>(); // that no thread has yet; guarded by this

    TextLogs(String kind, long characters) {
        this.kind = kind;
        if (characters > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("moobench.events.characters must be below 2g");
        }
        this.characters = (int) characters;
        for (int i = 0; kind.equals("memarray") && i < BEFOREHAND; i++) {
            arrays.add(new char[this.characters]);
        }
    }

    @Override
    protected EventLog make(int number) {
        try {
            switch (kind) {
                case "file":
                    return new ToFile(number);
                case "stringbuilder":
                    return new ToBuilder(number);
                default:
                    return new ToArray(number, arrays.isEmpty() ? new char[characters] : arrays.pop());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("opening the log of a thread", e);
        }
    }

    @Override
    synchronized long close() throws IOException {
        long written = 0;
        for (EventLog log : present()) {
            ((TextLog) log).close();
            written += log.recorded();
        }
        return written;
    }

    /** One thread's lines. */
    private abstract static class TextLog extends EventLog {
        private static final String[] WHAT = {" EnterMethod: ", " ExitMethod: ", " ExitMethod: ", " Wait: ", " Awake: ", " RequestLock: ", " Caller: "};

        private final int number;
        private String[] names = new String[64]; // of methods, by their numbers
        private String thread;

        TextLog(int number) {
            this.number = number;
        }

        @Override
        void begin(String name) {
            thread = name;
        }

        @Override
        final boolean keep(int kind, long time, Object self, int method) {
            String type = self == null ? "static" : self.getClass().getName();
            return write(time + WHAT[kind] + type + '_' + Integer.toHexString(hash(self)) + ' ' + name(method) + ' ' + thread + '\n');
        }

        @Override
        final boolean keep(int kind, long time, int hash, int section) {
            return write(time + WHAT[kind] + "lock_" + Integer.toHexString(hash) + ' ' + name(section) + ' ' + thread + '\n');
        }

        private String name(int method) {
            if (method >= names.length) {
                names = Arrays.copyOf(names, 2 * method);
            }
            if (names[method] == null) {
                String signature = Methods.signature(method);
                int open = signature.indexOf('(');
                names[method] = signature.substring(signature.lastIndexOf('.', open) + 1, open);
            }
            return names[method];
        }

        final BufferedWriter open() throws IOException {
            return Files.newBufferedWriter(EventLogs.file(number + ".txt"), StandardCharsets.UTF_8);
        }

        /** Keeps a line; false where there is no room for it. */
        abstract boolean write(String line);

        /** Has all lines in the file; called once. */
        abstract void close() throws IOException;
    }

    private static final class ToFile extends TextLog {
        private final BufferedWriter out;

        ToFile(int number) throws IOException {
            super(number);
            out = open();
        }

        @Override
        boolean write(String line) {
            try {
                out.write(line);
                return true;
            } catch (IOException e) {
                return false; // a full disk is the log's business, not the application's
            }
        }

        @Override
        void close() throws IOException {
            out.close();
        }
    }

    private static final class ToBuilder extends TextLog {
        private final StringBuilder lines = new StringBuilder();

        ToBuilder(int number) {
            super(number);
        }

        @Override
        boolean write(String line) {
            lines.append(line);
            return true;
        }

        @Override
        void close() throws IOException {
            try (BufferedWriter out = open()) {
                out.append(lines);
            }
        }
    }

    private static final class ToArray extends TextLog {
        private final char[] lines;
        private int used;

        ToArray(int number, char[] lines) {
            super(number);
            this.lines = lines;
        }

        @Override
        boolean write(String line) {
            if (line.length() > lines.length - used) {
                return false;
            }
            line.getChars(0, line.length(), lines, used);
            used += line.length();
            return true;
        }

        @Override
        void close() throws IOException {
            try (BufferedWriter out = open()) {
                out.append(CharBuffer.wrap(lines, 0, used));
            }
        }
    }
}
