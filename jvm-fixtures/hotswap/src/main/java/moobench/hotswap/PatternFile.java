package moobench.hotswap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moobench.kernel.Switch;
import moobench.probes.patterns.PatternList;

/**
 * A file that holds the list of patterns, as Kieker's adaptive monitoring has it: lines with {@code +} or {@code -} and a
 * pattern, the newest last; {@code #} begins a comment, empty lines say nothing. It is looked at again and again, and its
 * list takes the place of the agent's when it was written anew.
 *
 * <p>Unlike Kieker's, a file with a wrong line changes nothing at all: half a list monitors what nobody asked for.
 */
final class PatternFile {
    private final Path file;
    private final Observed swapper;
    /** As it was when last looked at; null if it couldn't be read. */
    private Content seen = Content.NONE;
    private boolean reading;

    private PatternFile(Path file, Observed swapper) {
        this.file = file;
        this.swapper = swapper;
    }

    /**
     * Reads the file now and each intervalS seconds, 0: never again. If update, changes from elsewhere are written into it.
     */
    static void watch(Path file, long intervalS, boolean update, Observed swapper) {
        PatternFile patterns = new PatternFile(file.toAbsolutePath(), swapper);
        patterns.look();
        if (update) {
            swapper.afterEach(patterns::write);
        }
        if (intervalS > 0) {
            Thread thread = new Thread(() -> patterns.lookEach(intervalS), "moobench-hotswap-file");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void lookEach(long intervalS) {
        try {
            while (true) {
                Thread.sleep(1000 * intervalS);
                look();
            }
        } catch (InterruptedException e) {
            // who interrupts it wants it to end
        }
    }

    private synchronized void look() {
        Content now = Content.of(file);
        Content before = seen;
        seen = now;
        if (now.isSame(before)) {
            return;
        }
        if (now.bytes == null) {
            say("can't be read (" + now.reason + "): the patterns stay as they are");
            return;
        }
        List<String> mistakes = new ArrayList<>();
        List<String> patterns = parse(new String(now.bytes, StandardCharsets.UTF_8), mistakes);
        if (!mistakes.isEmpty()) {
            say(String.join("; ", mistakes) + ": the patterns stay as they are");
            return;
        }
        replace(patterns);
    }

    private static List<String> parse(String text, List<String> mistakes) {
        List<String> patterns = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\r?\n", -1)) {
            number++;
            String pattern = line.trim();
            if (pattern.isEmpty() || pattern.startsWith("#")) {
                continue;
            }
            try {
                if (!pattern.startsWith("+") && !pattern.startsWith("-") || pattern.indexOf(';') >= 0) {
                    throw new IllegalArgumentException("want + or - and one pattern, or # and a comment, not \"" + pattern + "\"");
                }
                PatternList.parse(pattern);
                patterns.add(pattern);
            } catch (IllegalArgumentException e) {
                mistakes.add("line " + number + ": " + e.getMessage());
            }
        }
        return patterns;
    }

    private void replace(List<String> patterns) {
        reading = true;
        try {
            Switch.Swap swap = swapper.replace(patterns);
            if (!swap.failures.isEmpty()) {
                say(swap.failures.size() + " classes could not be exchanged, the first: " + swap.failures.get(0));
            }
        } catch (Exception | LinkageError e) {
            say("its patterns could not be put in place: " + e.getMessage());
        } finally {
            reading = false;
        }
    }

    /** Writes the list after a change that came from elsewhere; the file is there whole or not at all. */
    private synchronized void write() {
        if (reading) {
            return;
        }
        StringBuilder text = new StringBuilder("# The hotswap agent's list of patterns; the newest stands last, and the newest that matches decides.\n");
        for (String pattern : swapper.patterns()) {
            text.append(pattern).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        try {
            Path whole = Files.exists(file) ? file.toRealPath() : file; // a link stays one
            Path part = whole.resolveSibling(whole.getFileName() + ".part");
            Files.write(part, bytes);
            seen = new Content(bytes, Files.getLastModifiedTime(part), null);
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            say("can't be written: " + e);
        }
    }

    private void say(String what) {
        System.err.println("moobench: warning: " + file + ": " + what);
    }

    /** What was found at a look: text and time, or why there is none. */
    private static final class Content {
        static final Content NONE = new Content(null, null, "not looked at yet");

        final byte[] bytes;
        final FileTime written;
        final String reason;

        Content(byte[] bytes, FileTime written, String reason) {
            this.bytes = bytes;
            this.written = written;
            this.reason = reason;
        }

        static Content of(Path file) {
            try {
                FileTime written = Files.getLastModifiedTime(file); // before the text: a later one is news at the next look
                return new Content(Files.readAllBytes(file), written, null);
            } catch (IOException e) {
                return new Content(null, null, e.toString());
            }
        }

        boolean isSame(Content other) {
            return Arrays.equals(bytes, other.bytes) && String.valueOf(written).equals(String.valueOf(other.written))
                    && String.valueOf(reason).equals(String.valueOf(other.reason));
        }
    }
}
