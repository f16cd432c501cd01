package moobench.kernel;

import java.io.File;
import java.io.IOException;
import java.util.Locale;

/**
 * Runs a fixture without a harness, for those who want a busy JVM to try something on. It works in rounds on one thread, the
 * main thread, and says once a second how many calls it makes.
 */
public final class Alone {
    private static final long SECOND = 1_000_000_000;

    private Alone() {}

    /**
     * Serves the fixture as {@link Kernel#serve} does, unless it was started without a harness but with arguments: then it
     * runs by itself. These are {@code seconds=}, how long; {@code calls=}, of one round; and what else the fixture is set up
     * with. Never returns.
     *
     * @param mainNs System.nanoTime() at the entry of main
     */
    public static void serve(long mainNs, Fixture fixture, String[] args) {
        if (!Settings.control().isEmpty()) {
            Kernel.serve(mainNs, fixture);
        }
        String example = "moobench." + fixture.name() + ".Main seconds=60 calls=1000";
        if (args.length == 0) {
            System.err.println(Kernel.NO_HARNESS);
            System.err.println("moobench: hint: to have it run by itself, say how long and how many calls a round has: " + example);
            System.exit(2);
        }
        try {
            run(fixture, args);
        } catch (IllegalArgumentException e) {
            System.err.println("moobench: error: " + e.getMessage() + " (want e.g. " + example + ")");
            System.exit(2);
        } catch (Exception e) {
            System.err.println("moobench: error: running " + fixture.name() + ": " + e);
            System.exit(1);
        }
        System.exit(0);
    }

    private static void run(Fixture fixture, String[] args) throws Exception {
        Setup setup = new Setup(message(fixture, args));
        long seconds = setup.large("seconds", 1);
        long calls = setup.large("calls", 1);
        fixture.setup(setup);
        System.out.println(fixture.name() + ", process " + pid() + ", for " + seconds + " s");
        long begin = System.nanoTime();
        long told = begin;
        long made = 0;
        for (long now = begin; now - begin < seconds * SECOND; ) {
            made += fixture.prime(calls);
            now = System.nanoTime();
            if (now - told >= SECOND) {
                System.out.printf(Locale.ROOT, "%.0f calls/s%n", made * 1e9 / (now - told));
                told = now;
                made = 0;
            }
        }
    }

    /** All arguments, and what they leave open: plain calls, one after the other. */
    private static Message message(Fixture fixture, String[] args) {
        Message all = new Message("arguments").with("target", "moobench." + fixture.name() + ".Plain").with("depth", 1)
                .with("threads", 1).with("method_time", 0).with("busy_wait", "lazy").with("batch", 1).with("rate", 0);
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("argument " + arg + " is not key=value");
            }
            String key = arg.substring(0, equals);
            if (key.equals("threads")) {
                throw new IllegalArgumentException("by itself it has one thread: leave threads away");
            }
            all.with(key, arg.substring(equals + 1));
        }
        return all;
    }

    private static String pid() throws IOException {
        return new File("/proc/self").getCanonicalFile().getName();
    }
}
