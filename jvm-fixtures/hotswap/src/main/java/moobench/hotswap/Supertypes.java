package moobench.hotswap;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.objectweb.asm.ClassReader;

/**
 * What a class extends and implements, by the class files that its loader finds. Nothing is loaded for it: that would change
 * the program.
 */
final class Supertypes {
    /** Longer chains are no program's. */
    private static final int DEEPEST = 100;
    private static final String[] NOTHING = {};

    private final Supplier<ClassLoader> loader;
    /** The superclass and the interfaces of a class, by its internal name; empty where nothing is known. */
    private final Map<String, String[]> known = new ConcurrentHashMap<>();

    /** Those that a loader finds, which this doesn't keep alive: it may be null. */
    Supertypes(Supplier<ClassLoader> loader) {
        this.loader = loader;
    }

    /** Whether a class, by its internal name, is that type or one below it; no where its file is not found. */
    boolean isA(String name, String type) {
        return isA(name, type, 0);
    }

    private boolean isA(String name, String type, int depth) {
        if (name.equals(type)) {
            return true;
        }
        if (name.equals("java/lang/Object") || name.startsWith("[") || depth > DEEPEST) {
            return false;
        }
        for (String each : known.computeIfAbsent(name, this::read)) {
            if (isA(each, type, depth + 1)) {
                return true;
            }
        }
        return false;
    }

    private String[] read(String name) {
        String file = name + ".class";
        ClassLoader from = loader.get();
        try (InputStream in = from == null ? ClassLoader.getSystemResourceAsStream(file) : from.getResourceAsStream(file)) {
            if (in == null) {
                return NOTHING;
            }
            ClassReader reader = new ClassReader(in);
            String[] interfaces = reader.getInterfaces();
            if (reader.getSuperName() == null) {
                return interfaces;
            }
            String[] all = new String[interfaces.length + 1];
            all[0] = reader.getSuperName();
            System.arraycopy(interfaces, 0, all, 1, interfaces.length);
            return all;
        } catch (IOException | RuntimeException e) {
            return NOTHING;
        }
    }
}
