package moobench.classes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import moobench.kernel.Probes;

/** What the JVM alone takes to exchange one class: a transformer that hands out a class file made beforehand. */
final class Bare implements ClassFileTransformer {
    private final Instrumentation instrumentation = Probes.instrumentation();
    private final Class<?>[][] types;
    private final byte[][] files;
    private int armed = -1;
    private boolean asked;

    /** Makes the class files of these sets of one class each, as the agent makes them. */
    Bare(ClassSet[] sets) throws IOException {
        types = new Class<?>[sets.length][1];
        files = new byte[sets.length][];
        for (int i = 0; i < sets.length; i++) {
            types[i][0] = sets[i].targets[0].getClass();
            files[i] = Probes.agent().inject(original(types[i][0]), "+ " + sets[i].patterns[0]);
        }
        instrumentation.addTransformer(this, true);
    }

    private static byte[] original(Class<?> type) throws IOException {
        try (InputStream file = type.getClassLoader().getResourceAsStream(type.getName().replace('.', '/') + ".class")) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] chunk = new byte[4096];
            for (int n = file.read(chunk); n >= 0; n = file.read(chunk)) {
                all.write(chunk, 0, n);
            }
            return all.toByteArray();
        }
    }

    /** Exchanges the class of this set, and returns how many ns that took; then, untimed, exchanges it back. */
    long time(int set) throws Exception {
        asked = false;
        armed = set;
        long begin = System.nanoTime();
        instrumentation.retransformClasses(types[set]);
        long took = System.nanoTime() - begin;
        armed = -1;
        instrumentation.retransformClasses(types[set]);
        if (!asked) {
            throw new IllegalStateException("bare: the JVM didn't ask for the class file of " + types[set][0].getName());
        }
        return took;
    }

    /** Stops handing out anything. */
    void close() {
        instrumentation.removeTransformer(this);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (armed < 0 || redefined != types[armed][0]) {
            return null;
        }
        asked = true;
        return files[armed];
    }
}
