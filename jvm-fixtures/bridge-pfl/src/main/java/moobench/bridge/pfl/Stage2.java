package moobench.bridge.pfl;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.glassfish.pfl.tf.spi.EnhancedClassData;
import org.glassfish.pfl.tf.spi.EnhancedClassDataASMImpl;
import org.glassfish.pfl.tf.spi.Util;
import org.glassfish.pfl.tf.spi.annotation.TFEnhanced;
import org.glassfish.pfl.tf.spi.annotation.TraceEnhanceLevel;
import org.glassfish.pfl.tf.tools.enhancer.ClassTracer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;

/** PFL's second stage, which its tool offers only together with the first: puts the calls of the monitor into traced methods. */
public final class Stage2 {
    private static final Set<String> ANNOTATIONS = new HashSet<>(Arrays.asList(Type.getInternalName(Monitored.class), Type.getInternalName(Execution.class)));
    private static final String ENHANCED = Type.getDescriptor(TFEnhanced.class);

    private Stage2() {}

    /**
     * The class file as it is after the second stage; one that is not exactly at the first is refused. The tracer is PFL's; it
     * is not run by PFL's {@code Util.transform}, which swallows what goes wrong and returns what there is by then.
     */
    public static byte[] enhance(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassNode node = new ClassNode();
        reader.accept(node, ClassReader.SKIP_FRAMES);
        Util util = new Util(false, 0);
        EnhancedClassData data = new EnhancedClassDataASMImpl(util, ANNOTATIONS, node);
        if (!data.isTracedClass()) {
            throw new IllegalArgumentException("it has none of the annotations " + ANNOTATIONS);
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        reader.accept(new ClassTracer(util, data, writer), ClassReader.SKIP_FRAMES);
        return writer.toByteArray();
    }

    /** How far the class is enhanced, by the annotation in its file. */
    static TraceEnhanceLevel level(byte[] classFile) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        if (node.visibleAnnotations != null) {
            for (AnnotationNode annotation : node.visibleAnnotations) {
                if (annotation.desc.equals(ENHANCED)) {
                    return TraceEnhanceLevel.valueOf(((String[]) annotation.values.get(1))[1]); // stage = {type, constant}
                }
            }
        }
        return TraceEnhanceLevel.NONE;
    }
}
