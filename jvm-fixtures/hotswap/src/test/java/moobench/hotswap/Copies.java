package moobench.hotswap;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Loads copies of its own: of the classes of the sample package, and of those whose class files it is given. */
final class Copies extends ClassLoader {
    private final Map<String, byte[]> given = new ConcurrentHashMap<>();

    static {
        registerAsParallelCapable();
    }

    /** Copies whose other classes come from the parent. */
    Copies(ClassLoader parent) {
        super(parent);
    }

    Copies() {
        this(Copies.class.getClassLoader());
    }

    Copies with(String name, byte[] classFile) {
        given.put(name, classFile);
        return this;
    }

    static byte[] sample(String name) {
        try (InputStream in = Copies.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("moobench.sample.") && !given.containsKey(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            byte[] file = loaded != null ? null : given.containsKey(name) ? given.get(name) : sample(name);
            return loaded != null ? loaded : defineClass(name, file, 0, file.length);
        }
    }
}
