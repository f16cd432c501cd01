package moobench.classes;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import moobench.kernel.Calls;
import moobench.kernel.Target;

/** Loads clones, from the application's jars if the build has made them, else by making them now. */
final class CloneLoader extends ClassLoader {
    private static final String SUFFIX = ".class";

    private final Clones clones;
    /** Class files that are made already, of classes that are not loaded yet. */
    private final Map<String, byte[]> made = new ConcurrentHashMap<>();

    CloneLoader(Clones clones) {
        super(CloneLoader.class.getClassLoader());
        this.clones = clones;
    }

    /** Makes the class file of a clone now, so that loading the clone takes no longer than the JVM does. */
    void make(String name) {
        made.put(name, clones.make(name));
    }

    /** An object of the clone with this name, which nobody has loaded yet. */
    Target first(String name) throws ReflectiveOperationException {
        if (findLoadedClass(name) != null) {
            throw new IllegalStateException("at_load=true: " + name + " was loaded before that: it was measured before, or what swaps probes in this JVM knows loaded classes only");
        }
        return target(name);
    }

    /** An object of the clone with this name, which is loaded if it isn't. */
    Target target(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(name, true, this);
        if (!Target.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("the target doesn't implement " + Target.class.getName());
        }
        return Calls.make(type);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!clones.isClone(name) || clones.isBuilt(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] ready = made.remove(name);
                byte[] file = ready == null ? clones.make(name) : ready;
                loaded = defineClass(name, file, 0, file.length);
            }
            return loaded;
        }
    }

    /** Also the class files that are nowhere but here. */
    @Override
    public InputStream getResourceAsStream(String resource) {
        if (resource.endsWith(SUFFIX)) {
            String name = resource.substring(0, resource.length() - SUFFIX.length()).replace('/', '.');
            if (clones.isClone(name)) {
                return new ByteArrayInputStream(clones.make(name));
            }
        }
        return super.getResourceAsStream(resource);
    }
}
