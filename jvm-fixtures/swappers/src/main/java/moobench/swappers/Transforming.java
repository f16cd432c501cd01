package moobench.swappers;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;

/** Has the JVM ask for the class file of each class that changes, and writes the probe into it then. */
public abstract class Transforming extends Exchanger implements ClassFileTransformer {
    private boolean installed;

    /** The class file with the probe around these methods: name and descriptor, and the signature. */
    public abstract byte[] inject(ClassLoader loader, String name, byte[] classFile, Map<String, String> methods) throws Exception;

    @Override
    final void exchange(Class<?>[] types) throws Exception {
        if (!installed) {
            instrumentation().addTransformer(this, true);
            installed = true;
        }
        instrumentation().retransformClasses(types);
    }

    @Override
    public final byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (redefined == null || monitored(redefined).isEmpty()) {
            return null;
        }
        long begin = System.nanoTime();
        try {
            return inject(loader, redefined.getName(), classFile, monitored(redefined));
        } catch (Throwable e) {
            fail(redefined, e);
            return null;
        } finally {
            transformed(System.nanoTime() - begin);
        }
    }
}
