package moobench.hotswap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import moobench.probes.Switches;

/** Loads classes under a prefix anew, with the probe, and so through the verifier. */
final class Instrumenting extends ClassLoader {
    private final String prefix;
    private final Injector injector;
    private int instrumented;

    Instrumenting(String prefix, Injector injector) {
        super(InjectorTest.class.getClassLoader());
        this.prefix = prefix;
        this.injector = injector;
    }

    /** How many classes have the probe. */
    int instrumented() {
        return instrumented;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(prefix)) {
            return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
            return loaded;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] original = bytes(in);
            Injector.Injected injected = injector.inject(original, method -> true, null, new Supertypes(this::getParent));
            injected.in.values().forEach(id -> Switches.set(id, true));
            instrumented += injected.file == null ? 0 : 1;
            byte[] file = injected.file == null ? original : injected.file;
            return defineClass(name, file, 0, file.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] chunk = new byte[8192];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            out.write(chunk, 0, n);
        }
        return out.toByteArray();
    }
}
