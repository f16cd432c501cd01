package moobench.bridge.pfl;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import org.glassfish.pfl.tf.spi.annotation.TraceEnhanceLevel;

/** The agent that PFL has none of: it runs {@link Stage2} on each class that is at the first stage, while it is loaded. */
public final class Agent implements ClassFileTransformer {
    /** In the file of each enhanced class: all others are not read, whatever their version. */
    private static final String MARK = "Lorg/glassfish/pfl/tf/spi/annotation/TFEnhanced;";

    private Agent() {}

    /** Comes with the JVM. */
    public static void premain(String args, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Agent());
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (loader == null || redefined != null) {
            return null;
        }
        try {
            boolean marked = new String(classFile, StandardCharsets.ISO_8859_1).contains(MARK);
            return marked && Stage2.level(classFile) == TraceEnhanceLevel.PHASE1 ? Stage2.enhance(classFile) : null;
        } catch (Throwable e) { // thrown on, it would vanish
            System.err.println("moobench: error: PFL's second stage for class " + name + ": " + e);
            return null;
        }
    }
}
