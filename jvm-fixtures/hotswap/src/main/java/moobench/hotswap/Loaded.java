package moobench.hotswap;

import java.lang.ref.WeakReference;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import moobench.probes.patterns.Signature;

/**
 * A class that is loaded or just being loaded, which this doesn't keep alive, and which probes are in it. The maps are never
 * changed, but exchanged.
 */
final class Loaded {
    final Loader loader;
    final String name;
    /** The next class of the same name, by another loader. */
    volatile Loaded next;
    /** The methods that can hold a probe; null until somebody needs to know. */
    volatile List<Signature> methods;
    /** The methods that hold one, with their numbers. */
    volatile Map<Signature, Integer> in = Collections.emptyMap();
    /** Those of them whose probe is switched off, and since when (ns); they are not monitored. */
    volatile Map<Signature, Long> off = Collections.emptyMap();
    /** The methods, by name and descriptor, that got another shape when it was loaded, and have to keep it. */
    volatile Set<String> shaped = Collections.emptySet();
    private volatile WeakReference<Class<?>> type;

    Loaded(Loader loader, String name) {
        this.loader = loader;
        this.name = name;
    }

    /** The class; null if it is gone, or not defined yet. The JVM knows it, its loader is not asked then. */
    Class<?> type() {
        WeakReference<Class<?>> known = type;
        Class<?> found = known == null ? null : known.get();
        ClassLoader by = loader.get();
        if (found != null || by == null) {
            return found;
        }
        try {
            found = Class.forName(name, false, by);
        } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
            return null;
        }
        if (found.getClassLoader() != by) {
            return null;
        }
        type = new WeakReference<>(found);
        return found;
    }

    /** The methods that can hold a probe; null if the class names classes that are not there, and so can't tell. */
    List<Signature> methods() {
        if (methods == null) {
            methods = read(false);
        }
        return methods;
    }

    /** The same, read from the class, with their annotations where these are wanted. */
    List<Signature> read(boolean annotated) {
        Class<?> asked = type();
        if (asked == null) {
            return null;
        }
        try {
            List<Executable> all = new ArrayList<>(Arrays.asList(asked.getDeclaredMethods()));
            all.addAll(Arrays.asList(asked.getDeclaredConstructors()));
            List<Signature> signatures = new ArrayList<>(all.size());
            for (Executable each : all) {
                if ((each.getModifiers() & (Modifier.ABSTRACT | Modifier.NATIVE)) == 0) {
                    signatures.add(Signature.of(each, annotated));
                }
            }
            return signatures;
        } catch (LinkageError | RuntimeException e) {
            return null; // seen when its class file comes by
        }
    }
}
