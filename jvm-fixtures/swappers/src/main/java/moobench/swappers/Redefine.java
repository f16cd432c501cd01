package moobench.swappers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import moobench.kernel.Probes;
import moobench.probes.patterns.PatternList;
import moobench.probes.patterns.SignaturePattern;

/**
 * Exchanges classes for class files that were made beforehand, the agent's and the original: what the JVM's redefinition
 * costs, and no library. What {@link #prepare} wasn't told of is made when it is needed, and counts as transformed.
 */
public final class Redefine extends Exchanger {
    private final Map<Class<?>, Map<Map<String, String>, ClassDefinition>> made = new HashMap<>();

    /** For {@code -Dmoobench.swapper}. */
    public Redefine() {}

    @Override
    public synchronized void prepare(String text) throws IOException {
        SignaturePattern pattern = SignaturePattern.unsigned(text);
        PatternList with = with(text);
        for (Class<?> type : Loaded.of(pattern, instrumentation())) {
            definition(type, Loaded.included(type, with));
            definition(type, Collections.emptyMap());
        }
    }

    @Override
    void exchange(Class<?>[] types) throws Exception {
        ClassDefinition[] definitions = new ClassDefinition[types.length];
        long begin = System.nanoTime();
        for (int i = 0; i < types.length; i++) {
            definitions[i] = definition(types[i], monitored(types[i]));
        }
        transformed(System.nanoTime() - begin);
        instrumentation().redefineClasses(definitions);
    }

    private ClassDefinition definition(Class<?> type, Map<String, String> methods) throws IOException {
        Map<Map<String, String>, ClassDefinition> ofType = made.computeIfAbsent(type, t -> new HashMap<>());
        ClassDefinition definition = ofType.get(methods);
        if (definition == null) {
            definition = new ClassDefinition(type, inject(original(type), methods));
            ofType.put(methods, definition);
        }
        return definition;
    }

    /** A signature is a pattern of its method alone: they don't overlap, and so follow each other. */
    private static byte[] inject(byte[] file, Map<String, String> methods) {
        byte[] injected = file;
        for (String signature : methods.values()) {
            injected = Probes.agent().inject(injected, "+ " + signature);
        }
        return injected;
    }

    static byte[] original(Class<?> type) throws IOException {
        String resource = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("its class loader has no " + resource);
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] chunk = new byte[8192];
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                all.write(chunk, 0, n);
            }
            return all.toByteArray();
        }
    }
}
