package moobench.hotswap;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A class loader, which this doesn't keep alive, and whether its classes can call the probe. */
final class Loader extends WeakReference<ClassLoader> {
    /** Set while a loader is asked: what it loads to answer is not asked about. */
    private static final ThreadLocal<Boolean> ASKING = new ThreadLocal<>();

    /** The classes that it defined, by name. */
    final Map<String, Loaded> classes = new ConcurrentHashMap<>();
    private final int hash;
    private volatile Supertypes types;
    private volatile Boolean sees;

    Loader(ClassLoader loader, ReferenceQueue<ClassLoader> gone) {
        super(loader, gone);
        hash = System.identityHashCode(loader);
    }

    /** Whether a class of this loader that names the probe gets this one; asked once. */
    boolean sees(Class<?> probe) {
        Boolean known = sees;
        if (known != null || ASKING.get() != null) {
            return known != null && known;
        }
        ASKING.set(true);
        try {
            ClassLoader loader = get();
            sees = loader != null && (loader == probe.getClassLoader() || Class.forName(probe.getName(), false, loader) == probe);
        } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
            sees = false;
        } finally {
            ASKING.remove();
        }
        return sees;
    }

    /** What its classes extend. It is made when it is first asked for: most loaders are never asked. */
    Supertypes types() {
        Supertypes made = types;
        if (made == null) {
            made = new Supertypes(this::get);
            types = made;
        }
        return made;
    }

    /** By identity: a loader's own idea of equality is not asked. */
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Loader && get() != null && get() == ((Loader) other).get();
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** What a loader is looked up by. */
    static final class Key {
        private final ClassLoader loader;

        Key(ClassLoader loader) {
            this.loader = loader;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Loader && ((Loader) other).get() == loader;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(loader);
        }
    }
}
