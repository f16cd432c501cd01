package moobench.classes;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Loads clones, from the application's jars if the build has made them, else by making them now. */
final class CloneLoader extends ClassLoader {
    private static final String SUFFIX = ".class";

    private final Clones clones;

    CloneLoader(Clones clones) {
        super(CloneLoader.class.getClassLoader());
        this.clones = clones;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!clones.isClone(name) || clones.isBuilt(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] file = clones.make(name);
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
