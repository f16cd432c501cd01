package moobench.bridge.jfr;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * By the JDK's own command, from outside the program: a process for each order, which attaches to this JVM. Its exit status is
 * 0 also where the order failed; only what it prints tells.
 */
final class JcmdDoor implements Door {
    /** Where the length of a chunk stands in its header. */
    private static final int CHUNK_LENGTH_AT = 8;

    private final Settings settings;
    private final String jcmd = System.getProperty("java.home") + File.separator + "bin" + File.separator + "jcmd";
    private final String pid = String.valueOf(ProcessHandle.current().pid());
    private String name;

    JcmdDoor(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void start(String name, Path file) throws IOException, InterruptedException {
        // Unless told otherwise, it keeps the last 250 MB only.
        List<String> order = new ArrayList<>(Arrays.asList("JFR.start", "name=" + name, "settings=\"" + settings.preset() + "\"", "filename=\"" + file + "\"",
                "dumponexit=true", "maxsize=0"));
        // A setting that no file of settings has needs the plus: without it there is a warning, and it has no effect.
        settings.own().forEach((setting, value) -> order.add("+" + setting + "=\"" + value + "\""));
        String reply = ask(order.toArray(new String[0]));
        if (!reply.contains("Started recording")) {
            throw new IllegalStateException("jcmd JFR.start with moobench.jfr.settings=" + settings.preset() + ": " + reply);
        }
        this.name = name;
    }

    @Override
    public void dump(Path file) throws IOException, InterruptedException {
        String reply = ask("JFR.dump", "name=" + name, "filename=\"" + file + "\"");
        if (!reply.contains("Dumped recording")) {
            throw new IOException("jcmd JFR.dump: " + reply);
        }
    }

    @Override
    public boolean stop(Path file) throws IOException, InterruptedException {
        String reply = ask("JFR.stop", "name=" + name); // writes the file that the start has named
        if (reply.contains("Could not find") || reply.contains("Could not stop")) {
            return false;
        }
        if (!reply.contains("Stopped recording")) {
            throw new IOException("jcmd JFR.stop: " + reply);
        }
        if (!isWhole(file)) {
            throw new IOException("the file is cut off, although jcmd JFR.stop says: " + reply);
        }
        return true;
    }

    /** Whether the file ends where its last chunk does: that it was written is said also where the disk was full. */
    private static boolean isWhole(Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long size = in.length();
            long at = 0;
            while (at + CHUNK_LENGTH_AT + Long.BYTES <= size) {
                in.seek(at + CHUNK_LENGTH_AT);
                long length = in.readLong();
                if (length <= 0) {
                    return false;
                }
                at += length;
            }
            return size > 0 && at == size;
        }
    }

    /** What the command prints, in one line. */
    private String ask(String... order) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Arrays.asList(jcmd, pid));
        command.addAll(Arrays.asList(order));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String reply = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return reply.trim().replaceAll("\\s+", " ");
    }
}
