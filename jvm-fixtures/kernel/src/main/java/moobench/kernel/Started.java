package moobench.kernel;

import java.io.File;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.Map;
import java.util.function.Consumer;

/** Says who started the threads of this JVM: by the first class on the way to their code that is not the JDK's. */
final class Started {
    private static final int MOST_THREADS = 1000;
    private static final int LONGEST = 200;
    private static final String[] JDK = {"java.", "javax.", "jdk.", "sun.", "com.sun."};

    private Started() {}

    /** Answers the request; lines takes one of each thread that such a class tells of. */
    static Message answer(Consumer<Message> lines) {
        int count = 0;
        for (Map.Entry<Thread, StackTraceElement[]> one : Thread.getAllStackTraces().entrySet()) {
            Message line = line(one.getKey(), one.getValue());
            if (line != null && count++ < MOST_THREADS) {
                lines.accept(line);
            }
        }
        return new Message("threads").with("count", count);
    }

    private static Message line(Thread thread, StackTraceElement[] stack) {
        if (!isJdk(thread.getClass().getName())) {
            return line(thread, thread.getClass());
        }
        ClassLoader context = thread.getContextClassLoader();
        for (int i = stack.length - 1; i >= 0; i--) {
            String name = stack[i].getClassName().split("\\$\\$Lambda", 2)[0]; // that of the method that made it
            if (!isJdk(name)) {
                Class<?> type = find(name, context);
                return type != null ? line(thread, type) : line(thread, name).with("from", "");
            }
        }
        // An idle worker of a pool: the context class loader is that of who made the pool.
        return context == null || isJdk(context.getClass().getName()) ? null : line(thread, context.getClass());
    }

    private static Message line(Thread thread, Class<?> type) {
        return line(thread, type.getName()).with("from", from(type));
    }

    private static Message line(Thread thread, String type) {
        return new Message("thread").with("name", plain(thread.getName())).with("class", plain(type));
    }

    /** The class of a name as a thread's loader, or that of the fixture, has it loaded; else null. */
    private static Class<?> find(String name, ClassLoader context) {
        for (ClassLoader loader : new ClassLoader[] {ClassLoader.getSystemClassLoader(), context}) {
            try {
                return Class.forName(name, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                // the next one may have it
            }
        }
        return null;
    }

    private static boolean isJdk(String name) {
        for (String prefix : JDK) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** The jar or folder that a class was loaded from; empty where the JVM names none, as for the boot class path. */
    static String from(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return source == null || source.getLocation() == null ? "" : new File(source.getLocation().toURI()).getPath();
        } catch (URISyntaxException | IllegalArgumentException e) {
            return ""; // a loader of an agent's own
        }
    }

    /** What fits a line: names of threads are anybody's. */
    private static String plain(String text) {
        return text.substring(0, Math.min(LONGEST, text.length())).replaceAll("\\p{Cntrl}", "?");
    }
}
