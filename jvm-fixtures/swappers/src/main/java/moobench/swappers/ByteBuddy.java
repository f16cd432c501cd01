package moobench.swappers;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import moobench.probes.Probe;
import moobench.probes.patterns.Signature;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.annotation.AnnotationSource;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.bytecode.constant.IntegerConstant;
import net.bytebuddy.pool.TypePool;

/** Puts the probe in with Byte Buddy's advice, which it copies into the method. */
public final class ByteBuddy extends Transforming implements Library {
    private final net.bytebuddy.ByteBuddy library = new net.bytebuddy.ByteBuddy().with(TypeValidation.DISABLED);
    /** Read once; guarded by this object's lock, as are the methods that it asks for. */
    private final Advice advice = Advice.withCustomMapping()
            .bind(Number.class, (type, method, assigner, handler, sort) ->
                    new Advice.OffsetMapping.Target.ForStackManipulation(IntegerConstant.forValue(Probe.method(signature(method)))))
            .to(Around.class);
    private Map<String, String> methods = Collections.emptyMap();

    /** For {@code -Dmoobench.swapper}, and for the agent. */
    public ByteBuddy() {}

    private String signature(MethodDescription method) {
        return methods.get(key(method));
    }

    private static String key(MethodDescription method) {
        return method.getInternalName() + method.getDescriptor();
    }

    /** The class itself is not asked, which may be on its way. */
    private static ClassFileLocator locator(ClassLoader loader, String name, byte[] classFile) {
        return new ClassFileLocator.Compound(ClassFileLocator.Simple.of(name, classFile), ClassFileLocator.ForClassLoader.of(loader));
    }

    private static TypeDescription described(ClassFileLocator locator, String name) {
        return TypePool.Default.of(locator).describe(name).resolve();
    }

    @Override
    public synchronized byte[] inject(ClassLoader loader, String name, byte[] classFile, Map<String, String> wanted) {
        methods = wanted;
        ClassFileLocator locator = locator(loader, name, classFile);
        return library.decorate(described(locator, name), locator)
                .visit(advice.on(method -> signature(method) != null))
                .make().getBytes();
    }

    @Override
    public Map<String, Signature> methods(ClassLoader loader, String name, byte[] classFile, boolean annotated) {
        TypeDescription type = described(locator(loader, name, classFile), name);
        Map<String, Signature> all = new LinkedHashMap<>();
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (method.isMethod() && !method.isAbstract() && !method.isNative()) {
                all.put(key(method), signature(type, method, annotated));
            }
        }
        return all;
    }

    private static Signature signature(TypeDescription type, MethodDescription method, boolean annotated) {
        List<String> annotations = new ArrayList<>();
        if (annotated) {
            annotations.addAll(kept(type));
            annotations.addAll(kept(method));
        }
        return Signature.of(method.getModifiers(), type.isInterface(), method.getReturnType().asErasure().getActualName(), type.getName(), method.getInternalName(),
                names(method.getParameters().asTypeList().asErasures()), names(method.getExceptionTypes().asErasures()), annotations);
    }

    private static List<String> names(List<TypeDescription> types) {
        List<String> names = new ArrayList<>();
        for (TypeDescription type : types) {
            names.add(type.getActualName());
        }
        return names;
    }

    private static List<String> kept(AnnotationSource source) {
        List<String> names = new ArrayList<>();
        for (AnnotationDescription each : source.getDeclaredAnnotations()) {
            if (each.getRetention() == RetentionPolicy.RUNTIME) {
                names.add(each.getAnnotationType().getName());
            }
        }
        return names;
    }

    /** What is copied into a method. */
    static final class Around {
        private Around() {}

        @Advice.OnMethodEnter
        static long enter() {
            return Probe.enter();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter long token, @Number int method) {
            Probe.exit(token, method);
        }
    }

    /** Where the number by which records name the method goes. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Number {}
}
